/**
 * Requires decimals for every trade log entry with amounts. Entries planned while their network was disabled lacked
 * the quote token's decimals: every venue settled in a token of six. Entries of an unknown market lacked the base
 * decimals too.
 */
export const knownScales = `
alter table trade_log alter column base_decimals drop not null;
alter table trade_log alter column quote_decimals drop not null;
update trade_log set quote_decimals = 6 where quote_decimals = 0;
update trade_log set base_decimals = null, quote_decimals = null
  where base_decimals = 0 and base_size = 0 and quote_total = 0 and coalesce(fee, 0) = 0;
alter table trade_log add constraint trade_log_known_scales check (
  (base_decimals is not null and quote_decimals is not null)
  or (base_size = 0 and quote_total = 0 and coalesce(fee, 0) = 0));
`;
