/** What the deployment's fee payer offered a day for the orders of each owner; it outlives the owner's agents. */
export const ownerFees = `
create table owner_fees (
  owner text not null,
  network text not null,
  day date not null,
  lamports bigint not null,
  primary key (owner, network, day)
) with (fillfactor = 70);
`;
