import type { Instruction } from "@solana/kit";
import { type Chain, ChainUnavailableError } from "../../../solana/chain.ts";
import {
  readComputeUnitPrice,
  setComputeUnitPrice,
} from "../../../solana/programs/compute-budget.ts";
import {
  DEFAULT_PRIORITY_FEE,
  type PriorityFeePolicy,
  unitPriceOf,
  writableAccounts,
} from "../../../solana/priority-fee.ts";
import { MAX_UNIT_PRICE_MICRO_LAMPORTS } from "../../../solana/compute-budget-limits.ts";

/**
 * Returns an order's instructions with the compute unit price that recent blocks charged for the accounts it writes.
 *
 * The venue's own price is the minimum, and is used when no estimate is available, so an order is never delayed.
 * `factor` raises the price up to the policy's cap, for a retried exit.
 */
export async function bidPriorityFee(
  chain: Pick<Chain, "recentUnitPrices">,
  instructions: readonly Instruction[],
  policy: PriorityFeePolicy = DEFAULT_PRIORITY_FEE,
  factor = 1n,
): Promise<readonly Instruction[]> {
  const floor = instructions.map(readComputeUnitPrice).find((price) => price !== null);
  if (floor === undefined || floor === null) return instructions;
  const recent = await chain
    .recentUnitPrices(writableAccounts(instructions))
    .catch((error: unknown): readonly bigint[] => {
      if (error instanceof ChainUnavailableError) return [];
      throw error;
    });
  const usual = unitPriceOf(recent, floor, policy);
  const wanted = raised(usual, factor, policy.capMicroLamports);
  // The signer's own maximum applies even where an operator set a higher cap
  const bid = setComputeUnitPrice(
    wanted < MAX_UNIT_PRICE_MICRO_LAMPORTS ? wanted : MAX_UNIT_PRICE_MICRO_LAMPORTS,
  );
  return instructions.map((each) => (readComputeUnitPrice(each) === null ? each : bid));
}

/** Returns the raised price; a venue price already above the cap is kept unchanged. */
function raised(usual: bigint, factor: bigint, cap: bigint): bigint {
  const wanted = usual * factor;
  if (wanted <= cap) return wanted;
  return usual > cap ? usual : cap;
}
