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
import { MAX_UNIT_PRICE_MICRO_LAMPORTS } from "../../custody/signer/compute-budget-allowed.ts";

/**
 * Returns an order's instructions with the price per compute unit that recent blocks asked of the accounts it changes.
 *
 * The venue's own price is the least; an order is never late for want of an answer.
 */
export async function bidForPlace(
  chain: Pick<Chain, "recentUnitPrices">,
  instructions: readonly Instruction[],
  policy: PriorityFeePolicy = DEFAULT_PRIORITY_FEE,
): Promise<readonly Instruction[]> {
  const floor = instructions.map(readComputeUnitPrice).find((price) => price !== null);
  if (floor === undefined || floor === null) return instructions;
  const recent = await chain
    .recentUnitPrices(writableAccounts(instructions))
    .catch((error: unknown): readonly bigint[] => {
      if (error instanceof ChainUnavailableError) return [];
      throw error;
    });
  const wanted = unitPriceOf(recent, floor, policy);
  // What the signer lets the fee payer offer, however high an operator set the cap
  const bid = setComputeUnitPrice(
    wanted < MAX_UNIT_PRICE_MICRO_LAMPORTS ? wanted : MAX_UNIT_PRICE_MICRO_LAMPORTS,
  );
  return instructions.map((each) => (readComputeUnitPrice(each) === null ? each : bid));
}
