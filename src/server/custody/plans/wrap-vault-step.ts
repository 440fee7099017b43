import type { Address } from "@solana/kit";
import { AppError } from "../../../contract/errors.ts";
import { deriveVaultTransaction } from "../../../solana/programs/squads-pdas.ts";
import { vaultLife } from "../../../solana/programs/squads-vault-life.ts";
import type { PlanStep } from "../../../venues/plan-step.ts";
import type { VenueAccount } from "../../../venues/venue.ts";
import type { CustodyPlan } from "./custody-plan.ts";

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
