import { parseInterval } from "../../../domain/interval.ts";
import type { Network } from "../../../domain/network.ts";
import type { Plan } from "../../../domain/plan/plan.ts";
import { barSpanAt } from "../../../strategy/bar-times.ts";
import { planAtr, planAtrBars } from "../../../strategy/simulated-plan.ts";
import {
  type CandleHistory,
  openTimeBefore,
  CandleSourceError,
} from "../../market-data/candle-history.ts";
import type { AgentRecord } from "../../store/agents/agents.ts";
import { symbolOfMarket } from "./condition-feed.ts";

/** Returns the ATR that a plan needs, by length, at the last bar closed before a time; a length without its bars is absent. */
export type EntryAtr = (
  agent: Pick<AgentRecord, "network" | "venue" | "marketId" | "interval">,
  plan: Plan,
  atMs: number,
) => Promise<ReadonlyMap<number, bigint>>;

/** Computes it from the bars that the agents' conditions are evaluated on. */
export const createEntryAtr =
  (historyOf: (network: Network) => CandleHistory): EntryAtr =>
  async ({ network, venue, marketId, interval }, plan, atMs) => {
    const minutes = parseInterval(interval)?.minutes;
    const symbol = venue === null ? null : symbolOfMarket({ venue, marketId });
    if (minutes === undefined || symbol === null) return new Map();
    const toMs = barSpanAt(minutes, atMs).openTimeMs;
    const fromMs = openTimeBefore(minutes, toMs, planAtrBars(plan) + 1);
    const query = { symbol, intervalMinutes: minutes, fromMs, toMs };
    try {
      const { bars } = await historyOf(network).bars(query);
      return planAtr(bars, plan, minutes);
    } catch (error) {
      if (error instanceof CandleSourceError) return new Map();
      throw error;
    }
  };
