import type { DriftState } from "../../../venues/drift/layout-state.ts";
import { PRICE_PRECISION } from "./curve.ts";
import { demand } from "./exchange-failures.ts";
import { max, min } from "./integers.ts";

/** An oracle price as the exchange reads it: six decimals, its age in slots. */
export interface OracleReading {
  readonly price: bigint;
  readonly confidence: bigint;
  readonly delay: bigint;
}

/** Validity of a price, the worst first. */
export type OracleValidity =
  | "nonPositive"
  | "tooVolatile"
  | "tooUncertain"
  | "staleForMargin"
  | "staleForAmm"
  | "valid";

/** Multipliers of the allowed confidence interval by contract tier. */
const CONFIDENCE_MULTIPLIERS = [1n, 1n, 2n, 10n, 50n, 50n] as const;

/**
 * Evaluates a price by the exchange's guard rails. Refuses a price of zero or below, as the program's arithmetic does.
 */
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

/** Returns whether a price may set the limit of an oracle-offset order. */
export function canPriceOrders(validity: OracleValidity): boolean {
  return validity === "valid" || validity === "staleForAmm";
}

/** Returns whether a price may move funding. */
export function canMoveFunding(validity: OracleValidity): boolean {
  return canPriceOrders(validity) || validity === "staleForMargin";
}

/** Returns whether a price may trigger orders. */
export function canTrigger(validity: OracleValidity): boolean {
  return validity !== "nonPositive" && validity !== "tooVolatile";
}

/** Guard rails of instructions that do not use the exchange's own. */
export const DEFAULT_GUARD_RAILS = {
  slotsBeforeStaleForAmm: 10n,
  slotsBeforeStaleForMargin: 120n,
  confidenceIntervalMaxSize: 20_000n,
  tooVolatileRatio: 5n,
} as const satisfies Partial<DriftState>;
