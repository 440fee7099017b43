import { AppError } from "../../../contract/errors.ts";
import { formatDecimal, parseDecimal } from "../../../domain/amount.ts";
import type { PlanStep } from "../../../venues/venue.ts";
import type { CustodyContext } from "../custody-context.ts";
import { TOKEN_ACCOUNT_RENT_LAMPORTS, WALLET_LAMPORTS } from "../custody-limits.ts";
import type { CustodyState } from "../read-custody.ts";
import type { CustodyPlan } from "./custody-plan.ts";
import { requireWallet } from "./require-wallet.ts";
import { wrapVaultStep } from "./wrap-vault-step.ts";

/** Plans wallet to vault to venue in one transaction. `amountText` in whole quote units. */
export async function planDeposit(
  context: CustodyContext,
  state: CustodyState,
  amountText: string | undefined,
): Promise<CustodyPlan> {
  const { venue, account } = context;
  const amount = parseAmount(context, amountText);
  const health = await venue.health();
  if (health.status !== "available") {
    throw new AppError(
      "venue_unavailable",
      health.reason === undefined ? {} : { message: health.reason },
    );
  }
  if (amount > state.ownerQuote) throw new AppError("balance_insufficient");
  requireWallet(state, WALLET_LAMPORTS);
  const step = await venue.planDeposit(account, amount);
  return wholePlan(context, state, step, {
    amount,
    rentLamports: state.vaultHasQuoteAccount ? 0n : TOKEN_ACCOUNT_RENT_LAMPORTS,
    quoteAmount: amount,
  });
}

/** Plans venue to vault to wallet in one transaction. Refused while trading is on or an order is on its way. */
export async function planWithdraw(
  context: CustodyContext,
  state: CustodyState,
  amountText: string | undefined,
  isOrderOpen: boolean,
): Promise<CustodyPlan> {
  const { agent, venue, account } = context;
  if (agent.autoTrade !== "off") throw new AppError("withdraw_while_on");
  if (isOrderOpen) {
    throw new AppError("conflict", {
      message: "An order of this agent is still open. It has to settle first.",
    });
  }
  const amount = parseAmount(context, amountText);
  const withdrawable = await venue.withdrawable(account);
  if (amount > withdrawable) {
    const { symbol, decimals } = venue.profile.quote;
    throw new AppError("withdrawable_exceeded", {
      message: `Insufficient withdrawable funds: Maximum withdrawable amount is ${formatDecimal(withdrawable, decimals)} ${symbol} (considering margin requirements)`,
    });
  }
  requireWallet(state, WALLET_LAMPORTS);
  const step = await venue.planWithdraw(account, amount);
  return wholePlan(context, state, step, { amount, rentLamports: 0n, quoteAmount: 0n });
}

/** Plans closing every position with the owner's own authority, or answers null when there is nothing to do. */
export async function planClosePositions(
  context: CustodyContext,
  state: CustodyState,
): Promise<CustodyPlan | null> {
  requireWallet(state, WALLET_LAMPORTS);
  const step = await context.venue.planClose(context.account);
  if (step.before.length + step.asVault.length + step.after.length === 0) return null;
  return wholePlan(context, state, step, { amount: null, rentLamports: 0n, quoteAmount: 0n });
}

function wholePlan(
  context: CustodyContext,
  state: CustodyState,
  step: PlanStep,
  figures: {
    readonly amount: bigint | null;
    readonly rentLamports: bigint;
    readonly quoteAmount: bigint;
  },
): CustodyPlan {
  if (state.multisig === null) throw new AppError("multisig_missing");
  const wrapped = wrapVaultStep(step, context.account, state.multisig.transactionIndex);
  return {
    step: 1,
    stepCount: 1,
    label: step.label,
    amount: figures.amount,
    instructions: wrapped.instructions,
    expects: wrapped.expects,
    costs: {
      networkFeeLamports: wrapped.networkFeeLamports,
      rentLamports: figures.rentLamports,
      transferLamports: 0n,
      quoteAmount: figures.quoteAmount,
    },
  };
}

function parseAmount(context: CustodyContext, text: string | undefined): bigint {
  const amount =
    text === undefined ? null : parseDecimal(text, context.venue.profile.quote.decimals);
  if (amount === null || amount === 0n) throw new AppError("amount_invalid");
  return amount;
}
