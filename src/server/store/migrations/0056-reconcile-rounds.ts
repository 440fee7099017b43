/**
 * How the rounds of reconciliation ended, by network, and why an agent's last reading failed. Unlogged like the other
 * figures: after a crash of the database the next round writes them anew.
 */
export const reconcileRounds = `
create unlogged table reconcile_rounds (
  network text primary key,
  done_at timestamptz,
  agents int not null default 0,
  failing_since timestamptz,
  failed int not null default 0,
  reason text
);

alter table agent_looks add column reason text;
`;
