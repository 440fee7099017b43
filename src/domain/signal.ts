/** Every signal the rule engine can produce. */
export const SIGNALS = [
  "OPEN_LONG",
  "OPEN_SHORT",
  "CLOSE_LONG",
  "CLOSE_SHORT",
  "RESET_OPEN_LONG",
  "RESET_OPEN_SHORT",
  "RESET_CLOSE_LONG",
  "RESET_CLOSE_SHORT",
] as const;

export type Signal = (typeof SIGNALS)[number];

export type OrderSignal = Extract<
  Signal,
  "OPEN_LONG" | "OPEN_SHORT" | "CLOSE_LONG" | "CLOSE_SHORT"
>;

export type ResetSignal = Exclude<Signal, OrderSignal>;

/** Returns whether the signal closes a position, or part of it. */
export function isCloseSignal(signal: Signal): boolean {
  return signal === "CLOSE_LONG" || signal === "CLOSE_SHORT";
}

/** Returns whether the signal only resets counters. */
export function isResetSignal(signal: Signal): signal is ResetSignal {
  return signal.startsWith("RESET_");
}

/** Returns the signal whose rules a reset sets to zero. */
export function resetTarget(signal: ResetSignal): OrderSignal {
  switch (signal) {
    case "RESET_OPEN_LONG":
      return "OPEN_LONG";
    case "RESET_OPEN_SHORT":
      return "OPEN_SHORT";
    case "RESET_CLOSE_LONG":
      return "CLOSE_LONG";
    case "RESET_CLOSE_SHORT":
      return "CLOSE_SHORT";
  }
}
