import { AppError } from "../../contract/errors.ts";
import { type LatestBlockhash, ChainUnavailableError } from "../../solana/chain.ts";
import { DEFAULT_PRIORITY_FEE, unitPriceOf, writableAccounts } from "../../solana/priority-fee.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { readTables } from "../../solana/read-tables.ts";
import {
  compileTransaction,
  TRANSACTION_SIZE_LIMIT,
  WALLET_SIZE_BUDGET,
} from "../../solana/transaction.ts";
import type { NetworkRuntime } from "../networks.ts";
import type { CustodyContext } from "./custody-context.ts";
import { explainCustodyFailure } from "./explain-chain.ts";
import { priorityFeeLamports, SIGNATURE_FEE_LAMPORTS } from "./custody-limits.ts";
import type { CustodyPlan } from "./plans/custody-plan.ts";

/** What a wallet is handed. */
export interface CompiledPlan {
  readonly message: Uint8Array;
  /** The lookup tables the bytes name, with what the chain has in them. */
  readonly tables: LookupTables;
  readonly networkFeeLamports: bigint;
}

const NO_TABLES: LookupTables = {};

/**
 * Compiles a plan with the deployment's lookup table where that makes it smaller, offering as much for its place as
 * recent blocks asked for, and tries it out. Throws `AppError` when it does not fit or would fail.
 */
export async function compilePlan(
  context: CustodyContext,
  plan: CustodyPlan,
  lifetime: LatestBlockhash,
): Promise<CompiledPlan> {
  const { runtime, venue } = context;
  const compiled = await compileOne(context, plan, lifetime, await readSharedTable(runtime));
  if (compiled.message.length > mostBytes(runtime, plan)) {
    throw new AppError("transaction_too_large", { message: tooLargeSentence(runtime, plan) });
  }
  const { error, logs } = await runtime.chain.simulate(compiled.message);
  if (error === null) return compiled;
  const reason = explainCustodyFailure(error, logs, [venue.programErrors]);
  throw new AppError("transaction_refused", {
    message: `${plan.failure === undefined ? "" : `${plan.failure}: `}${reason} Nothing was sent.`,
  });
}

/** Returns the deployment's table as the chain has it now; nothing where there is none, or none that can be used. */
async function readSharedTable({ chain, lookupTable }: NetworkRuntime): Promise<LookupTables> {
  if (lookupTable === undefined) return NO_TABLES;
  try {
    return await readTables(chain, [lookupTable]);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return NO_TABLES;
    throw error;
  }
}

// What takes money out is offered to the last byte: a wallet's warning is better than money that stays
function mostBytes({ network }: NetworkRuntime, { isEntry }: CustodyPlan): number {
  return network === "mainnet" && isEntry === true ? WALLET_SIZE_BUDGET : TRANSACTION_SIZE_LIMIT;
}

function tooLargeSentence({ lookupTable }: NetworkRuntime, { isEntry }: CustodyPlan): string {
  const missing =
    lookupTable === undefined
      ? " without the deployment's lookup table, which its operator has to create"
      : "";
  const wayOut = isEntry === true ? "" : " Close open positions first.";
  return `This does not fit into one transaction${missing}.${wayOut} Nothing was sent.`;
}

async function compileOne(
  { account, runtime }: CustodyContext,
  plan: CustodyPlan,
  lifetime: LatestBlockhash,
  tables: LookupTables,
): Promise<CompiledPlan> {
  const unitPrice = await readUnitPrice(runtime, plan);
  const compile = (used: LookupTables): Uint8Array =>
    compileTransaction({
      feePayer: account.owner,
      lifetime,
      instructions: [
        setComputeUnitLimit(plan.computeUnitLimit),
        setComputeUnitPrice(unitPrice),
        ...plan.instructions(used),
      ],
      tables: used,
    });
  const [plain, short] = [compile(NO_TABLES), compile(tables)];
  const isShorter = short.length < plain.length;
  const signatures = plan.expects.needsCoSigner ? 2n : 1n;
  return {
    message: isShorter ? short : plain,
    tables: isShorter ? tables : NO_TABLES,
    networkFeeLamports:
      signatures * SIGNATURE_FEE_LAMPORTS + priorityFeeLamports(plan.computeUnitLimit, unitPrice),
  };
}

async function readUnitPrice(
  { chain, priorityFee = DEFAULT_PRIORITY_FEE }: NetworkRuntime,
  plan: CustodyPlan,
): Promise<bigint> {
  const writable = writableAccounts(plan.instructions(NO_TABLES));
  try {
    return unitPriceOf(await chain.recentUnitPrices(writable), plan.unitPrice, priorityFee);
  } catch (error) {
    // What it costs to be quick is not worth being late for
    if (error instanceof ChainUnavailableError) return plan.unitPrice;
    throw error;
  }
}
