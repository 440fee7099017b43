import type { Address, Signature } from "@solana/kit";
import { type Chain, ChainUnavailableError, type HistoryOptions } from "./chain.ts";

/** Largest number of signatures a node returns per request. */
export const LARGEST_PAGE = 1_000;

/**
 * Yields the signatures of an address since a slot, newest first, page by page. Call it on one node. Throws
 * `ChainUnavailableError`.
 */
export async function* signaturePages(
  node: Pick<Chain, "signaturesFor">,
  address: Address,
  since: Pick<HistoryOptions, "minSlot" | "sinceSlot">,
  size: number,
): AsyncGenerator<readonly Signature[]> {
  let before: Signature | undefined;
  for (;;) {
    const page = await node.signaturesFor(address, size, {
      ...since,
      ...(before === undefined ? {} : { before }),
    });
    const last = page.at(-1);
    if (last !== undefined && last === before) {
      throw new ChainUnavailableError("A node lists the same page again");
    }
    yield page;
    if (page.length < size) return;
    before = last;
  }
}

/**
 * Returns every signature of an address since a slot, newest first: anybody can touch an address as often as he pays
 * for, so that no single page can be relied on to hold ours.
 *
 * Call it on one node. Throws `ChainUnavailableError`.
 */
export async function listSignatures(
  node: Pick<Chain, "signaturesFor">,
  address: Address,
  since: Pick<HistoryOptions, "minSlot" | "sinceSlot">,
  size = LARGEST_PAGE,
): Promise<readonly Signature[]> {
  const found: Signature[] = [];
  for await (const page of signaturePages(node, address, since, size)) found.push(...page);
  return found;
}
