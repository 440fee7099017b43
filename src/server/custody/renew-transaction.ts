import { AppError } from "../../contract/errors.ts";
import { lookupTablesOf } from "../../solana/decode-transaction.ts";
import { readTables } from "../../solana/read-tables.ts";
import { withBlockhash } from "../../solana/transaction.ts";
import { type CustodyRow, findCustodyRow, findLanded } from "../store/custody/custody.ts";
import { findCustodyAgent } from "../store/custody/multisigs.ts";
import { tryOut } from "./compile-plan.ts";
import { findContext } from "./account/custody-context.ts";
import { decodeExpectation } from "./account/expectation.ts";
import { askChain } from "./explain-chain.ts";
import type { PrepareDeps } from "./prepare-transaction.ts";
import { type Prepared, storePrepared } from "./store-prepared.ts";

/**
 * Replaces the blockhash of a prepared, unsigned transaction; everything else stays as prepared.
 *
 * The earlier bytes are tracked until they have expired at finality, because a wallet may hold them. The agent's
 * transactions are queried on chain first, and the renewed bytes are simulated. Throws `transaction_landed` where the
 * wallet had sent it, and other `AppError`s for one that was signed, replaced or would fail now; it has to be prepared
 * again.
 */
export async function renewTransaction(deps: PrepareDeps, id: string): Promise<Prepared> {
  const first = await requireRow(deps, id);
  await deps.follower.follow(first.agentId);
  const row = await requireRow(deps, id);
  refuseLanded(row, await findLanded(deps.db, row));
  requireUnsigned(row);
  const agent = await findCustodyAgent(deps.db, row.agentId);
  const context = agent === null ? null : findContext(deps.networks, agent);
  if (context === null) throw new AppError("not_found");
  const { chain } = context.runtime;
  const lifetime = await askChain(() => chain.latestBlockhash());
  const message = withBlockhash(row.message, lifetime.blockhash);
  await askChain(() => tryOut(context, message));
  const { recoveredLamports, ...costs } = row.costs as Prepared["costs"] & {
    readonly recoveredLamports: string;
  };
  return storePrepared(deps, context, {
    intent: row.intent,
    step: row.step,
    stepCount: row.stepCount,
    label: row.label,
    amount: row.amount,
    message,
    tables: await askChain(() => readTables(chain, lookupTablesOf(message))),
    expects: decodeExpectation(row.expects),
    costs,
    recoveredLamports,
    lifetime,
  });
}

/** Throws for a transaction the wallet sent unreported, also where it sent one that this one had replaced. */
function refuseLanded(row: CustodyRow, landed: CustodyRow | null): void {
  if (landed === null) return;
  if (landed.intent === row.intent && landed.amount === row.amount) {
    throw new AppError("transaction_landed", { fields: { transaction: landed.id } });
  }
  throw new AppError("conflict", {
    message: `In its place another one of this agent has landed: ${landed.label}.`,
  });
}

/** Throws unless the transaction waits for a wallet, or expired while waiting. */
function requireUnsigned({ state, signature, sentAt }: CustodyRow): void {
  const isUnsigned = signature === null && sentAt === null;
  if (isUnsigned && (state === "prepared" || state === "expired")) return;
  throw new AppError("conflict", {
    message: "This transaction was signed or replaced meanwhile. Please prepare it again.",
  });
}

async function requireRow({ db }: PrepareDeps, id: string): Promise<CustodyRow> {
  const row = await findCustodyRow(db, id);
  if (row === null) throw new AppError("not_found");
  return row;
}
