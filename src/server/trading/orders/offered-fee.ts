import type { Instruction } from "@solana/kit";
import { MAX_COMPUTE_UNITS } from "../../../solana/compute-budget-limits.ts";
import {
  readComputeUnitLimit,
  readComputeUnitPrice,
} from "../../../solana/programs/compute-budget.ts";
import {
  priorityFeeLamports,
  SIGNATURE_FEE_LAMPORTS,
} from "../../custody/account/custody-limits.ts";

/** Signatures of an order: the fee payer's and the trading key's. */
const SIGNATURES = 2n;

/** Returns the lamports a transaction of the trading key costs the fee payer when it lands, successful or not. */
export function offeredFee(instructions: readonly Instruction[]): bigint {
  const units = instructions.map(readComputeUnitLimit).find((limit) => limit !== null);
  const price = instructions.map(readComputeUnitPrice).find((each) => each !== null);
  return (
    SIGNATURES * SIGNATURE_FEE_LAMPORTS +
    priorityFeeLamports(units ?? MAX_COMPUTE_UNITS, price ?? 0n)
  );
}
