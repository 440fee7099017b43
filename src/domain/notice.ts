import type { PlanAct } from "./plan/plan.ts";

/** Events an owner can be notified of outside the page. */
export const NOTICE_KINDS = [
  "trade_filled",
  "trade_failed",
  "stop_hit",
  "target_hit",
  "stop_missing",
  "limit_reached",
  "trading_stopped",
  "custody_changed",
  "balance_mismatch",
  "source_silent",
  "order_unknown",
  "low_sol",
  "new_browser",
  "proposal_made",
  "assistant_limited",
] as const;

export type NoticeKind = (typeof NOTICE_KINDS)[number];

/**
 * Every kind of message sent over a channel: an event, a test the owner asked for, the code that confirms an address,
 * or that the channel is told less or nothing from now on.
 */
export const SENT_KINDS = [...NOTICE_KINDS, "test", "code", "muted"] as const;

export type SentKind = (typeof SENT_KINDS)[number];

/** Sent in quiet hours too: money may be at stake, or the owner has just asked for it. */
export const URGENT_KINDS: readonly SentKind[] = [
  "custody_changed",
  "balance_mismatch",
  "order_unknown",
  "stop_hit",
  "stop_missing",
  "new_browser",
  "test",
  "code",
  "muted",
];

/** Parts of a plan whose fills are told as its stop, and as a target. */
export const STOP_ACTS: readonly PlanAct[] = ["stop", "trail", "break_even", "no_stop"];
export const TARGET_ACTS: readonly PlanAct[] = ["target_1", "target_2", "target_3", "target_4"];

/** Reasons in the log that mean a limit blocked an order. */
export const LIMIT_REASONS: readonly string[] = [
  "limit_used",
  "spending_limit",
  "too_many_orders",
  "too_many_orders_of_owner",
  "fee_budget_used",
  "signing_limit",
  "loss_limit",
  "failures",
];

/** Reasons in the log that are not failures: the requested state already held. */
export const NO_FAILURE_REASONS: readonly string[] = [
  "already_long",
  "position_full",
  "adds_done",
  "already_short",
  "nothing_to_close",
  "both_sides",
  "joined_exit",
];

/**
 * Daily period in which only urgent notices are sent, in minutes after midnight of a time zone; it may cross midnight.
 */
export interface QuietHours {
  readonly fromMinute: number;
  readonly toMinute: number;
  /** Name from the time zone database, for instance Europe/Berlin. */
  readonly zone: string;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** Returns the end of the quiet hours that hold now, Unix milliseconds; null outside of them. */
export function quietUntil(quiet: QuietHours | null, nowMs: number): number | null {
  if (quiet === null || quiet.fromMinute === quiet.toMinute) return null;
  const minute = minuteOfDay(quiet.zone, nowMs);
  const since = (minute - quiet.fromMinute + DAY_MINUTES) % DAY_MINUTES;
  const length = (quiet.toMinute - quiet.fromMinute + DAY_MINUTES) % DAY_MINUTES;
  if (since >= length) return null;
  return Math.floor(nowMs / MINUTE_MS) * MINUTE_MS + (length - since) * MINUTE_MS;
}

function minuteOfDay(zone: string, nowMs: number): number {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(nowMs);
  // oxlint-disable-next-line house/no-float-money -- minutes of a day
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value ?? 0);
  return of("hour") * 60 + of("minute");
}
