import type { Instruction } from "@solana/kit";
import { AppError } from "../../contract/errors.ts";
import {
  type LatestBlockhash,
  ChainUnavailableError,
  type Simulation,
} from "../../solana/chain.ts";
import {
  limitFor,
  DEFAULT_PRIORITY_FEE,
  unitPriceOf,
  writableAccounts,
} from "../../solana/compute-limit.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { readTables } from "../../solana/programs/address-lookup-table.ts";
import {
  compileTransaction,
  compileV1Transaction,
  isTooManyAccounts,
  type OwnerVersion,
  roomOf,
} from "../../solana/transaction.ts";
import type { NetworkRuntime } from "../networks.ts";
import type { CustodyContext } from "./account/custody-context.ts";
import { explainCustodyFailure } from "./explain-chain.ts";
import { priorityFeeLamports, SIGNATURE_FEE_LAMPORTS } from "./account/custody-limits.ts";
import type { CustodyPlan } from "./plans/custody-plan.ts";

/** The compiled transaction for the wallet. */
export interface CompiledPlan {
  readonly message: Uint8Array;
  /** The lookup tables the bytes name, with their contents on chain. */
  readonly tables: LookupTables;
  readonly networkFeeLamports: bigint;
}

const NO_TABLES: LookupTables = {};

/** Compute units left for the assertions that a wallet adds. */
const WALLET_UNITS = 30_000n;

/**
 * Compiles a plan in version 0, with the deployment's lookup table where that makes it smaller and at the priority fee
 * recent blocks required. It is simulated with the plan's compute limit and gets the one its consumption needs: the
 * owner pays the priority fee for the limit. Throws `AppError` when it is too large or would fail.
 */
export async function compilePlan(
  context: CustodyContext,
  plan: CustodyPlan,
  lifetime: LatestBlockhash,
  version: OwnerVersion = 0,
): Promise<CompiledPlan> {
  const { runtime } = context;
  const unitPrice = await readUnitPrice(runtime, plan);
  const shared = version === 1 ? NO_TABLES : await readSharedTable(runtime);
  const compile = (units: number): Bytes => {
    const limited = { ...plan, computeUnitLimit: units };
    const compiled =
      version === 1
        ? compileWide(context, limited, lifetime, unitPrice)
        : compileShort(context, limited, lifetime, unitPrice, shared);
    const room = roomOf(version, runtime.network === "mainnet" && plan.isEntry === true);
    if (compiled === null || compiled.message.length > room) {
      throw new AppError("transaction_too_large", { message: tooLargeSentence(runtime, plan) });
    }
    return compiled;
  };
  const most = plan.computeUnitLimit;
  const widest = compile(most);
  const { unitsConsumed } = await tryOut(context, widest.message, plan.failure);
  const units = limitFor(unitsConsumed, most, WALLET_UNITS);
  return {
    ...(units === null ? widest : compile(units)),
    networkFeeLamports: networkFeeOf(plan, units ?? most, unitPrice),
  };
}

/** Simulates the bytes against the chain's present state. Throws `transaction_refused` with a readable reason. */
export async function tryOut(
  { runtime, venue }: CustodyContext,
  message: Uint8Array,
  failure?: string,
): Promise<Simulation> {
  const simulation = await runtime.chain.simulate(message);
  const { error, logs } = simulation;
  if (error === null) return simulation;
  const reason = explainCustodyFailure(error, logs, [venue.programErrors]);
  throw new AppError("transaction_refused", {
    message: `${failure === undefined ? "" : `${failure}: `}${reason} Nothing was sent.`,
  });
}

/** Returns the deployment's lookup table as currently on chain; empty when there is none or it is unusable. */
async function readSharedTable({ chain, lookupTable }: NetworkRuntime): Promise<LookupTables> {
  if (lookupTable === undefined) return NO_TABLES;
  try {
    return await readTables(chain, [lookupTable]);
  } catch (error) {
    if (error instanceof ChainUnavailableError) return NO_TABLES;
    throw error;
  }
}

function tooLargeSentence({ lookupTable }: NetworkRuntime, plan: CustodyPlan): string {
  const { isEntry, wayOut = "Close open positions first." } = plan;
  const missing =
    lookupTable === undefined
      ? " without the deployment's lookup table, which its operator has to create"
      : "";
  const advice = isEntry === true ? "" : ` ${wayOut}`;
  return `This does not fit into one transaction${missing}.${advice} Nothing was sent.`;
}

type Bytes = Omit<CompiledPlan, "networkFeeLamports">;

function compileShort(
  { account }: CustodyContext,
  plan: CustodyPlan,
  lifetime: LatestBlockhash,
  unitPrice: bigint,
  shared: LookupTables,
): Bytes {
  const tables = { ...shared, ...plan.tables };
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
  return short.length < plain.length
    ? { message: short, tables }
    : { message: plain, tables: NO_TABLES };
}

/** Returns null when the plan names more accounts than a version 1 transaction allows. */
function compileWide(
  { account }: CustodyContext,
  plan: CustodyPlan,
  lifetime: LatestBlockhash,
  unitPrice: bigint,
): Bytes | null {
  const instructions: readonly Instruction[] = plan.instructions(NO_TABLES);
  try {
    const message = compileV1Transaction({
      feePayer: account.owner,
      lifetime,
      instructions,
      computeUnitLimit: plan.computeUnitLimit,
      priorityFeeLamports: priorityFeeLamports(plan.computeUnitLimit, unitPrice),
    });
    return { message, tables: NO_TABLES };
  } catch (error) {
    if (isTooManyAccounts(error)) return null;
    throw error;
  }
}

function networkFeeOf({ expects }: CustodyPlan, units: number, unitPrice: bigint): bigint {
  const signatures = expects.needsCoSigner ? 2n : 1n;
  return signatures * SIGNATURE_FEE_LAMPORTS + priorityFeeLamports(units, unitPrice);
}

async function readUnitPrice(
  { chain, priorityFee = DEFAULT_PRIORITY_FEE }: NetworkRuntime,
  plan: CustodyPlan,
): Promise<bigint> {
  const writable = writableAccounts(plan.instructions(NO_TABLES));
  try {
    return unitPriceOf(await chain.recentUnitPrices(writable), plan.unitPrice, priorityFee);
  } catch (error) {
    // Fee estimate unavailable: fall back to the plan's price
    if (error instanceof ChainUnavailableError) return plan.unitPrice;
    throw error;
  }
}
