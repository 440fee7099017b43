import type { ReadinessFigures } from "../src/domain/readiness.ts";

/** Returns an agent's figures that meet the usual bar on every line, with changes. */
export const readyFigures = (changes: Partial<ReadinessFigures> = {}): ReadinessFigures => ({
  days: 20,
  trades: 30,
  totalReturn: 0.05,
  holdingReturn: 0.02,
  fall: 0.04,
  fallLimit: null,
  compared: 60,
  matched: 60,
  medianBps: 2,
  slippageBps: 50,
  luck: 0.97,
  tries: 3,
  keptOutReturn: 0.01,
  missedAlerts: 0,
  waitedExits: 0,
  hoursWithoutPrices: 0,
  ...changes,
});
