/** What the operator allows on every server of this database; each server's switch files can only tighten it. */
export const tradingState = `
alter table installation add column trading_state text not null default 'active'
  check (trading_state in ('active', 'reducing', 'halted'));
`;
