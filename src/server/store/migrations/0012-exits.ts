/** Positions that were asked to be closed and are not closed yet; one in work per agent and market. */
export const exits = `
create table exits (
  id text primary key,
  agent_id text not null references lanes (agent_id) on delete cascade,
  market_id text not null,
  side text not null check (side in ('long', 'short')),
  asked_by text not null check (asked_by in ('alert', 'owner', 'reversal')),
  asked_at timestamptz not null,
  state text not null check (state in ('working', 'done', 'ended_by_owner')),
  attempts integer not null default 0,
  waits integer not null default 0,
  next_attempt_at timestamptz not null,
  last_reason text,
  limit_bps integer not null,
  ended_at timestamptz
);
create unique index exits_working on exits (agent_id, market_id) where state = 'working';
create index exits_due on exits (next_attempt_at) where state = 'working';
alter table orders add column exit_id text references exits (id) on delete set null;
create index orders_exit on orders (exit_id) where exit_id is not null;
`;
