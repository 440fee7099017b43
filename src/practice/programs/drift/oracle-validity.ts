import type { DriftState } from "../../../venues/drift/layout-state.ts";
import { PRICE_PRECISION } from "./curve.ts";
import { demand } from "./exchange-failures.ts";
import { max, min } from "./integers.ts";

/** A price as the exchange reads it from an oracle: six decimals, its age in slots. */
export interface OracleReading {
  readonly price: bigint;
  readonly confidence: bigint;
  readonly delay: bigint;
}

/** What is wrong with a price, the worst first. */
export type OracleValidity =
  | "nonPositive"
  | "tooVolatile"
  | "tooUncertain"
  | "staleForMargin"
  | "staleForAmm"
  | "valid";

/** By contract tier, how many times the usual uncertainty a price may have. */
const CONFIDENCE_MULTIPLIERS = [1n, 1n, 2n, 10n, 50n, 50n] as const;

/** Judges a price by the exchange's guard rails. Refuses a price of zero or below as the program's arithmetic does. */
export function judgeOracle(
  state: DriftState,
  oracle: OracleReading,
  average: bigint,
  contractTier: number,
): OracleValidity {
  const { price, confidence, delay } = oracle;
  demand(price >= 0n, "CastingFailure");
  demand(price !== 0n, "MathError");
  const isVolatile = max(price, average) / max(1n, min(price, average)) > state.tooVolatileRatio;
  const share = (max(1n, confidence) * PRICE_PRECISION) / price;
  const multiplier = CONFIDENCE_MULTIPLIERS[contractTier] ?? 1n;
  if (isVolatile) return "tooVolatile";
  if (share > state.confidenceIntervalMaxSize * multiplier) return "tooUncertain";
  if (delay > state.slotsBeforeStaleForMargin) return "staleForMargin";
  return delay > state.slotsBeforeStaleForAmm ? "staleForAmm" : "valid";
}

/** Returns whether a price may be the limit of an order that follows the oracle. */
export function canPriceOrders(validity: OracleValidity): boolean {
  return validity === "valid" || validity === "staleForAmm";
}

/** Returns whether a price may move funding. */
export function canMoveFunding(validity: OracleValidity): boolean {
  return canPriceOrders(validity) || validity === "staleForMargin";
}
