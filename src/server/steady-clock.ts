import type { Clock } from "../domain/clock.ts";
import { createRounds } from "./rounds.ts";

/** A reading of the database's clock. Milliseconds since the Unix epoch. */
export interface TimeReading {
  /** What its clock shows now. */
  readonly shownMs: number;
  /** The latest it ever showed, or a server ever went by; at least `shownMs`. */
  readonly latestMs: number;
}

/** The database's time, carried on by this process between two readings. Never goes backwards. */
export interface SteadyClock extends Clock {
  /** Reads the database's clock once; needed before the first `now`. */
  sync(): Promise<void>;
  /** Reads it again and again; a reading that fails is left out. */
  start(): void;
  stop(): Promise<void>;
}

export interface SteadyClockDeps {
  /** Reads the database's clock and has it remember that it is at least this late. */
  readonly read: (atLeastMs: number) => Promise<TimeReading>;
  /** Milliseconds since some moment, by a clock nobody sets. */
  readonly monotonicMs: () => number;
  /** Called when the database's clock went back by so much, once until it is right again. */
  readonly onBehind: (behindMs: number) => void;
  readonly intervalMs?: number;
}

const INTERVAL_MS = 10_000;

/** What two clocks may run apart between readings; more means that one was set. */
const APART_MS = 2_000;

export function createSteadyClock(deps: SteadyClockDeps): SteadyClock {
  const { monotonicMs, intervalMs = INTERVAL_MS } = deps;
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
    const { shownMs, latestMs } = await deps.read(offsetMs === null ? 0 : now());
    const receivedMs = monotonicMs();
    // The reading was made between asking and hearing: the offset lies between these two
    const least = Math.max(shownMs, latestMs) - receivedMs;
    const most = shownMs - sentMs;
    const offset = Math.max(offsetMs ?? least, least);
    const behindMs = offset - most;
    if (behindMs > APART_MS && !isBehind) deps.onBehind(behindMs);
    isBehind = behindMs > APART_MS;
    offsetMs = isBehind ? offset : Math.min(offset, most);
  }

  // Whoever needs the database reports that it cannot be reached
  const rounds = createRounds({ round: sync, pauseMs: intervalMs, onFailure: () => {} });
  return { now, sync, start: rounds.start, stop: rounds.stop };
}
