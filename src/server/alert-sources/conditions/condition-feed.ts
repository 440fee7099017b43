import { parseInterval } from "../../../domain/interval.ts";
import { findMarket } from "../../../venues/profiles.ts";
import type { Network } from "../../../domain/network.ts";
import type { ConditionMarket } from "../../store/alerts/conditions.ts";

/** One market's bars of one interval, for all agents that are evaluated on them. */
export interface ConditionFeed {
  /** The same for feeds with the same bars. */
  readonly key: string;
  /** Any network of the agents: real ones have the same bars. */
  readonly network: Network;
  readonly symbol: string;
  readonly intervalMinutes: number;
  /** What agents of the feed are stored with. */
  readonly markets: readonly ConditionMarket[];
}

/** Returns the symbol candle sources know an agent's market by; null for a market that is not traded. */
export function symbolOfMarket({
  venue,
  marketId,
}: Pick<ConditionMarket, "venue" | "marketId">): string | null {
  const market = findMarket(venue, marketId);
  return market === undefined ? null : `${market.asset.toUpperCase()}USDT`;
}

/** Returns the key of the feed an agent is evaluated on; null for one that cannot be. */
export function feedKeyOf(market: ConditionMarket): string | null {
  const symbol = symbolOfMarket(market);
  const interval = parseInterval(market.interval);
  if (symbol === null || interval === null) return null;
  const source = market.network === "practice" ? "practice" : "market";
  return `${source} ${symbol} ${interval.minutes}`;
}

/** Puts stored markets together to feeds. */
export function toFeeds(markets: readonly ConditionMarket[]): readonly ConditionFeed[] {
  const feeds = new Map<string, ConditionFeed>();
  for (const market of markets) {
    const key = feedKeyOf(market);
    if (key === null) continue;
    const known = feeds.get(key);
    feeds.set(key, {
      key,
      network: market.network,
      symbol: symbolOfMarket(market) ?? "",
      intervalMinutes: parseInterval(market.interval)?.minutes ?? 0,
      markets: [...(known?.markets ?? []), market],
    });
  }
  return [...feeds.values()];
}
