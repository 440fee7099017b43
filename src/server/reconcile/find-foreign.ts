import type { Address } from "@solana/kit";
import { parseSignature } from "../../solana/base58.ts";
import type { Chain } from "../../solana/chain.ts";

/**
 * Returns which of these landed transactions changed something and were not ours, in the order given.
 *
 * Ours are those our fee payer paid for: nobody else can take its lamports.
 */
export async function findForeign(
  chain: Chain,
  feePayer: Address,
  signatures: readonly string[],
): Promise<readonly string[]> {
  const foreign: string[] = [];
  for (const signature of signatures) {
    const outcome = await chain.transaction(parseSignature(signature));
    if (outcome === null || outcome.error !== null) continue;
    const isOurs = (outcome.lamportDeltas.get(feePayer) ?? 0n) < 0n;
    if (!isOurs) foreign.push(signature);
  }
  return foreign;
}
