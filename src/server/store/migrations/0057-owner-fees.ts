/** Fees the deployment's payer offered per owner and day for orders; rows outlive the owner's agents. */
export const ownerFees = `
create table owner_fees (
  owner text not null,
  network text not null,
  day date not null,
  lamports bigint not null,
  primary key (owner, network, day)
) with (fillfactor = 70);
`;
