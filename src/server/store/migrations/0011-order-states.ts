/**
 * Adds orders that rest at the venue, fill in parts or are cancelled. The transaction that placed an order stays in
 * its row; later transactions of the order and every fill, including a keeper's, have rows of their own.
 */
export const orderStates = `
alter table orders drop constraint orders_state_check,
  add constraint orders_state_check check (state in ('planned', 'denied', 'submitted', 'unknown', 'resting',
    'partially_filled', 'filled', 'cancelled', 'rejected', 'expired')),
  add column resting jsonb;
drop index orders_open;
create index orders_open on orders (agent_id, seq) where state in ('planned', 'submitted', 'unknown', 'resting');

create table order_transactions (
  signature text primary key,
  order_id text not null references orders (id) on delete cascade,
  purpose text not null check (purpose in ('fill', 'cancel')),
  transaction bytea not null,
  last_valid_block_height bigint not null,
  sent_after_slot bigint not null default 0,
  submitted_at timestamptz not null,
  ended text check (ended in ('landed', 'expired')),
  seq bigint generated always as identity
);
create index order_transactions_order on order_transactions (order_id, seq);

create table order_fills (
  order_id text not null references orders (id) on delete cascade,
  signature text not null,
  n integer not null,
  base_size bigint not null,
  quote_size bigint not null,
  fee bigint not null,
  slot bigint not null,
  primary key (order_id, signature, n)
);
create index order_fills_signature on order_fills (signature);
`;
