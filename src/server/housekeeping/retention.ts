import { deleteOldAlertEvents, findOldestAlertEvent } from "../store/alerts/alert-events.ts";
import type { Db } from "../store/postgres/db.ts";
import { deleteOldOwnerFees } from "../store/orders/owner-fees.ts";
import { deleteOldFaucetUses } from "../store/practice/faucet-uses.ts";
import { thinEquityPoints } from "../store/ledger/equity-points.ts";
import { deleteExpiredNonces } from "../store/auth/sessions.ts";
import { deleteOldReadTokens } from "../store/auth/read-tokens.ts";
import { deleteOldCodes } from "../store/notices/notice-codes.ts";
import { deleteOldNotices } from "../store/notices/notices.ts";
import { deleteExpiredSessions } from "../store/auth/sessions.ts";
import { deleteOldUntradedLines, findOldestLine } from "../store/trade-log/untraded-lines.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A kind of row with how long it is kept after its last use, milliseconds. */
export interface Retention {
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
    | "noticeCodes";
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
export const RETENTIONS: readonly Retention[] = [
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
  { name: "notices", keptMs: 30 * DAY_MS, removeBatch: deleteOldNotices },
  // Codes to one address are counted over a day
  { name: "noticeCodes", keptMs: 2 * DAY_MS, removeBatch: deleteOldCodes },
];
