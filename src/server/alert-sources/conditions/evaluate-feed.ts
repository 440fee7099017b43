import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../domain/clock.ts";
import type { Network } from "../../../domain/network.ts";
import {
  type CandleHistory,
  type HistoryAnswer,
  openTimeBefore,
} from "../../market-data/candle-history.ts";
import { CandleSourceError } from "../../market-data/candle-source.ts";
import {
  type ConditionAgent,
  listConditionAgents,
  storeConditionProgress,
} from "../../store/alerts/conditions.ts";
import type { Db } from "../../store/postgres/db.ts";
import { readOpenEntries } from "../../store/trade-log/open-entries.ts";
import { type AgentEvaluators, asksForPosition, type DueAgent } from "./agent-evaluators.ts";
import type { ConditionFeed } from "./condition-feed.ts";
import {
  deliverFirings,
  type FiredAgent,
  type Receive,
  type UnlistedBars,
} from "./deliver-firings.ts";
import { MAX_SIGNAL_AGE_SECONDS } from "../../../domain/freshness.ts";
import type { ConditionFiring } from "../../../strategy/firing.ts";
import { barSpanAt } from "../../../strategy/bar-times.ts";
import type { Bar } from "../../../strategy/bar.ts";

/** Time to wait for a missing bar, in milliseconds; after that it counts as lost and no condition fires on it. */
const LOST_AFTER_MS = 10 * 60_000;

/** A missing bar younger than this, in milliseconds, is only late. */
const LATE_AFTER_MS = 30_000;

interface UsableBars {
  /** Oldest first, without contradicted bars. */
  readonly bars: readonly Bar[];
  /** Close time of the newest bar that was evaluated or is finally lost. */
  readonly decidedToMs: number;
  /** Fault of the source in one sentence; null when there is none. */
  readonly trouble: string | null;
}

/**
 * Returns the bars on which conditions may be evaluated, from the first due one to the requested close.
 *
 * The bars end before the first one that may still arrive. A contradicted bar counts as missing.
 */
function usableBars(
  { source, bars, contradictions }: HistoryAnswer,
  due: {
    readonly intervalMinutes: number;
    /** Bars that close after this time are due. */
    readonly fromMs: number;
    readonly toMs: number;
    readonly nowMs: number;
  },
): UsableBars {
  const contradicted = new Map(contradictions.map((each) => [each.closedAtMs, each.text]));
  const good = bars.filter((bar) => !contradicted.has(bar.closeTimeMs));
  const closes = new Set(good.map((bar) => bar.closeTimeMs));
  let trouble: string | null = null;
  let decidedToMs = due.fromMs;
  while (decidedToMs < due.toMs) {
    const { closeTimeMs } = barSpanAt(due.intervalMinutes, decidedToMs);
    if (!closes.has(closeTimeMs)) {
      trouble = contradicted.get(closeTimeMs) ?? missingText(source, closeTimeMs, due.nowMs);
      if (due.nowMs - closeTimeMs < LOST_AFTER_MS) break;
    }
    decidedToMs = closeTimeMs;
  }
  return { bars: good.filter((bar) => bar.closeTimeMs <= decidedToMs), decidedToMs, trouble };
}

/** Returns the text for a missing bar; null when it closed only just now. */
function missingText(source: string, closeTimeMs: number, nowMs: number): string | null {
  if (nowMs - closeTimeMs < LATE_AFTER_MS) return null;
  return `${source} has no candle that closed at ${new Date(closeTimeMs).toISOString().slice(0, 16).replace("T", " ")} UTC.`;
}

/**
 * Maximum number of a downtime's firings recorded individually per agent, the newest ones; one summary per alert stands
 * for the rest.
 */
const MAX_LISTED_MISSED = 100;

const MAX_AGE_MS = MAX_SIGNAL_AGE_SECONDS * 1_000;

/** Returns the firings of an agent to deliver; null when there are none. */
function firedAgentOf(
  { agent, sinceMs, doneToMs }: DueAgent,
  firings: readonly ConditionFiring[],
  nowMs: number,
): FiredAgent | null {
  const isOld = ({ closedAtMs }: ConditionFiring) => nowMs - closedAtMs > MAX_AGE_MS;
  const dropped = firings.slice(0, Math.max(0, firings.filter(isOld).length - MAX_LISTED_MISSED));
  const toMs = new Map<string, number>();
  if (sinceMs < doneToMs) for (const { id } of agent.alerts) toMs.set(id, doneToMs);
  for (const { alertKey, closedAtMs } of dropped) toMs.set(alertKey, closedAtMs);
  if (firings.length === 0 && toMs.size === 0) return null;
  const unlisted = [...toMs].map(([alertKey, to]): UnlistedBars => ({
    alertKey,
    fromMs: sinceMs,
    toMs: to,
  }));
  return { agent, firings: firings.slice(dropped.length), unlisted };
}

export interface FeedDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly historyOf: (network: Network) => CandleHistory;
  readonly receive: Receive;
  readonly onError: (error: unknown) => void;
}

/** Maximum number of a downtime's bars that are evaluated afterwards; one summary per alert stands for earlier ones. */
const MAX_MISSED_BARS = 2_000;

/** Maximum time between two turns of the event loop, in milliseconds. */
const TURN_MS = 10;

/** Result of evaluating a feed up to a bar's close. */
export interface FeedOutcome {
  readonly agents: readonly ConditionAgent[];
  /** `late`: a bar may still arrive, or an agent changed meanwhile. `failed`: the source does not answer. */
  readonly state: "done" | "late" | "failed";
  /** Fault of the source in one sentence; null when there is none. */
  readonly trouble: string | null;
}

/**
 * Evaluates every bar of a feed that closed by `closeMs` and delivers the firings, for each agent from its last
 * evaluated bar.
 */
export async function evaluateFeed(
  deps: FeedDeps,
  feed: ConditionFeed,
  evaluators: AgentEvaluators,
  closeMs: number,
): Promise<FeedOutcome> {
  const agents = await listConditionAgents(deps.db, feed.markets);
  evaluators.keepOnly(new Set(agents.map(({ agentId }) => agentId)));
  const due = await findDue(deps.db, feed, agents, closeMs);
  if (due.length === 0) return { agents, state: "done", trouble: null };
  const history = deps.historyOf(feed.network);
  const answer = await readBars(history, feed, evaluators, due, closeMs).catch(orSourceError);
  if (answer instanceof CandleSourceError) {
    return { agents, state: "failed", trouble: `${answer.message}.` };
  }
  const usable = usableBars(answer, {
    intervalMinutes: feed.intervalMinutes,
    fromMs: Math.min(...due.map(({ doneToMs }) => doneToMs)),
    toMs: closeMs,
    nowMs: deps.clock.now(),
  });
  const { receive, onError, clock } = deps;
  const fired = await evaluateAll(evaluators, due, answer.source, usable, clock);
  const unfinished = await deliverFirings(fired, { receive, onError, nowMs: clock.now() });
  for (const agentId of unfinished) evaluators.forget(agentId);
  const evaluatedTo = new Date(usable.decidedToMs);
  const finished = due.filter(
    ({ agent, doneToMs }) => !unfinished.has(agent.agentId) && doneToMs < evaluatedTo.getTime(),
  );
  await storeConditionProgress(
    deps.db,
    finished.map(({ agent: { agentId, changedAt } }) => ({ agentId, changedAt, evaluatedTo })),
  );
  const isDone = usable.decidedToMs >= closeMs && unfinished.size === 0;
  return { agents, state: isDone ? "done" : "late", trouble: usable.trouble };
}

function orSourceError(error: unknown): CandleSourceError {
  if (error instanceof CandleSourceError) return error;
  throw error;
}

/** Returns the agents with bars to evaluate, since the last evaluated one or the agent's last change. */
async function findDue(
  db: Db,
  { intervalMinutes }: ConditionFeed,
  agents: readonly ConditionAgent[],
  closeMs: number,
): Promise<readonly DueAgent[]> {
  const earliestMs = openTimeBefore(intervalMinutes, closeMs, MAX_MISSED_BARS);
  const due = agents
    .map((agent) => {
      const sinceMs = (agent.evaluatedTo ?? agent.changedAt).getTime();
      return { agent, sinceMs, doneToMs: Math.max(earliestMs, sinceMs) };
    })
    .filter(({ doneToMs }) => doneToMs < closeMs);
  const asking = due.flatMap(({ agent }) => (asksForPosition(agent) ? [agent.agentId] : []));
  const entries = await readOpenEntries(db, asking);
  return due.map((each) => ({ ...each, entry: entries.get(each.agent.agentId) ?? null }));
}

async function readBars(
  history: CandleHistory,
  { symbol, intervalMinutes }: ConditionFeed,
  evaluators: AgentEvaluators,
  due: readonly DueAgent[],
  toMs: number,
): Promise<HistoryAnswer> {
  const read = () => {
    const fromMs = due.reduce(
      (least, each) => Math.min(least, evaluators.neededFromMs(each)),
      toMs,
    );
    return history.bars({ symbol, intervalMinutes, fromMs, toMs });
  };
  const answer = await read();
  // Sources are never mixed: after a change of source all bars are read again
  return evaluators.forgetOtherSources(answer.source) ? read() : answer;
}

async function evaluateAll(
  evaluators: AgentEvaluators,
  due: readonly DueAgent[],
  source: string,
  { bars }: UsableBars,
  clock: Clock,
): Promise<readonly FiredAgent[]> {
  const fired: FiredAgent[] = [];
  let turnMs = performance.now();
  const pause = async () => {
    if (performance.now() - turnMs < TURN_MS) return;
    await setImmediate();
    turnMs = performance.now();
  };
  for (const each of due) {
    const firings = await evaluators.evaluate(each, source, bars, pause);
    const handedIn = firedAgentOf(each, firings, clock.now());
    if (handedIn !== null) fired.push(handedIn);
    await pause();
  }
  return fired;
}
