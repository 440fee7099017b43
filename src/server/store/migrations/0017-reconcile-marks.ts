/** Reconciliation progress of each agent: its account as last seen, and the transactions already classified. */
export const reconcileMarks = `
create table reconcile_marks (
  agent_id text primary key references agents (id) on delete cascade,
  content text not null,
  searched_at timestamptz,
  judged text[] not null default '{}'
);
`;
