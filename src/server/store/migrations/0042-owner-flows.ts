/** Finds what a wallet paid in and took out among all that its agents did. */
export const ownerFlows = `
create index ledger_entries_flows on ledger_entries (owner, network, at, seq)
  where kind in ('deposit', 'withdrawal', 'external');
`;
