/**
 * A line of the trade log has the decimals of its market or none, and without them no amounts. Lines that were planned while
 * their network was disabled had no decimals for the quote token, whatever they traded later: every venue settled in a token
 * of six. Those of a market nobody knew had none for the base either.
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
