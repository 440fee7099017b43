import { found } from "../../contract/errors.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { ROUTES } from "../../contract/routes.ts";
import { HEALTH_LIMITS_MS } from "../../domain/agent-health.ts";
import type { Clock } from "../../domain/clock.ts";
import type { AgentId } from "../../domain/ids.ts";
import { parseInterval } from "../../domain/interval.ts";
import { shownVenue } from "../../domain/venue-id.ts";
import { feedKeyOf } from "../alert-sources/conditions/condition-feed.ts";
import { lastCloseAt } from "../market-data/candle-history.ts";
import { readLook } from "../store/health/outside-looks.ts";
import { type HealthRecord, readHealth, readFillTimes } from "../store/health/agent-health.ts";
import { type FeedTrouble, readFeedTroubles } from "../store/alerts/conditions.ts";
import { type LastReading, findLastReading } from "../store/reconcile/last-readings.ts";
import type { Db } from "../store/postgres/db.ts";
import { listLedgerMarks } from "../store/ledger/ledger-marks.ts";
import type { Handlers } from "../http/handler.ts";
import { presentCheck } from "./ledger.ts";

type Health = ResponseOf<typeof ROUTES.getAgentHealth>;

interface HealthDeps {
  readonly db: Db;
  readonly clock: Clock;
}

/** Answers the health call from the records and the last reading of the agent, without a chain request. */
export function agentHealthHandlers(deps: HealthDeps) {
  return {
    getAgentHealth: ({ params }) => showHealth(deps, params.agentId),
  } satisfies Partial<Handlers>;
}

/** Returns an agent's health. */
export async function showHealth(deps: HealthDeps, agentId: AgentId): Promise<Health> {
  const nowMs = deps.clock.now();
  const record = found(await readHealth(deps.db, agentId));
  const { heardAt, heardOutcome, unsettled, unsettledSince } = record;
  const reading = await findLastReading(deps.db, agentId);
  const troubles = await readFeedTroubles(deps.db);
  return {
    at: timeOf(nowMs),
    isTrading: record.autoTrade === "on",
    awaitsAlerts: record.awaitsAlerts,
    lastAlert:
      heardAt === null || heardOutcome === null
        ? null
        : { at: heardAt.toISOString(), outcome: heardOutcome },
    candles: candlesOf(record, nowMs, troubles.get(feedKeyOf(record) ?? "") ?? null),
    reconciledAt: reading === null || reading.doneAtMs === null ? null : timeOf(reading.doneAtMs),
    book: await readCheck(deps.db, agentId),
    venue: {
      id: shownVenue(record.venue),
      ...(await readStop(deps.db, record)),
      ...answering(reading, nowMs),
    },
    key: reading?.key ?? null,
    stopMissingSince: record.stopMissingSince?.toISOString() ?? null,
    fills: await fillsOf(deps.db, agentId, nowMs),
    unsettled: {
      orders: unsettled,
      ...(unsettledSince === null ? {} : { since: unsettledSince.toISOString() }),
    },
  };
}

async function fillsOf(db: Db, agentId: AgentId, nowMs: number): Promise<Health["fills"]> {
  const since = new Date(nowMs - HEALTH_LIMITS_MS.fills);
  const [times] = await readFillTimes(db, { since, agentId });
  if (times === undefined) return null;
  const { fills, p50Ms, p95Ms } = times;
  return { count: fills, p50Ms: Math.round(p50Ms), p95Ms: Math.round(p95Ms) };
}

async function readCheck(db: Db, agentId: AgentId): Promise<Health["book"]> {
  const [mark] = await listLedgerMarks(db, { agentId });
  if (mark === undefined) return { state: "unchecked" };
  const { state, checkedAt, since } = presentCheck(mark);
  return { state, ...(checkedAt && { checkedAt }), ...(since && { since }) };
}

/** Returns what outside keeps the agents of a network or venue from trading, and since when, as the last look found it. */
async function readStop(db: Db, { network, venue }: HealthRecord) {
  const stop = (await readLook(db)).findings.find(
    (each) =>
      each.state !== "works" &&
      each.network === network &&
      (each.venue === undefined || each.venue === venue),
  );
  return stop && { since: timeOf(stop.sinceMs), reason: stop.text };
}

/** Returns the venue's health; an agent skipped because its chain answered for none does not count as answered. */
function answering(reading: LastReading | null, nowMs: number): Omit<Health["venue"], "id"> {
  if (reading === null) return { isAnswering: null };
  const { doneAtMs, failingSinceMs, reason } = reading;
  if (failingSinceMs !== null) {
    const why = reason === null ? {} : { reason };
    return { isAnswering: false, since: timeOf(failingSinceMs), ...why };
  }
  const isFresh = doneAtMs !== null && nowMs - doneAtMs <= HEALTH_LIMITS_MS.reconcile;
  return { isAnswering: isFresh ? true : null };
}

function candlesOf(
  { hasConditions, autoTrade, evaluatedTo, interval }: HealthRecord,
  nowMs: number,
  trouble: FeedTrouble | null,
): Health["candles"] {
  if (!hasConditions) return null;
  if (autoTrade !== "on") return { state: "resting" };
  if (trouble !== null) {
    return { state: "missing", reason: trouble.text, since: timeOf(trouble.sinceMs) };
  }
  if (evaluatedTo === null) return { state: "waiting" };
  const minutes = parseInterval(interval)?.minutes;
  if (minutes === undefined) return { state: "waiting" };
  const dueMs = lastCloseAt(minutes, nowMs - HEALTH_LIMITS_MS.candles);
  if (evaluatedTo.getTime() >= dueMs) return { state: "on_time" };
  return { state: "late", since: timeOf(dueMs) };
}

const timeOf = (ms: number): string => new Date(ms).toISOString();
