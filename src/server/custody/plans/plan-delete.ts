import { AppError } from "../../../contract/errors.ts";
import type { PlanStep } from "../../../venues/plan-step.ts";
import type { CustodyContext } from "../account/custody-context.ts";
import {
  EXIT_COMPUTE_UNITS,
  EXIT_UNIT_PRICE_MICRO_LAMPORTS,
  WALLET_LAMPORTS,
} from "../account/custody-limits.ts";
import type { CustodyState } from "../account/read-custody.ts";
import { type DeletionFacts, fundsSentence, readDeletion } from "./read-deletion.ts";
import { type CustodyPlan, requireWallet, wrapVaultStep } from "./custody-plan.ts";

/** Throws the reason why an agent cannot be deleted now, in the order the owner has to resolve them. */
export function requireDeletable(
  context: CustodyContext,
  facts: DeletionFacts,
  isOrderOpen: boolean,
): void {
  if (facts.funds > 0n) {
    throw new AppError("funds_remaining", { message: fundsSentence(context, facts.funds) });
  }
  if (context.agent.autoTrade !== "off") {
    throw new AppError("funds_remaining", { message: "Please turn Auto-Trade off first." });
  }
  if (isOrderOpen) {
    throw new AppError("funds_remaining", {
      message: "An order of this agent is still open. It has to settle first.",
    });
  }
}

/** Returns the remaining steps in order, as far as they are known now. */
export async function listDeletionSteps(
  context: CustodyContext,
  facts: DeletionFacts,
): Promise<readonly PlanStep[]> {
  const { venue, account } = context;
  const isRevoking = facts.isKept && facts.custody.tradingKey !== null;
  return [
    ...facts.tearDown,
    ...(isRevoking ? [await venue.planRevoke(account)] : []),
    // Deleting the account returns its rent to the vault, so a recovery always follows
    ...(facts.recovery !== null ? [facts.recovery.step] : []),
  ];
}

/** Plans the next transaction of a deletion from the chain's present state, or null when nothing is left to sign. */
export async function planDelete(
  context: CustodyContext,
  state: CustodyState,
  isOrderOpen: boolean,
): Promise<CustodyPlan | null> {
  if (state.multisig === null) return null;
  const facts = await readDeletion(context, state);
  requireDeletable(context, facts, isOrderOpen);
  const steps = await listDeletionSteps(context, facts);
  const [step] = steps;
  if (step === undefined) return null;
  requireWallet(state, WALLET_LAMPORTS);
  const isRecovery = step === facts.recovery?.step;
  return {
    step: 1,
    stepCount: isRecovery ? 1 : Math.max(2, steps.length),
    label: step.label,
    amount: null,
    ...wrapVaultStep(step, context.account, state.multisig.transactionIndex),
    computeUnitLimit: EXIT_COMPUTE_UNITS,
    unitPrice: EXIT_UNIT_PRICE_MICRO_LAMPORTS,
    costs: {
      rentLamports: 0n,
      transferLamports: 0n,
      quoteAmount: 0n,
    },
    ...(isRecovery ? { recoveredLamports: facts.recovery?.lamports ?? 0n } : {}),
    failure: isRecovery
      ? "Failed to cleanup multisig and recover funds"
      : `Failed to delete ${context.venue.id} subaccount`,
  };
}
