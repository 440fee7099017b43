import type { Address, Instruction } from "@solana/kit";
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

interface Bid {
  readonly policy?: PriorityFeePolicy | undefined;
  /** Raises the price up to the policy's cap, for a retried exit. */
  readonly factor?: bigint;
  /** The agent's own accounts: nobody else writes them, and without them all orders of a market ask the same. */
  readonly own?: readonly Address[];
}

/**
 * Returns an order's instructions with the compute unit price that recent blocks charged for the accounts it writes.
 *
 * The venue's own price is the minimum, and is used when no estimate is available, so an order is never delayed.
 */
export async function bidPriorityFee(
  chain: Pick<Chain, "recentUnitPrices">,
  instructions: readonly Instruction[],
  { policy = DEFAULT_PRIORITY_FEE, factor = 1n, own = [] }: Bid = {},
): Promise<readonly Instruction[]> {
  const floor = instructions.map(readComputeUnitPrice).find((price) => price !== null);
  if (floor === undefined || floor === null) return instructions;
  const recent = await chain
    .recentUnitPrices(writableAccounts(instructions).filter((each) => !own.includes(each)))
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
