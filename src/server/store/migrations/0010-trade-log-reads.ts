/**
 * What was traded is found without reading what was denied, which may be a thousand times as much; what is old of that
 * is found by its time.
 */
export const tradeLogReads = `
create index trade_log_shown on trade_log (chat_id, seq desc) where status <> 'failed';
create index trade_log_filled on trade_log (agent_id, seq desc) where status = 'success';
create index trade_log_at on trade_log using brin (at) with (pages_per_range = 16);
`;
