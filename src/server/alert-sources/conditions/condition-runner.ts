import {
  type BesideAnswer,
  lastCloseAt,
  type CandleHistory,
  type HistoryAnswer,
  openTimeBefore,
  readBeside,
  CandleSourceError,
} from "../../market-data/candle-history.ts";
import type { StalePublisher } from "../../stale-publisher.ts";
import type { AgentShares } from "../../pacing/agent-shares.ts";
import { repeatTask } from "../../pacing/repeat-task.ts";
import {
  listConditionMarkets,
  type ConditionAgent,
  listConditionAgents,
  storeConditionProgress,
  type FeedTrouble,
  keepFeedTroubles,
  saveFeedTrouble,
} from "../../store/alerts/conditions.ts";
import {
  type AgentEvaluators,
  createAgentEvaluators,
  asksForPosition,
  type DueAgent,
  agentsOfRound,
  assetsOf,
} from "./agent-evaluators.ts";
import { type ConditionFeed, toFeeds } from "./condition-feed.ts";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../domain/clock.ts";
import type { Network } from "../../../domain/network.ts";
import type { Db } from "../../store/postgres/db.ts";
import { readOpenEntries } from "../../store/trade-log/open-entries.ts";
import {
  deliverFirings,
  type FiredAgent,
  type Receive,
  type UnlistedBars,
} from "./deliver-firings.ts";
import { MAX_SIGNAL_AGE_SECONDS } from "../../../domain/freshness.ts";
import { barSpanAt, type Bar } from "../../../strategy/bar-times.ts";
import type { ConditionFiring } from "../../../strategy/firing.ts";

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

interface FeedDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly historyOf: (network: Network) => CandleHistory;
  readonly receive: Receive;
  /** Absent: all agents are this server's. */
  readonly shares?: AgentShares;
  readonly onError: (error: unknown) => void;
}

/** Maximum number of a downtime's bars that are evaluated afterwards; one summary per alert stands for earlier ones. */
const MAX_MISSED_BARS = 2_000;

/** Maximum time between two turns of the event loop, in milliseconds. */
const TURN_MS = 10;

/** Result of evaluating a feed up to a bar's close. */
interface FeedOutcome {
  readonly agents: readonly ConditionAgent[];
  /**
   * `more`: agents wait for the next round. `late`: a bar may still arrive, or an agent changed meanwhile. `failed`: the
   * source does not answer.
   */
  readonly state: "done" | "more" | "late" | "failed";
  /** Fault of the source in one sentence; null when there is none. */
  readonly trouble: string | null;
}

/**
 * Evaluates every bar of a feed that closed by `closeMs` and delivers the firings, for each agent from its last
 * evaluated bar.
 */
async function evaluateFeed(
  deps: FeedDeps,
  feed: ConditionFeed,
  evaluators: AgentEvaluators,
  closeMs: number,
): Promise<FeedOutcome> {
  const listed = await listConditionAgents(deps.db, feed.markets);
  const agents = listed.filter(({ agentId }) => deps.shares?.owns(agentId) ?? true);
  evaluators.keepOnly(new Set(agents.map(({ agentId }) => agentId)));
  const found = await findDue(deps.db, feed, agents, closeMs);
  if (found.length === 0) return { agents, state: "done", trouble: null };
  const round = agentsOfRound(found, evaluators);
  const history = deps.historyOf(feed.network);
  const answer = await readBars(history, feed, evaluators, round, closeMs).catch(orSourceError);
  if (answer instanceof CandleSourceError) {
    return { agents, state: "failed", trouble: `${answer.message}.` };
  }
  // An asset that cannot be read keeps waiting only those who read it
  const due = round.filter(
    ({ agent }) => !assetsOf(agent).some((each) => answer.missing.has(each)),
  );
  const [failure] = answer.missing.values();
  if (due.length === 0) return { agents, state: "failed", trouble: `${failure?.message}.` };
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
  if (failure !== undefined) return { agents, state: "failed", trouble: `${failure.message}.` };
  const isDone = usable.decidedToMs >= closeMs && unfinished.size === 0;
  const state = isDone ? (due.length < found.length ? "more" : "done") : "late";
  return { agents, state, trouble: usable.trouble };
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
): Promise<BesideAnswer> {
  const assets = [...new Set(due.flatMap(({ agent }) => assetsOf(agent)))].toSorted();
  const read = () => {
    const fromMs = due.reduce(
      (least, each) => Math.min(least, evaluators.neededFromMs(each)),
      toMs,
    );
    return readBeside(history, { symbol, intervalMinutes, fromMs, toMs }, assets);
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

export interface ConditionRunnerDeps extends Omit<FeedDeps, "onError"> {
  readonly publisher: StalePublisher;
  readonly log: { warn(detail: object, message: string): void };
}

/** Evaluates the agents' own conditions when bars close. */
export interface ConditionRunner {
  /** Evaluates all due bars and resolves when the firings are stored. */
  round(): Promise<void>;
  counts(): { readonly feeds: number; readonly troubled: number; readonly agents: number };
  start(): void;
  stop(): Promise<void>;
}

const ROUND_MS = 500;
const MINUTE_MS = 60_000;

/** Number of feeds evaluated concurrently. */
const MAX_FEEDS_AT_ONCE = 4;

/** Retry interval for a bar that is slightly late, in milliseconds; longer when a source fails or is wrong. */
const LOOK_AGAIN_MS = 2_000;
const AFTER_TROUBLE_MS = 15_000;
const AFTER_FAILURE_MS = 5_000;

function pauseAfter({ state, trouble }: FeedOutcome): number {
  if (state === "failed") return AFTER_FAILURE_MS;
  if (state === "more") return 0;
  return trouble === null ? LOOK_AGAIN_MS : AFTER_TROUBLE_MS;
}

interface FeedState {
  readonly feed: ConditionFeed;
  readonly evaluators: AgentEvaluators;
  doneToMs: number;
  notBeforeMs: number;
  agents: number;
  /** Undefined until the feed is evaluated here: another process may have stored one. */
  trouble: FeedTrouble | null | undefined;
}

/**
 * Checks twice a second whether a bar of any feed closed, for this server's share of the agents. Where two servers
 * evaluate one, the first stores the firing and the other finds it stored.
 */
export function createConditionRunner(deps: ConditionRunnerDeps): ConditionRunner {
  const { db, clock, log } = deps;
  const states = new Map<string, FeedState>();
  let changesSeen = deps.shares?.changes();
  let listedMinute = Number.NaN;
  const feedDeps: FeedDeps = {
    ...deps,
    onError: (error) => log.warn({ err: error }, "condition's firing not stored"),
  };

  /** Lists the feeds, once a minute, because bars close on whole minutes. */
  async function listFeeds(nowMs: number): Promise<void> {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute === listedMinute) return;
    const feeds = toFeeds(await listConditionMarkets(db));
    const keys = new Set(feeds.map(({ key }) => key));
    await keepFeedTroubles(db, [...keys]);
    for (const key of states.keys()) if (!keys.has(key)) states.delete(key);
    for (const feed of feeds) {
      const known = states.get(feed.key);
      const evaluators = known?.evaluators ?? createAgentEvaluators(feed.intervalMinutes);
      const fresh = { doneToMs: 0, notBeforeMs: 0, agents: 0, trouble: undefined };
      states.set(feed.key, { ...fresh, ...known, feed, evaluators });
    }
    listedMinute = minute;
  }

  async function evaluate(state: FeedState, closeMs: number): Promise<void> {
    try {
      const outcome = await evaluateFeed(feedDeps, state.feed, state.evaluators, closeMs);
      if (outcome.state === "done") state.doneToMs = closeMs;
      else state.notBeforeMs = clock.now() + pauseAfter(outcome);
      state.agents = outcome.agents.length;
      await tell(state, outcome);
    } catch (error) {
      state.notBeforeMs = clock.now() + AFTER_FAILURE_MS;
      throw error;
    }
  }

  async function tell(state: FeedState, { agents, trouble }: FeedOutcome): Promise<void> {
    const before = state.trouble;
    const after =
      trouble === null ? null : { text: trouble, sinceMs: before?.sinceMs ?? clock.now() };
    const { key } = state.feed;
    if (before === undefined || before?.text !== after?.text) await saveFeedTrouble(db, key, after);
    state.trouble = after;
    if (before?.text === after?.text) return;
    if (trouble !== null) log.warn({ feed: key, trouble }, "conditions cannot be evaluated");
    for (const { owner, agentId } of agents) {
      deps.publisher.publish(owner, { topic: "agent", id: agentId });
    }
  }

  async function round(): Promise<void> {
    const nowMs = clock.now();
    await listFeeds(nowMs);
    const changes = deps.shares?.changes();
    // A bar may be done for the agents that were this server's, and not for those that came
    if (changes !== changesSeen) for (const state of states.values()) state.doneToMs = 0;
    changesSeen = changes;
    const due = [...states.values()].flatMap((state) => {
      const closeMs = lastCloseAt(state.feed.intervalMinutes, nowMs);
      return closeMs > state.doneToMs && nowMs >= state.notBeforeMs ? [{ state, closeMs }] : [];
    });
    const work = async () => {
      for (let next = due.shift(); next !== undefined && !rounds.isStopped(); next = due.shift()) {
        await evaluate(next.state, next.closeMs);
      }
    };
    const results = await Promise.allSettled(Array.from({ length: MAX_FEEDS_AT_ONCE }, work));
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  const rounds = repeatTask({
    task: round,
    pauseMs: ROUND_MS,
    pauseAfterFailureMs: AFTER_FAILURE_MS,
    onFailure: (error) => log.warn({ err: error }, "conditions not evaluated"),
  });

  return {
    round,
    counts: () => ({
      feeds: states.size,
      troubled: [...states.values()].filter(({ trouble }) => trouble?.text !== undefined).length,
      agents: [...states.values()].reduce((sum, { agents }) => sum + agents, 0),
    }),
    start: rounds.start,
    stop: rounds.stop,
  };
}
