import type { Address, Instruction } from "@solana/kit";
import type { LookupTables } from "../../../solana/programs/squads-message.ts";
import type { Expectation } from "../account/expectation.ts";
import { AppError } from "../../../contract/errors.ts";
import { vaultLife, deriveVaultTransaction } from "../../../solana/programs/squads.ts";
import type { PlanStep } from "../../../venues/plan-step.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import { formatSol } from "../account/custody-limits.ts";
import type { CustodyState } from "../account/read-custody.ts";

/** Amounts that leave the owner's wallet besides the network fee, in lamports and quote base units. */
export interface CustodyCosts {
  readonly rentLamports: bigint;
  readonly transferLamports: bigint;
  readonly quoteAmount: bigint;
  /** Unrecoverable rent of accounts the set-up opens; absent when all of it is recoverable. */
  readonly unrecoverable?: readonly { readonly what: string; readonly lamports: bigint }[];
}

/** One transaction the owner is asked to sign, before it is compiled. */
export interface CustodyPlan {
  /** Counted from 1. */
  readonly step: number;
  readonly stepCount: number;
  readonly label: string;
  /** Quote base units, for deposits and withdrawals. */
  readonly amount: bigint | null;
  readonly computeUnitLimit: number;
  /** Minimum priority fee, in micro-lamports per compute unit. */
  readonly unitPrice: bigint;
  /** Returns the instructions after the compute budget, with the vault's part encoded against these tables. */
  readonly instructions: (tables: LookupTables) => readonly Instruction[];
  /** The plan's own lookup tables, as read from the chain; none when absent. */
  readonly tables?: LookupTables | undefined;
  readonly expects: Expectation;
  readonly costs: CustodyCosts;
  /** Lamports returned to the owner's wallet; none when absent. */
  readonly recoveredLamports?: bigint;
  /** Text placed before the reason when the chain rejects it. */
  readonly failure?: string;
  /**
   * True for a plan that deposits money or opens something: refused when it leaves no room for the instructions a
   * wallet may add.
   */
  readonly isEntry?: boolean;
  /** What the owner can do when the plan does not fit; defaults to closing positions, which determine its size. */
  readonly wayOut?: string;
  /** Plan to sign before this one when this one does not fit; absent: none. */
  readonly whenTooLarge?: CustodyPlan;
  /** Alternative plan when this one does not fit or would fail, with the warning shown to the owner. */
  readonly orElse?: { readonly plan: CustodyPlan; readonly warning: string };
}

/** Seconds after which a step that waits for the exchange may be asked for again. */
const RETRY_SECONDS = 1;

/**
 * Returns a venue's step as one transaction of the owner: the vault transaction is created, approved, executed and
 * closed in it. Throws `order_waiting` for a step that cannot have its effect yet.
 */
export function wrapVaultStep(
  step: PlanStep,
  account: VenueAccount,
  lastTransactionIndex: bigint,
): Pick<CustodyPlan, "computeUnitLimit" | "instructions" | "expects" | "tables"> {
  if (step.waitsFor !== undefined) {
    throw new AppError("order_waiting", {
      message: step.waitsFor,
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
  const transactionIndex = lastTransactionIndex + 1n;
  const vaultTransaction: Address | null =
    step.asVault.length === 0
      ? null
      : deriveVaultTransaction(account.multisig, transactionIndex).address;
  return {
    computeUnitLimit: step.computeUnitLimit,
    tables: step.tables,
    instructions: (tables) => [
      ...step.before,
      ...(vaultTransaction === null
        ? []
        : vaultLife({
            multisig: account.multisig,
            transactionIndex,
            member: account.owner,
            vault: account.vault,
            rentCollector: account.owner,
            instructions: step.asVault,
            tables,
          })),
      ...step.after,
    ],
    expects: { effects: step.expects, vaultTransaction, needsCoSigner: false },
  };
}

/** Throws when the owner's wallet holds less than a step needs. */
export function requireWallet(state: CustodyState, lamports: bigint): void {
  if (state.ownerLamports >= lamports) return;
  throw new AppError("wallet_balance_too_low", {
    message: `Please add at least ${formatSol(lamports)} to pay for transaction fees. Your wallet holds ${formatSol(state.ownerLamports)}.`,
  });
}
