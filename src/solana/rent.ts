import type { Chain } from "./chain.ts";

/** Returns the total rent-exempt minimum of accounts of these sizes in bytes, in lamports. */
export async function rentOf(
  chain: Pick<Chain, "minimumBalance">,
  sizes: readonly number[],
): Promise<bigint> {
  const each = await Promise.all(sizes.map((size) => chain.minimumBalance(size)));
  return each.reduce((sum, lamports) => sum + lamports, 0n);
}
