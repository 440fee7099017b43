import { AppError } from "../../../contract/errors.ts";
import { NoRouteError } from "../../../venues/plan-step.ts";
import type { CustodyContext } from "../account/custody-context.ts";
import { WALLET_LAMPORTS } from "../account/custody-limits.ts";
import type { CustodyState } from "../account/read-custody.ts";
import { type CustodyPlan, requireWallet } from "./custody-plan.ts";
import { NO_MONEY_MOVED, isEmpty, requireNoOrder, singleStepPlan } from "./plan-transfer.ts";

const MOVE_INSTEAD = "You can move it to your wallet instead.";

/**
 * Plans closing every position with the owner's own authority, then settling the PnL. Returns null when there is
 * nothing to do. Throws `no_route` when no route trades an open asset.
 */
export async function planClosePositions(
  context: CustodyContext,
  state: CustodyState,
): Promise<CustodyPlan | null> {
  requireWallet(state, WALLET_LAMPORTS);
  const { venue, account } = context;
  const closing = await venue.planClose(account).catch((error: unknown): never => {
    if (!(error instanceof NoRouteError)) throw error;
    throw new AppError("no_route", { message: `${error.message} ${MOVE_INSTEAD}` });
  });
  if (!isEmpty(closing)) {
    const rentLamports = closing.ownerRentLamports ?? 0n;
    requireWallet(state, WALLET_LAMPORTS + rentLamports);
    const plan = singleStepPlan(context, state, closing, { ...NO_MONEY_MOVED, rentLamports });
    if (venue.planMoveOut === undefined)
      return { ...plan, stepCount: 2 + (closing.followedBy ?? 0) };
    // Tokens are sold one by one, without a settlement
    const stepCount = (await venue.accountState(account)).positions.length;
    return { ...plan, stepCount, wayOut: MOVE_INSTEAD };
  }
  const settling = await venue.planSettle(account);
  if (isEmpty(settling)) return null;
  return singleStepPlan(context, state, settling, NO_MONEY_MOVED);
}

/**
 * Plans moving assets unsold from the vault to the owner's wallet, one per transaction; `marketId` selects a single
 * one. Returns null when the vault holds none. Refused while trading is on or an order is open.
 */
export async function planMoveAssets(
  context: CustodyContext,
  state: CustodyState,
  marketId: string | undefined,
  isOrderOpen: boolean,
): Promise<CustodyPlan | null> {
  const { agent, venue, account } = context;
  if (venue.planMoveOut === undefined) {
    throw new AppError("conflict", { message: "Not available on this venue." });
  }
  if (agent.autoTrade !== "off") throw new AppError("withdraw_while_on");
  requireNoOrder(isOrderOpen);
  const step = await venue.planMoveOut(account, marketId);
  if (isEmpty(step)) return null;
  const rentLamports = step.ownerRentLamports ?? 0n;
  requireWallet(state, WALLET_LAMPORTS + rentLamports);
  const plan = singleStepPlan(context, state, step, { ...NO_MONEY_MOVED, rentLamports });
  if (marketId !== undefined) return plan;
  const { assets = [] } = await venue.readCustody(account);
  return { ...plan, stepCount: assets.length };
}
