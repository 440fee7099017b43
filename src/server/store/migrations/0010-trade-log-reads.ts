/**
 * Indexes that find trades without reading denied entries, of which there may be a thousand times as many, and find
 * old denied entries by their time.
 */
export const tradeLogReads = `
create index trade_log_shown on trade_log (chat_id, seq desc) where status <> 'failed';
create index trade_log_filled on trade_log (agent_id, seq desc) where status = 'success';
create index trade_log_at on trade_log using brin (at) with (pages_per_range = 16);
`;
