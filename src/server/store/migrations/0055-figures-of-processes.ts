/**
 * What the trading processes last saw, for the processes that show it. Unlogged: after a crash of the database the next
 * round writes them anew.
 */
export const figuresOfProcesses = `
create unlogged table agent_looks (
  agent_id text primary key,
  network text not null,
  done_at timestamptz,
  failing_since timestamptz,
  key_state text
) with (fillfactor = 70);

create unlogged table feed_troubles (
  feed text primary key,
  text text not null,
  since timestamptz not null
);

create unlogged table process_figures (
  worker text primary key,
  at timestamptz not null,
  figures jsonb not null
);
`;
