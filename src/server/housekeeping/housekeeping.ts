import type { Clock } from "../../domain/clock.ts";
import { repeatTask } from "../pacing/repeat-task.ts";
import type { Db } from "../store/postgres/db.ts";
import { deleteOldAlertEvents, findOldestAlertEvent } from "../store/alerts/alert-events.ts";
import { deleteOldOwnerFees } from "../store/lanes/count-sent-orders.ts";
import { deleteOldFaucetUses } from "../store/practice/faucet-uses.ts";
import { thinEquityPoints } from "../store/ledger/equity-points.ts";
import { deleteExpiredNonces, deleteExpiredSessions } from "../store/auth/sessions.ts";
import { deleteOldProposals } from "../store/agents/proposals.ts";
import { deleteOldTallies } from "../store/health/open-work.ts";
import { deleteOldPriceGaps } from "../store/market-data/paper-feed.ts";
import { deleteOldReadTokens } from "../store/auth/read-tokens.ts";
import { deleteOldCodes } from "../store/notices/notice-codes.ts";
import { deleteOldNotices } from "../store/notices/notices.ts";
import { deleteOldUntradedLines, findOldestLine } from "../store/trade-log/untraded-lines.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A kind of row with how long it is kept after its last use, milliseconds. */
interface Retention {
  readonly name:
    | "nonces"
    | "sessions"
    | "untradedLines"
    | "alertEvents"
    | "faucetUses"
    | "ownerFees"
    | "equityPoints"
    | "readTokens"
    | "notices"
    | "noticeCodes"
    | "proposals"
    | "priceGaps"
    | "orderTallies";
  readonly keptMs: number;
  /** Removes at most `limit` rows from before a time and returns how many. */
  readonly removeBatch: (db: Db, before: number, limit: number, from?: number) => Promise<number>;
  /**
   * Time of the oldest row. Present where most rows stay: they are then looked through once, in steps from the oldest
   * on, and not again for every batch.
   */
  readonly oldest?: (db: Db) => Promise<number | null>;
}

/**
 * The only rows that are ever deleted. Everything else is kept: sent orders with their trade log, the book, custody, chats, the audit.
 *
 * A session's refresh tokens go with it. An alert event is what a repeat is recognised by: repeats are refused as
 * stale after five minutes, so thirty days leave a wide margin over the seven that must be kept.
 */
const RETENTIONS: readonly Retention[] = [
  { name: "nonces", keptMs: 5 * MINUTE_MS, removeBatch: deleteExpiredNonces },
  { name: "sessions", keptMs: 0, removeBatch: deleteExpiredSessions },
  // Before the alerts: one that led only to a denied order is then free to go too
  {
    name: "untradedLines",
    keptMs: 30 * DAY_MS,
    removeBatch: deleteOldUntradedLines,
    oldest: findOldestLine,
  },
  {
    name: "alertEvents",
    keptMs: 30 * DAY_MS,
    removeBatch: deleteOldAlertEvents,
    oldest: findOldestAlertEvent,
  },
  { name: "faucetUses", keptMs: 7 * DAY_MS, removeBatch: deleteOldFaucetUses },
  // Only today's count; the others tell an operator who used the fee payer
  { name: "ownerFees", keptMs: 30 * DAY_MS, removeBatch: deleteOldOwnerFees },
  // The last of each day stays, and what came in or went out
  { name: "equityPoints", keptMs: 90 * DAY_MS, removeBatch: thinEquityPoints },
  { name: "readTokens", keptMs: 30 * DAY_MS, removeBatch: deleteOldReadTokens },
  { name: "proposals", keptMs: 30 * DAY_MS, removeBatch: deleteOldProposals },
  { name: "priceGaps", keptMs: 365 * DAY_MS, removeBatch: deleteOldPriceGaps },
  { name: "orderTallies", keptMs: 2 * DAY_MS, removeBatch: deleteOldTallies },
  { name: "notices", keptMs: 30 * DAY_MS, removeBatch: deleteOldNotices },
  // Codes to one address are counted over a day
  { name: "noticeCodes", keptMs: 2 * DAY_MS, removeBatch: deleteOldCodes },
];

const INTERVAL_MS = 5 * 60_000;

/** Most rows one statement deletes, so that locks are held briefly. */
const BATCH_ROWS = 500;

/** First step through rows most of which stay, milliseconds; where nothing is removed the next is twice as long. */
const STEP_MS = 10 * 60_000;

/**
 * Rows this much younger than the newest removed ones are looked at again in the next round, milliseconds: what keeps an
 * alert, an order that came to nothing, is removed by its own time, which is a little later.
 */
const AGAIN_MS = 60 * 60_000;

/** Deletes rows that are no longer needed. Several servers may run it at once: each row is deleted once. */
export function createHousekeeping(deps: {
  readonly db: Db;
  readonly clock: Clock;
  /** Called when a kind could not be deleted; the next round tries again. */
  readonly onFailure: (error: unknown) => void;
  readonly batchRows?: number;
  readonly intervalMs?: number;
}) {
  const { db, clock, onFailure, batchRows = BATCH_ROWS, intervalMs = INTERVAL_MS } = deps;
  /** Until when all of a kind is removed, so that what stays is not looked through again. */
  const doneUntil = new Map<Retention["name"], number>();

  async function removeBetween({ removeBatch }: Retention, before: number, from?: number) {
    let removed = 0;
    while (!rounds.isStopped()) {
      const count = await removeBatch(db, before, batchRows, from);
      removed += count;
      if (count < batchRows) break;
    }
    return removed;
  }

  async function remove(retention: Retention): Promise<number> {
    const { name, keptMs, oldest } = retention;
    const before = clock.now() - keptMs;
    if (oldest === undefined) return removeBetween(retention, before);
    let removed = 0;
    const from = doneUntil.get(name) ?? (await oldest(db)) ?? before;
    let stepMs = STEP_MS;
    for (let at = from; at < before && !rounds.isStopped();) {
      const until = Math.min(at + stepMs, before);
      const count = await removeBetween(retention, until, at);
      removed += count;
      stepMs = count === 0 ? 2 * stepMs : STEP_MS;
      at = until;
    }
    if (!rounds.isStopped()) doneUntil.set(name, Math.max(from, before - AGAIN_MS));
    return removed;
  }

  /** Deletes what is due and returns the number of rows by kind; the failure of one kind does not stop the others. */
  async function run(): Promise<Readonly<Record<Retention["name"], number>>> {
    const removed = Object.fromEntries(RETENTIONS.map(({ name }) => [name, 0])) as Record<
      Retention["name"],
      number
    >;
    for (const retention of RETENTIONS) {
      try {
        removed[retention.name] = await remove(retention);
      } catch (error) {
        onFailure(error);
      }
    }
    return removed;
  }

  const rounds = repeatTask({ task: run, pauseMs: intervalMs, onFailure });
  return { run, start: rounds.start, stop: rounds.stop };
}

export type Housekeeping = ReturnType<typeof createHousekeeping>;
