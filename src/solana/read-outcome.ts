import type { Signature } from "@solana/kit";
import { type Chain, type TransactionOutcome, UnreadableTransactionError } from "./chain.ts";

/**
 * Returns a transaction, null where the node does not hold it, and `unreadable` for one of a version that is not decoded
 * here: such a one is a stranger's, and must not keep others from being read. Throws `ChainUnavailableError`.
 */
export async function readOutcome(
  node: Pick<Chain, "transaction">,
  signature: Signature,
): Promise<TransactionOutcome | "unreadable" | null> {
  try {
    return await node.transaction(signature);
  } catch (error) {
    if (error instanceof UnreadableTransactionError) return "unreadable";
    throw error;
  }
}
