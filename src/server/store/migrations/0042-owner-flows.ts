/** Index for a wallet's deposits and withdrawals, across its agents. */
export const ownerFlows = `
create index ledger_entries_flows on ledger_entries (owner, network, at, seq)
  where kind in ('deposit', 'withdrawal', 'external');
`;
