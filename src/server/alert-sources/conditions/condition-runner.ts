import { lastCloseAt } from "../../market-data/candle-history.ts";
import type { StalePublisher } from "../../stale-publisher.ts";
import { createRounds } from "../../rounds.ts";
import { type ConditionMarket, listConditionMarkets } from "../../store/alerts/conditions.ts";
import { type AgentEvaluators, createAgentEvaluators } from "./agent-evaluators.ts";
import { type ConditionFeed, feedKeyOf, toFeeds } from "./condition-feed.ts";
import { evaluateFeed, type FeedDeps, type FeedOutcome } from "./evaluate-feed.ts";

export interface ConditionRunnerDeps extends Omit<FeedDeps, "onError"> {
  readonly publisher: StalePublisher;
  readonly log: { warn(detail: object, message: string): void };
}

/** Reason why conditions on a market cannot fire at present. */
export interface FeedTrouble {
  /** One sentence. */
  readonly text: string;
  readonly sinceMs: number;
}

/** Evaluates the agents' own conditions when bars close. */
export interface ConditionRunner {
  /** Evaluates all due bars and resolves when the firings are stored. */
  round(): Promise<void>;
  /** Returns why an agent's conditions cannot be evaluated; null when they can. */
  troubleOf(market: ConditionMarket): FeedTrouble | null;
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
  return trouble === null ? LOOK_AGAIN_MS : AFTER_TROUBLE_MS;
}

interface FeedState {
  readonly feed: ConditionFeed;
  readonly evaluators: AgentEvaluators;
  doneToMs: number;
  notBeforeMs: number;
  agents: number;
  trouble: FeedTrouble | null;
}

/**
 * Checks twice a second whether a bar of any feed closed. Every server of a database does so: the first one stores the
 * firing, the others find it stored.
 */
export function createConditionRunner(deps: ConditionRunnerDeps): ConditionRunner {
  const { db, clock, log } = deps;
  const states = new Map<string, FeedState>();
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
    for (const key of states.keys()) if (!keys.has(key)) states.delete(key);
    for (const feed of feeds) {
      const known = states.get(feed.key);
      const evaluators = known?.evaluators ?? createAgentEvaluators(feed.intervalMinutes);
      const fresh = { doneToMs: 0, notBeforeMs: 0, agents: 0, trouble: null };
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
      tell(state, outcome);
    } catch (error) {
      state.notBeforeMs = clock.now() + AFTER_FAILURE_MS;
      throw error;
    }
  }

  function tell(state: FeedState, { agents, trouble }: FeedOutcome): void {
    const before = state.trouble;
    state.trouble =
      trouble === null ? null : { text: trouble, sinceMs: before?.sinceMs ?? clock.now() };
    if (before?.text === state.trouble?.text) return;
    const { key } = state.feed;
    if (trouble !== null) log.warn({ feed: key, trouble }, "conditions cannot be evaluated");
    for (const { owner, agentId } of agents) {
      deps.publisher.publish(owner, { topic: "agent", id: agentId });
    }
  }

  async function round(): Promise<void> {
    const nowMs = clock.now();
    await listFeeds(nowMs);
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

  const rounds = createRounds({
    round,
    pauseMs: ROUND_MS,
    pauseAfterFailureMs: AFTER_FAILURE_MS,
    onFailure: (error) => log.warn({ err: error }, "conditions not evaluated"),
  });

  return {
    round,
    troubleOf(market) {
      const key = feedKeyOf(market);
      return key === null ? null : (states.get(key)?.trouble ?? null);
    },
    counts: () => ({
      feeds: states.size,
      troubled: [...states.values()].filter(({ trouble }) => trouble !== null).length,
      agents: [...states.values()].reduce((sum, { agents }) => sum + agents, 0),
    }),
    start: rounds.start,
    stop: rounds.stop,
  };
}
