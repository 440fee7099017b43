/** What an agent may do: everything, only reduce its exposure, or nothing. From loosest to strictest. */
export const TRADING_STATES = ["active", "reducing", "halted"] as const;

export type TradingState = (typeof TRADING_STATES)[number];

/** Returns the strictest of the states; several levels decide and none loosens another. */
export function strictestOf(...states: readonly TradingState[]): TradingState {
  return TRADING_STATES.findLast((state) => states.includes(state)) ?? "active";
}
