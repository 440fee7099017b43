import type { Address } from "@solana/kit";
import { parseSignature } from "../../solana/parse-address.ts";
import {
  type Chain,
  type TransactionOutcome,
  UnreadableTransactionError,
} from "../../solana/chain.ts";

/** Classification of some transactions. */
export interface ExternalFindings {
  /** External transactions that changed something, in the given order. */
  readonly foreign: readonly TransactionOutcome[];
  /** Signatures the node could not resolve; they are queried again. */
  readonly unread: ReadonlySet<string>;
}

/**
 * Returns those of the landed transactions that changed something and were not sent by us.
 *
 * A transaction is ours when the present or a former fee payer paid for it: nobody else can spend its lamports.
 */
export async function findExternalActivity(
  chain: Chain,
  feePayers: readonly Address[],
  signatures: readonly string[],
): Promise<ExternalFindings> {
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

/** Returns one transaction; a version that cannot be decoded must not hide the other transactions. */
async function read(chain: Chain, signature: string) {
  try {
    return await chain.transaction(parseSignature(signature));
  } catch (error) {
    if (error instanceof UnreadableTransactionError) return "unreadable";
    throw error;
  }
}
