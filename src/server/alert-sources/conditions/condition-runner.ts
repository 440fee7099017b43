import { lastCloseAt } from "../../market-data/candle-history.ts";
import type { StalePublisher } from "../../stale-publisher.ts";
import { repeatTask } from "../../pacing/repeat-task.ts";
import { listConditionMarkets } from "../../store/alerts/conditions.ts";
import {
  type FeedTrouble,
  keepFeedTroubles,
  saveFeedTrouble,
} from "../../store/alerts/feed-troubles.ts";
import { type AgentEvaluators, createAgentEvaluators } from "./agent-evaluators.ts";
import { type ConditionFeed, toFeeds } from "./condition-feed.ts";
import { evaluateFeed, type FeedDeps, type FeedOutcome } from "./evaluate-feed.ts";

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
