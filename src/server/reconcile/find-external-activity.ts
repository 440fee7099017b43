import type { Address } from "@solana/kit";
import type { Chain, TransactionOutcome } from "../../solana/chain.ts";
import { parseSignature } from "../../solana/parse-address.ts";
import { isLogCut } from "../../solana/program-logs.ts";
import { readOutcome } from "../../solana/read-outcome.ts";

/** Classification of some transactions. */
export interface ExternalFindings {
  /** External transactions that changed something, in the given order. */
  readonly foreign: readonly TransactionOutcome[];
  /** Signatures the node could not resolve; they are queried again. */
  readonly unread: ReadonlySet<string>;
}

/**
 * Returns those of the landed transactions that may have changed an account of `program` and were not sent by us.
 *
 * A transaction is ours when the present or a former fee payer paid for it: nobody else can spend its lamports.
 */
export async function findExternalActivity(
  chain: Pick<Chain, "transaction">,
  program: Address,
  feePayers: readonly Address[],
  signatures: readonly string[],
): Promise<ExternalFindings> {
  const foreign: TransactionOutcome[] = [];
  const unread = new Set<string>();
  for (const signature of signatures) {
    const outcome = await readOutcome(chain, parseSignature(signature));
    if (outcome === null) unread.add(signature);
    if (outcome === null || outcome === "unreadable" || outcome.error !== null) continue;
    const isOurs = feePayers.some((payer) => (outcome.lamportDeltas.get(payer) ?? 0n) < 0n);
    if (!isOurs && mayHaveRun(program, outcome.logs)) foreign.push(outcome);
  }
  return { foreign, unread };
}

/**
 * Returns whether a transaction ran a program, the only one that can change its accounts; anybody can name an account.
 * True where the logs do not tell.
 */
function mayHaveRun(program: Address, logs: readonly string[]): boolean {
  const isTold = logs.length > 0 && !isLogCut(logs);
  return !isTold || logs.some((line) => line.startsWith(`Program ${program} invoke [`));
}
