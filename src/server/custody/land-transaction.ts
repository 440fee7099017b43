import type { Instruction } from "@solana/kit";
import { type TransactionError, TransactionRefusedError } from "../../solana/chain.ts";
import {
  measureCompute,
  DEFAULT_PRIORITY_FEE,
  type PriorityFeePolicy,
  unitPriceOf,
  writableAccounts,
} from "../../solana/compute-limit.ts";
import type { Keypair } from "../../solana/encoding/keys.ts";
import { landSigned, type LandingDeps } from "../../solana/land-signed.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import {
  OWNER_UNIT_PRICE_MICRO_LAMPORTS,
  priorityFeeLamports,
  SIGNATURE_FEE_LAMPORTS,
} from "./account/custody-limits.ts";

/** Chain access for the platform's own transactions. */
export interface OperationDeps extends LandingDeps {
  /** Priority fee limits of these transactions; the default when absent. */
  readonly priorityFee?: PriorityFeePolicy;
}

/** Maximum compute units of such a transaction. */
const MOST_UNITS = 200_000;

/** An operator's command failed; the message is one sentence for the operator. */
export class OperationError extends Error {
  override readonly name = "OperationError";
}

/** The chain rejected the transaction in simulation or execution. */
export class OperationRefusedError extends OperationError {
  readonly error: TransactionError;
  constructor(what: string, error: TransactionError, logs: readonly string[]) {
    super(sentenceOf(what, error, logs));
    this.error = error;
  }
}

/**
 * Lands a transaction that one of the platform's own keys pays and signs, at the price recent blocks required.
 *
 * `build` receives the network fee in lamports. `what` begins the error's sentence on failure or expiry; passes on the
 * chain's `ChainUnavailableError`.
 */
export async function landTransaction(
  deps: OperationDeps,
  payer: Keypair,
  what: string,
  build: (feeLamports: bigint) => readonly Instruction[],
): Promise<void> {
  const { chain } = deps;
  const lifetime = await chain.latestBlockhash();
  const price = unitPriceOf(
    await chain.recentUnitPrices(writableAccounts(build(SIGNATURE_FEE_LAMPORTS))),
    OWNER_UNIT_PRICE_MICRO_LAMPORTS,
    deps.priorityFee ?? DEFAULT_PRIORITY_FEE,
  );
  const draft = (units: number): readonly Instruction[] => {
    const fee = SIGNATURE_FEE_LAMPORTS + priorityFeeLamports(units, price);
    return [setComputeUnitLimit(units), setComputeUnitPrice(price), ...build(fee)];
  };
  const feePayer = payer.address;
  const trial = await measureCompute(chain, { feePayer, instructions: draft(MOST_UNITS) });
  const refusal = trial.simulation?.error ?? null;
  if (refusal !== null)
    throw new OperationRefusedError(what, refusal, trial.simulation?.logs ?? []);
  const instructions = draft(trial.units ?? MOST_UNITS);
  const signed = signTransaction(compileTransaction({ feePayer, lifetime, instructions }), payer);
  try {
    const landing = await landSigned(deps, signed, {
      lastValidBlockHeight: lifetime.lastValidBlockHeight,
      blockhashSlot: lifetime.slot,
    });
    if (landing.kind === "expired") {
      throw new OperationError(`${what}: ${landing.signature} expired without landing.`);
    }
    const { error } = landing.status;
    if (error !== null) throw new OperationRefusedError(what, error, []);
  } catch (error) {
    if (!(error instanceof TransactionRefusedError)) throw error;
    throw new OperationRefusedError(what, error.error, error.logs);
  }
}

/** Error names that mean an account holds too little SOL. */
const POOR = ["AccountNotFound", "InsufficientFundsForFee", "InsufficientFundsForRent"];

/** Error number of the system program for a payer with too little SOL. */
const RESULT_WITH_NEGATIVE_LAMPORTS = 1;

function sentenceOf(what: string, error: TransactionError, logs: readonly string[]): string {
  const isPoor =
    POOR.includes(error.name) ||
    (error.name === "Custom" && error.code === RESULT_WITH_NEGATIVE_LAMPORTS);
  if (isPoor)
    return `${what}: the fee payer holds too little SOL for it. Send it some and run this again.`;
  const code = error.code === undefined ? "" : ` ${error.code}`;
  const said = logs.findLast((line) => !/ (?:invoke|consumed|failed|success)/.test(line));
  return `${what}: the chain refused it (${error.name}${code}${said === undefined ? "" : `; ${said.replace(/^Program log: /, "")}`}).`;
}
