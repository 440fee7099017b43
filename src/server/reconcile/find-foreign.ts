import type { Address } from "@solana/kit";
import { parseSignature } from "../../solana/parse-address.ts";
import {
  type Chain,
  type TransactionOutcome,
  UnreadableTransactionError,
} from "../../solana/chain.ts";

/** What was found out about some transactions. */
export interface Judgement {
  /** Those that changed something and were not ours, in the order given. */
  readonly foreign: readonly TransactionOutcome[];
  /** Signatures the node could say nothing about: they are asked for again. */
  readonly unread: ReadonlySet<string>;
}

/**
 * Tells which of these landed transactions changed something and were not ours.
 *
 * Ours are those our fee payer, or one before it, paid for: nobody else can take its lamports.
 */
export async function findForeign(
  chain: Chain,
  feePayers: readonly Address[],
  signatures: readonly string[],
): Promise<Judgement> {
  const foreign: TransactionOutcome[] = [];
  const unread = new Set<string>();
  for (const signature of signatures) {
    const outcome = await read(chain, signature);
    if (outcome === null) unread.add(signature);
    if (outcome === null || outcome === "unreadable" || outcome.error !== null) continue;
    const isOurs = feePayers.some((payer) => (outcome.lamportDeltas.get(payer) ?? 0n) < 0n);
    if (!isOurs) foreign.push(outcome);
  }
  return { foreign, unread };
}

/** Somebody's transaction of a version nobody here reads must not hide the others. */
async function read(chain: Chain, signature: string) {
  try {
    return await chain.transaction(parseSignature(signature));
  } catch (error) {
    if (error instanceof UnreadableTransactionError) return "unreadable";
    throw error;
  }
}
