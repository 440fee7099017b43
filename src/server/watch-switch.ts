import type { TradingState } from "../domain/trading-state.ts";
import { createRounds } from "./rounds.ts";

/**
 * Pause between two readings in milliseconds. With the limits of a reading it keeps the promise that every server stops
 * within two seconds.
 */
const PAUSE_MS = 500;

/** The operator's switch in the database as last read. While the database does not answer, it keeps its state. */
export interface SwitchWatch {
  state(): TradingState;
  /** Reads once; needed before the first `state`. Throws when the database does not answer. */
  sync(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Creates a watch that reads the switch again and again. */
export function watchSwitch(deps: {
  readonly read: () => Promise<TradingState>;
  /** Called once per change after the first reading. */
  readonly onChange?: (state: TradingState) => void;
  readonly pauseMs?: number;
}): SwitchWatch {
  let last: TradingState | null = null;
  async function sync(): Promise<void> {
    const state = await deps.read();
    const isChange = last !== null && last !== state;
    last = state;
    if (isChange) deps.onChange?.(state);
  }
  // Whoever else uses the database reports that it does not answer
  const rounds = createRounds({
    round: sync,
    pauseMs: deps.pauseMs ?? PAUSE_MS,
    onFailure: () => {},
  });
  return {
    state() {
      if (last === null) throw new Error("The switch was not read yet.");
      return last;
    },
    sync,
    start: rounds.start,
    stop: rounds.stop,
  };
}
