/** The market whose asset the trading key's limits on chain are for, which the agent's may differ from for a while. */
export const limitsMarket = `
alter table multisigs add column limits_market_id text;
`;
