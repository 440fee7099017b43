import type { QueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Agent } from "../../contract/agent.ts";
import { type CustodyAccess, getCustodyAccess } from "../../contract/custody.ts";
import { parseDecimal } from "../../domain/amount.ts";
import type { Market } from "../../domain/market.ts";
import type { DailyLimits } from "../../strategy/simulation.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import { read, useRead } from "./read.ts";
import type { SignedInWallet } from "../lib/session.ts";

/** Part of the custody access that contains the limits. */
interface ReadLimits {
  readonly quoteSymbol: string;
  readonly limits:
    | readonly Pick<NonNullable<CustodyAccess["limits"]>[number], "symbol" | "amount" | "period">[]
    | null;
}

/**
 * Returns what a trading key may move a day in one market, as its owner approved it.
 *
 * Null unless both limits, of the quote token and of the asset, are known and daily.
 */
export function dailyLimitsOf(access: ReadLimits | null, market: Market): DailyLimits | null {
  const amountOf = (symbol: string, decimals: number): bigint | null => {
    const limit = access?.limits?.find((each) => each.symbol === symbol && each.period === "day");
    return limit === undefined ? null : parseDecimal(limit.amount, decimals);
  };
  const quote = amountOf(access?.quoteSymbol ?? "", VENUE_PROFILES[market.venue].quote.decimals);
  const base = amountOf(market.marketId, market.baseDecimals);
  return quote === null || base === null ? null : { quote, base };
}

const isLimited = (agent: Pick<Agent, "venue"> | null): agent is Pick<Agent, "venue"> =>
  agent !== null && VENUE_PROFILES[agent.venue].hasSpendingLimits;

/** Fetches an agent's daily limits in a market; null also when they cannot be read. */
export async function fetchDailyLimits(
  client: QueryClient,
  owner: SignedInWallet,
  agent: Agent | null,
  market: Market,
): Promise<DailyLimits | null> {
  if (agent === null || !isLimited(agent)) return null;
  const asks = read(owner, getCustodyAccess, { params: { agentId: agent.id } });
  return dailyLimitsOf(await client.fetchQuery(asks).catch(() => null), market);
}

/** Returns an agent's daily limits in a market and a text of them for query keys; null when unknown. */
export function useDailyLimits(agent: Agent | null, market: Market | undefined) {
  const access = useRead(
    getCustodyAccess,
    { params: { agentId: agent?.id ?? "" } },
    { enabled: isLimited(agent) },
  );
  const limits = useMemo(
    () => (market === undefined ? null : dailyLimitsOf(access.data ?? null, market)),
    [access.data, market],
  );
  const key = limits === null ? null : `${limits.quote} ${limits.base}`;
  return { limits, key, isReading: access.isLoading };
}
