import type { Instruction } from "@solana/kit";
import { AppError } from "../../../contract/errors.ts";
import { formatDecimal, parseDecimal } from "../../../domain/amount.ts";
import type { AccountState } from "../../../domain/position.ts";
import { ASSOCIATED_TOKEN_PROGRAM } from "../../../solana/programs/associated-token.ts";
import type { PlanStep } from "../../../venues/plan-step.ts";
import type { CustodyContext } from "../account/custody-context.ts";
import { OWNER_UNIT_PRICE_MICRO_LAMPORTS, WALLET_LAMPORTS } from "../account/custody-limits.ts";
import type { CustodyState } from "../account/read-custody.ts";
import { type CustodyPlan, requireWallet, wrapVaultStep } from "./custody-plan.ts";
import { openingFirst } from "./plan-set-up.ts";

/** Plans a deposit from wallet to vault to venue in one transaction. `amountText` in whole quote units. */
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
  const planned = await venue.planDeposit(account, amount);
  // The vault's token account is open since the set-up: asking for it again would take a wallet's room
  const isNeeded = ({ programAddress }: Instruction) =>
    !(state.vaultHasQuoteAccount && programAddress === ASSOCIATED_TOKEN_PROGRAM);
  const step = { ...planned, before: planned.before.filter(isNeeded) };
  const figures = {
    amount,
    rentLamports: state.vaultHasQuoteAccount ? 0n : state.rents.tokenAccount,
    quoteAmount: amount,
  };
  const plan = {
    ...singleStepPlan(context, state, step, figures),
    isEntry: true,
    ...openingFirst(context, state, step),
  };
  const renaming = await planRename(context);
  if (renaming.length === 0) return plan;
  const named = { ...step, asVault: [...step.asVault, ...renaming] };
  return {
    ...singleStepPlan(context, state, named, figures),
    isEntry: true,
    orElse: {
      plan,
      warning: "The venue's account keeps the name it was set up with: renaming it failed.",
    },
  };
}

/**
 * Plans renaming the venue's account after the agent, part of the first deposit; only the owner's vault can rename it.
 */
async function planRename({ agent, venue, account }: CustodyContext) {
  if (agent.subAccountId !== null || venue.planRename === undefined) return [];
  return (await venue.planRename(account, agent.name)).asVault;
}

/**
 * Plans a withdrawal from venue to vault to wallet in one transaction. Refused while trading is on or an order is open.
 */
export async function planWithdraw(
  context: CustodyContext,
  state: CustodyState,
  amountText: string | undefined,
  isOrderOpen: boolean,
): Promise<CustodyPlan> {
  const { agent, venue, account } = context;
  if (agent.autoTrade !== "off") throw new AppError("withdraw_while_on");
  requireNoOrder(isOrderOpen);
  const amount = parseAmount(context, amountText);
  const figures = await venue.accountState(account);
  if (amount > figures.withdrawable) {
    const settling = await planSettlement(context, amount, figures);
    if (settling !== null) {
      requireWallet(state, WALLET_LAMPORTS);
      return { ...singleStepPlan(context, state, settling, NO_MONEY_MOVED), stepCount: 2 };
    }
    const { symbol, decimals } = venue.instance.quote;
    throw new AppError("withdrawable_exceeded", {
      message: `Insufficient withdrawable funds: Maximum withdrawable amount is ${formatDecimal(figures.withdrawable, decimals)} ${symbol} (considering margin requirements)`,
    });
  }
  requireWallet(state, WALLET_LAMPORTS);
  const step = await venue.planWithdraw(account, amount).catch((error: unknown) => {
    if (error instanceof RangeError) {
      throw new AppError("amount_invalid", { message: `${error.message}.` });
    }
    throw error;
  });
  return singleStepPlan(context, state, step, { ...NO_MONEY_MOVED, amount });
}

/** Throws while an order of the agent is open: it may need the funds to be withdrawn. */
export function requireNoOrder(isOrderOpen: boolean): void {
  if (!isOrderOpen) return;
  throw new AppError("conflict", {
    message: "An order of this agent is still open. It has to settle first.",
  });
}

/** Plans settling realized gains first when only they are missing: unsettled gains cannot be withdrawn. */
async function planSettlement(
  { venue, account }: CustodyContext,
  amount: bigint,
  { positions, portfolioValue }: AccountState,
): Promise<PlanStep | null> {
  if (positions.length > 0 || amount > portfolioValue) return null;
  const step = await venue.planSettle(account);
  return isEmpty(step) ? null : step;
}

export const NO_MONEY_MOVED = { amount: null, rentLamports: 0n, quoteAmount: 0n };

export const isEmpty = ({ before, asVault, after }: PlanStep): boolean =>
  before.length + asVault.length + after.length === 0;

/** Plans revoking the trading key, or returns null when no key may trade. Available in every state. */
export async function planRevoke(
  context: CustodyContext,
  state: CustodyState,
): Promise<CustodyPlan | null> {
  const step = await context.venue.planRevoke(context.account);
  if (isEmpty(step)) return null;
  requireWallet(state, WALLET_LAMPORTS);
  return singleStepPlan(context, state, step, NO_MONEY_MOVED);
}

/** Returns a venue's step as the only transaction of its intent. */
export function singleStepPlan(
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
  return {
    step: 1,
    stepCount: 1,
    label: step.label,
    amount: figures.amount,
    ...wrapVaultStep(step, context.account, state.multisig.transactionIndex),
    unitPrice: OWNER_UNIT_PRICE_MICRO_LAMPORTS,
    costs: {
      rentLamports: figures.rentLamports,
      transferLamports: 0n,
      quoteAmount: figures.quoteAmount,
    },
  };
}

function parseAmount(context: CustodyContext, text: string | undefined): bigint {
  const amount =
    text === undefined ? null : parseDecimal(text, context.venue.instance.quote.decimals);
  if (amount === null || amount === 0n) throw new AppError("amount_invalid");
  return amount;
}
