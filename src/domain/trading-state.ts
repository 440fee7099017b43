/** What an agent may do, from loosest to strictest: everything, only reduce its exposure, or nothing. */
export const TRADING_STATES = ["active", "reducing", "halted"] as const;

export type TradingState = (typeof TRADING_STATES)[number];

/** Returns the strictest of the states; each level can only tighten the others. */
export function strictestOf(...states: readonly TradingState[]): TradingState {
  return TRADING_STATES.findLast((state) => states.includes(state)) ?? "active";
}
