/** The slot a transaction's blockhash was taken at: how far back a node must remember to say that it never landed. */
export const blockhashSlots = `
alter table orders add column blockhash_slot bigint;
alter table custody_transactions add column blockhash_slot bigint;
`;
