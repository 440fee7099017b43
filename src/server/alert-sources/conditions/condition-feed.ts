import { parseInterval } from "../../../domain/interval.ts";
import { findMarket, symbolOf } from "../../../venues/profiles.ts";
import type { Network } from "../../../domain/network.ts";
import type { ConditionMarket } from "../../store/alerts/conditions.ts";

/** Bars of one market and interval, for all agents evaluated on them. */
export interface ConditionFeed {
  /** Equal for feeds with the same bars. */
  readonly key: string;
  /** Any network of the feed's agents: all real networks have the same bars. */
  readonly network: Network;
  readonly symbol: string;
  readonly intervalMinutes: number;
  /** Stored market and interval values of the feed's agents. */
  readonly markets: readonly ConditionMarket[];
}

/** Returns an agent's market as a symbol of candle sources; null for a market that is not traded. */
export function symbolOfMarket({
  venue,
  marketId,
}: Pick<ConditionMarket, "venue" | "marketId">): string | null {
  const market = findMarket(venue, marketId);
  return market === undefined ? null : symbolOf(market.asset);
}

/** Returns the key of an agent's feed; null for an agent that cannot be evaluated. */
export function feedKeyOf(market: ConditionMarket): string | null {
  const symbol = symbolOfMarket(market);
  const interval = parseInterval(market.interval);
  if (symbol === null || interval === null) return null;
  const source = market.network === "practice" ? "practice" : "market";
  return `${source} ${symbol} ${interval.minutes}`;
}

/** Groups stored markets into feeds. */
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
