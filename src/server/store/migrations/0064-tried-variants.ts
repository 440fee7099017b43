/**
 * Variants of agents that wallets tried in simulations, by market. A variant is the digest of all settings that decide
 * what it trades; its t statistic is null where it is undefined.
 */
export const triedVariants = `
create table tried_variants (
  wallet text not null,
  network text not null,
  venue text not null,
  market_id text not null,
  variant text not null,
  t_statistic double precision,
  tried_at timestamptz not null,
  primary key (wallet, network, venue, market_id, variant)
);
`;
