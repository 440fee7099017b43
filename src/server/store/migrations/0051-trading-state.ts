/** Trading state the operator sets for all servers of this database; a server's switch files can only restrict it. */
export const tradingState = `
alter table installation add column trading_state text not null default 'active'
  check (trading_state in ('active', 'reducing', 'halted'));
`;
