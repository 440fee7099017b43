import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import type { Agent } from "../../../../contract/agent.ts";
import { getPerformance, type Performance } from "../../../../contract/performance.ts";
import { getReadiness, type Readiness } from "../../../../contract/readiness.ts";
import type { ReadinessFigures } from "../../../../domain/readiness.ts";
import { afterTries } from "../../../../strategy/measures.ts";
import {
  type Divergence,
  divergenceOf,
  type RealTrade,
  replay,
  simulatedOrders,
} from "../../../../strategy/replay.ts";
import type { SimulatedAgent } from "../../../../strategy/simulation.ts";
import { clock } from "../../../lib/clock.ts";
import { useOwner } from "../../../lib/session.ts";
import { assetOf } from "../../../../venues/profiles.ts";
import { deploymentQuery, livePrices } from "../../../queries/deployment.ts";
import { useRead } from "../../../queries/read.ts";
import { triedQuery } from "../../../queries/tried-variants.ts";
import { useSimulated, useSimulation } from "../performance/use-simulated.ts";
import { comparedSpanOf, useRealTrades } from "../simulation/replay-card.tsx";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Length of the simulation that the result is told from luck by, in days. */
const JUDGED_DAYS = 365;

/** Returns an agent's divergence from its simulation since it first traded; null while something of it is unknown. */
export function useDivergence(agent: Agent) {
  const performance = useRead(getPerformance, {
    params: { agentId: agent.id },
    query: { range: "all" },
  });
  const live = useSimulated(agent, performance.data);
  const fromMs = (performance.data?.curve[0]?.time ?? 0) * 1_000;
  const real = useRealTrades(agent.chatId, fromMs, {
    baseDecimals: live.simulated?.market.baseDecimals ?? 0,
    quoteDecimals: performance.data?.quote.decimals ?? 0,
  });
  const isRead = performance.data !== undefined && live.simulated !== null && real.state === "read";
  const isRun = live.run.data !== undefined || live.isTooShort;
  const isFailed =
    performance.isError || live.isUnread || live.run.isError || real.state === "failed";
  return {
    performance: performance.data,
    live,
    trades: real.trades,
    divergence: isRead && isRun ? divergenceFrom(live.run.data, real.trades) : null,
    isFailed,
    retry: () => {
      void performance.refetch();
      void live.run.refetch();
    },
  };
}

function divergenceFrom(run: AgentReport | undefined, trades: readonly RealTrade[]): Divergence {
  const span = run === undefined ? null : comparedSpanOf(run, trades);
  if (run === undefined || span === null) return divergenceOf([]);
  return divergenceOf(replay(simulatedOrders(run.report.result), trades, span));
}

/** Simulates the last year, judged by every variant that the wallet tried on the market; null without conditions of its own. */
function useJudgedYear(agent: Agent, simulated: SimulatedAgent | null, isByConditions: boolean) {
  const owner = useOwner();
  const [nowMs] = useState(() => clock.now());
  const { network } = agent;
  const year = useSimulation(
    ["readiness year", network, simulated && { ...simulated, dailyLimits: null }, nowMs],
    simulated === null || !isByConditions
      ? null
      : () => ({ network, agent: simulated, days: JUDGED_DAYS, nowMs }),
  );
  const market = simulated?.market ?? { venue: agent.venue, marketId: agent.marketId };
  const tried = useQuery(triedQuery({ owner, network, market }));
  const measures = year.data?.report.measures;
  const isKnown = measures !== undefined && measures.closedTrades > 0 && tried.data !== undefined;
  return {
    isPending: (isByConditions && year.isPending) || tried.isPending,
    luck: isKnown ? afterTries(measures, tried.data).deflatedSharpe : null,
    tries: tried.data?.tries ?? null,
    keptOutReturn: year.data?.report.split?.outOfSample.totalReturn ?? null,
  };
}

/** Returns an agent's figures for its readiness; null while they load. */
export function useReadiness(agent: Agent) {
  const recorded = useRead(getReadiness, { params: { agentId: agent.id } });
  const apart = useDivergence(agent);
  const { live, performance, divergence } = apart;
  const year = useJudgedYear(agent, live.simulated, live.isByConditions);
  const { data: deployment } = useQuery(deploymentQuery);
  const price = livePrices(deployment, agent.network, agent.venue)?.assets.find(
    ({ asset }) => asset === assetOf(agent.marketId),
  );
  const isReady =
    recorded.data !== undefined &&
    performance !== undefined &&
    divergence !== null &&
    !year.isPending;
  return {
    recorded: recorded.data,
    divergence,
    run: live.run.data,
    figures: isReady
      ? figuresOf({
          agent,
          recorded: recorded.data,
          performance,
          divergence,
          year,
          missingSince: price?.missing == null ? null : price.at,
          run: live.run.data,
        })
      : null,
    isFailed: apart.isFailed || recorded.isError,
    retry: () => {
      apart.retry();
      void recorded.refetch();
    },
  };
}

/** Returns the figures of an agent that its bar is held against. */
export function figuresOf(of: {
  readonly agent: Agent;
  readonly recorded: Readiness;
  readonly performance: Performance;
  readonly divergence: Divergence;
  readonly year: Pick<ReadinessFigures, "luck" | "tries" | "keptOutReturn">;
  readonly run: AgentReport | undefined;
  /** Time of the newest price while there is no newer one; null otherwise. */
  readonly missingSince: string | null;
}): ReadinessFigures {
  const { agent, recorded, performance, divergence, year, run, missingSince } = of;
  const { curve, to, returns, fall, trades } = performance;
  const begunMs = (curve[0]?.time ?? Date.parse(to) / 1_000) * 1_000;
  const isValued = curve.filter(({ value }) => value !== null).length > 1;
  const { luck, tries, keptOutReturn } = year;
  return {
    days: Math.floor((Date.parse(to) - begunMs) / DAY_MS),
    trades: trades.known + trades.unknown,
    totalReturn: isValued ? returns.timeWeighted : null,
    holdingReturn: run?.report.measures.holdingReturn ?? null,
    fall: isValued ? (fall?.depth ?? 0) : null,
    fallLimit: agent.limits?.fallBps === undefined ? null : agent.limits.fallBps / 10_000,
    compared: divergence.compared,
    matched: divergence.matched,
    medianBps: divergence.medianBps,
    slippageBps: Math.round(agent.slippagePercent * 100),
    luck,
    tries,
    keptOutReturn,
    missedAlerts: recorded.missedAlerts,
    waitedExits: recorded.waitedExits,
    hoursWithoutPrices: [
      ...recorded.withoutPrices,
      ...(missingSince === null ? [] : [{ from: missingSince, to }]),
    ].reduce(
      (sum, gap) => sum + Math.max(0, Date.parse(gap.to) - Date.parse(gap.from)) / HOUR_MS,
      0,
    ),
  };
}
