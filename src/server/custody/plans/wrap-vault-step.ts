import type { Address, Instruction } from "@solana/kit";
import {
  setComputeUnitLimit,
  setComputeUnitPrice,
} from "../../../solana/programs/compute-budget.ts";
import { deriveVaultTransaction } from "../../../solana/programs/squads-pdas.ts";
import { vaultLife } from "../../../solana/programs/squads-vault-life.ts";
import type { PlanStep, VenueAccount } from "../../../venues/venue.ts";
import {
  OWNER_UNIT_PRICE_MICRO_LAMPORTS,
  priorityFeeLamports,
  SIGNATURE_FEE_LAMPORTS,
} from "../custody-limits.ts";
import type { Expectation } from "../expectation.ts";

/** Returns the two instructions every transaction of an owner starts with. */
export function ownerBudget(
  computeUnitLimit: number,
  unitPrice: bigint = OWNER_UNIT_PRICE_MICRO_LAMPORTS,
): readonly Instruction[] {
  return [setComputeUnitLimit(computeUnitLimit), setComputeUnitPrice(unitPrice)];
}

/** A venue's step as one transaction of the owner: the vault's part created, approved, executed and closed in it. */
export function wrapVaultStep(
  step: PlanStep,
  account: VenueAccount,
  lastTransactionIndex: bigint,
  unitPrice: bigint = OWNER_UNIT_PRICE_MICRO_LAMPORTS,
): {
  readonly instructions: readonly Instruction[];
  readonly expects: Expectation;
  readonly networkFeeLamports: bigint;
} {
  const transactionIndex = lastTransactionIndex + 1n;
  const vaultTransaction: Address | null =
    step.asVault.length === 0
      ? null
      : deriveVaultTransaction(account.multisig, transactionIndex).address;
  const inVault =
    vaultTransaction === null
      ? []
      : vaultLife({
          multisig: account.multisig,
          transactionIndex,
          member: account.owner,
          vault: account.vault,
          rentCollector: account.owner,
          instructions: step.asVault,
        });
  return {
    instructions: [
      ...ownerBudget(step.computeUnitLimit, unitPrice),
      ...step.before,
      ...inVault,
      ...step.after,
    ],
    expects: { effects: step.expects, vaultTransaction, needsCoSigner: false },
    networkFeeLamports:
      SIGNATURE_FEE_LAMPORTS + priorityFeeLamports(step.computeUnitLimit, unitPrice),
  };
}
