import type { Clock } from "../../domain/clock.ts";
import { repeatTask } from "../pacing/repeat-task.ts";

/** A reading of the database's clock. Milliseconds since the Unix epoch. */
export interface TimeReading {
  /** The clock's present time. */
  readonly shownMs: number;
  /** The latest time that it showed to any server. */
  readonly latestMs: number;
}

/** The database's time, extrapolated by this process between two readings. Never goes backwards. */
export interface SteadyClock extends Clock {
  /** Reads the database's clock once; needed before the first `now`. */
  sync(): Promise<void>;
  /** Reads it periodically; a failed reading is skipped. */
  start(): void;
  stop(): Promise<void>;
}

export interface SteadyClockDeps {
  readonly read: () => Promise<TimeReading>;
  /** Monotonic milliseconds since an arbitrary origin. */
  readonly monotonicMs: () => number;
  /** Called once, with the milliseconds, when the database's clock went back, until it is right again. */
  readonly onBehind: (behindMs: number) => void;
  /** The clock of a machine that takes no reading beyond it; absent: the database is believed. */
  readonly machine?: MachineClock;
  readonly intervalMs?: number;
}

interface MachineClock {
  readonly nowMs: () => number;
  /** Called once, with the milliseconds, when the database was further ahead, until it no longer is. */
  readonly onAhead: (aheadMs: number) => void;
}

const INTERVAL_MS = 10_000;

/** Difference between this machine's clock and the database's, in milliseconds, beyond which one of them is wrong. */
const MAX_DIFFERENCE_MS = 30_000;

/** Maximum divergence of two clocks between readings; more means that one was set. */
const APART_MS = 2_000;

/** Returns a reading as far as a machine's clock allows. */
function createBound(machine: MachineClock | undefined): (reading: TimeReading) => TimeReading {
  if (machine === undefined) return (reading) => reading;
  let wasAhead = false;
  return ({ shownMs, latestMs }) => {
    const nowMs = machine.nowMs();
    const mostMs = nowMs + MAX_DIFFERENCE_MS;
    const aheadMs = Math.max(shownMs, latestMs) - nowMs;
    const isAhead = aheadMs > MAX_DIFFERENCE_MS;
    if (isAhead && !wasAhead) machine.onAhead(aheadMs);
    wasAhead = isAhead;
    return { shownMs: Math.min(shownMs, mostMs), latestMs: Math.min(latestMs, mostMs) };
  };
}

export function createSteadyClock(deps: SteadyClockDeps): SteadyClock {
  const { monotonicMs, intervalMs = INTERVAL_MS } = deps;
  const bounded = createBound(deps.machine);
  /** The database's time when `monotonicMs` was 0. */
  let offsetMs: number | null = null;
  let lastMs = 0;
  let isBehind = false;

  const now = (): number => {
    if (offsetMs === null) throw new Error("The clock was not read yet.");
    lastMs = Math.max(lastMs, Math.floor(offsetMs + monotonicMs()));
    return lastMs;
  };

  async function sync(): Promise<void> {
    const sentMs = monotonicMs();
    const { shownMs, latestMs } = bounded(await deps.read());
    const receivedMs = monotonicMs();
    // The reading was made between request and response, so the offset lies between these two
    const least = Math.max(shownMs, latestMs) - receivedMs;
    const most = shownMs - sentMs;
    const offset = Math.max(offsetMs ?? least, least);
    const behindMs = offset - most;
    if (behindMs > APART_MS && !isBehind) deps.onBehind(behindMs);
    isBehind = behindMs > APART_MS;
    offsetMs = isBehind ? offset : Math.min(offset, most);
  }

  // Other users of the database report that it is unreachable
  const rounds = repeatTask({ task: sync, pauseMs: intervalMs, onFailure: () => {} });
  return { now, sync, start: rounds.start, stop: rounds.stop };
}

/**
 * Tells how far this machine's clock is from the database's, by which everything goes. `onWrong` is called once, and
 * again after the clocks agreed meanwhile.
 */
export function createClockDifference(onWrong: (seconds: number) => void) {
  let differenceMs = 0;
  let isWrong = false;
  const seconds = (): number => Math.round(differenceMs / 1_000);
  return {
    /** Notes both times, read in the same moment. */
    note(machineMs: number, databaseMs: number): void {
      differenceMs = machineMs - databaseMs;
      const wasWrong = isWrong;
      isWrong = Math.abs(differenceMs) > MAX_DIFFERENCE_MS;
      if (isWrong && !wasWrong) onWrong(seconds());
    },
    /** The machine's clock minus the database's at the last reading, in seconds. */
    seconds,
    /** The same while it is more than it may be, else null. */
    wrongSeconds: (): number | null => (isWrong ? seconds() : null),
  };
}

export type ClockDifference = ReturnType<typeof createClockDifference>;
