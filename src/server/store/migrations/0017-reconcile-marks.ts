/** Where the reconciler stands with each agent: what its account looked like, and what was judged of its transactions. */
export const reconcileMarks = `
create table reconcile_marks (
  agent_id text primary key references agents (id) on delete cascade,
  content text not null,
  searched_at timestamptz,
  judged text[] not null default '{}'
);
`;
