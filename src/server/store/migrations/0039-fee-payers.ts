/** Adds the fee payer of practice transactions, by which the ledger assigns their cost. */
export const feePayers = `
alter table practice_transactions add column fee_payer text;
`;
