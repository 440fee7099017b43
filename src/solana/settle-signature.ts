import type { Signature } from "@solana/kit";
import { type Chain, ChainUnavailableError, type Progress, type SignatureStatus } from "./chain.ts";

/** Period in which a transaction can land. */
export interface Lifetime {
  readonly lastValidBlockHeight: bigint;
  /** Slot at which its blockhash was fetched; `null` when it was not stored. */
  readonly blockhashSlot: bigint | null;
}

export interface SentSignature extends Lifetime {
  readonly signature: Signature;
}

/** `pending`: ask again later; it may still land. */
export type SignatureAnswer =
  | { readonly kind: "landed"; readonly status: SignatureStatus }
  | { readonly kind: "expired" }
  | { readonly kind: "pending" };

/**
 * Returns the status of a transaction: the only place that decides between landed and expired.
 *
 * It is expired when one node shows that its last possible block is final and then, at that block or later, does not
 * find it in a history that reaches back to its blockhash. Throws `ChainUnavailableError` when no node can tell.
 */
export function askSignature(chain: Chain, sent: SentSignature): Promise<SignatureAnswer> {
  return chain.withOneNode(async (node) => {
    const early = await look(node, sent.signature);
    if (early !== null) return early;
    const final = await finalAfter(node, sent);
    if (final === null) return { kind: "pending" };
    return (await look(node, sent.signature, final.slot)) ?? { kind: "expired" };
  });
}

/**
 * Returns the finalized progress once no transaction with that lifetime can land any more, `null` before.
 *
 * Slot and height come from one answer. Throws `ChainUnavailableError` for a node whose history does not reach back to
 * the blockhash: it cannot prove that a transaction never landed. A later search must use the same node from that slot
 * on.
 */
export async function finalAfter(node: Chain, lifetime: Lifetime): Promise<Progress | null> {
  const final = await node.progress("finalized");
  if (final.blockHeight <= lifetime.lastValidBlockHeight) return null;
  // A block's height is never above its slot, so this lower bound is safe
  const begun = lifetime.blockhashSlot ?? lifetime.lastValidBlockHeight - BLOCKHASH_LIFE_BLOCKS;
  if (final.slot < begun + BLOCKHASH_LIFE_BLOCKS) {
    throw new ChainUnavailableError("The node's slot and block height contradict each other.", {
      trouble: "wrong_answer",
    });
  }
  if ((await node.historyStart()) > begun) {
    throw new ChainUnavailableError("The node's history does not reach back to the transaction.", {
      trouble: "without_history",
    });
  }
  return final;
}

async function look(
  node: Chain,
  signature: Signature,
  minSlot?: bigint,
): Promise<SignatureAnswer | null> {
  const { statuses } = await node.signatureStatuses(
    [signature],
    minSlot === undefined ? {} : { minSlot },
  );
  const status = statuses[0] ?? null;
  if (status === null) return null;
  return status.commitment === "processed" ? { kind: "pending" } : { kind: "landed", status };
}

/** Number of blocks after its own in which a blockhash is valid. */
export const BLOCKHASH_LIFE_BLOCKS = 150n;

/** Slots after which a block can no longer be undone. */
const FINALITY_SLOTS = 32n;

/**
 * Returns the number of seconds after its blockhash from which a transaction can no longer land, for a slot duration.
 */
export function finalExpirySeconds(slotDurationMs: number): number {
  const slots = BLOCKHASH_LIFE_BLOCKS + FINALITY_SLOTS;
  return Math.ceil((Number.parseInt(String(slots), 10) * slotDurationMs) / 1_000);
}
