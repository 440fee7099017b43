import { AppError } from "../../../contract/errors.ts";
import { parseDecimal } from "../../../domain/amount.ts";
import type { CustodyContext } from "../account/custody-context.ts";
import { OWNER_UNIT_PRICE_MICRO_LAMPORTS, WALLET_LAMPORTS } from "../account/custody-limits.ts";
import type { CustodyState } from "../account/read-custody.ts";
import { type CustodyPlan, requireWallet, wrapVaultStep } from "./custody-plan.ts";

/**
 * Plans replacing the trading key's spending limits in one transaction, or letting the venue's account take orders of the
 * agent's leverage, where that is what it bounds. `amountText` is in whole quote units a day;
 * when absent the amount is kept and only a changed asset is followed. Returns null when the limits are already
 * correct.
 */
export async function planUpdateLimits(
  context: CustodyContext,
  state: CustodyState,
  amountText: string | undefined,
): Promise<CustodyPlan | null> {
  const { venue, account, agent } = context;
  if (state.multisig === null) throw new AppError("multisig_missing");
  const { decimals } = venue.instance.quote;
  const amount = amountText === undefined ? null : parseDecimal(amountText, decimals);
  if (amountText !== undefined && amount === null) throw new AppError("amount_invalid");
  const steps =
    amount === null
      ? (venue.planLeverage?.(account) ?? venue.planSetUp(account, agent.name))
      : venue.planLimits?.(account, amount).catch((error: unknown) => {
          if (error instanceof RangeError) {
            throw new AppError("amount_invalid", { message: `${error.message}.` });
          }
          throw error;
        });
  if (steps === undefined) {
    throw new AppError("conflict", { message: "Not available on this venue." });
  }
  const [step] = await steps;
  if (step === undefined) return null;
  const rentLamports = step.ownerRentLamports ?? 0n;
  requireWallet(state, WALLET_LAMPORTS + rentLamports);
  return {
    step: 1,
    stepCount: 1,
    label: step.label,
    amount: null,
    ...wrapVaultStep(step, account, state.multisig.transactionIndex),
    unitPrice: OWNER_UNIT_PRICE_MICRO_LAMPORTS,
    isEntry: true,
    costs: {
      rentLamports,
      transferLamports: 0n,
      quoteAmount: 0n,
    },
  };
}
