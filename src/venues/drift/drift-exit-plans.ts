import type { ExchangeAccess } from "./exchange-access.ts";
import type { CustodyPort, VenueCustody } from "../ports.ts";
import type { VenueAccount } from "../venue.ts";
import { leverageOfRatio } from "./instructions.ts";
import { heldPositions, quoteDeposit, requireKeepable, requireTraded } from "./account-state.ts";
import { unrealizedPnl } from "./margin.ts";
import {
  emptyStep,
  isClosed,
  planCloseFrom,
  planDeleteFrom,
  planRevokeFrom,
  planSettleFrom,
  planWithdrawFrom,
} from "./plan-exit.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Chain } from "../../solana/chain.ts";
import { SYSTEM_PROGRAM } from "../../solana/programs/system.ts";
import { deletableAt } from "./deletion-age.ts";
import { stateLayout } from "./layout-state.ts";
import { userStatsLayout } from "./layout-user-stats.ts";
import { userLayout } from "./layout-user.ts";
import { readOwned, requireOwned } from "./owned-account.ts";
import { deriveState, deriveUserStats, userAddressOf } from "./pdas.ts";
import type { DriftInstance } from "./instance.ts";

/** Plans of the owner's transactions for exiting: close, settle, withdraw, revoke, and the whole sequence. */
export function exitPlans(
  access: ExchangeAccess,
): Pick<
  CustodyPort,
  "planWithdraw" | "planClose" | "planSettle" | "planRevoke" | "planTearDown" | "readCustody"
> {
  const { instance, clock, readOne } = access;
  const readCustody = (account: VenueAccount): Promise<VenueCustody> =>
    readDriftCustody(access, account);
  return {
    readCustody,
    async planWithdraw(account, amount) {
      const { reading, user, markets } = await readOne(account);
      if (user !== null) requireKeepable(user, reading, amount);
      return planWithdrawFrom(instance, account, amount, markets());
    },
    async planClose(account) {
      const { reading, user, markets } = await readOne(account);
      const held = user === null ? [] : heldPositions(user, reading);
      requireTraded(held);
      if (user === null || isClosed(user, held)) return emptyStep("Close positions");
      const open = { reading, user, held, markets: markets() };
      return planCloseFrom(instance, account, open, clock.now());
    },
    async planSettle(account) {
      const { reading, user, markets } = await readOne(account);
      const held = user === null ? [] : heldPositions(user, reading);
      const indexes = held
        .filter(({ slot, margin }) => slot.baseAssetAmount === 0n && unrealizedPnl(margin) !== 0n)
        .map(({ slot }) => slot.marketIndex);
      return planSettleFrom(instance, account, indexes, markets());
    },
    async planRevoke(account) {
      const { tradingKey } = await readCustody(account);
      return tradingKey === null
        ? emptyStep("Revoke the trading key")
        : planRevokeFrom(instance, account);
    },
    planTearDown: (account) => planDriftTearDown(access, account),
  };
}

/** Plans the next step on the way to an account that is closed and paid out; none where there is no account. */
async function planDriftTearDown(
  access: ExchangeAccess,
  account: VenueAccount,
): ReturnType<CustodyPort["planTearDown"]> {
  const { instance, clock } = access;
  const { reading, user, markets: marketsOf } = await access.readOne(account);
  if (user === null) return [];
  const held = heldPositions(user, reading);
  requireTraded(held);
  const markets = marketsOf();
  if (user.openOrders > 0 || held.some(({ slot }) => slot.baseAssetAmount !== 0n)) {
    return [planCloseFrom(instance, account, { reading, user, held, markets }, clock.now())];
  }
  if (held.length > 0) {
    const indexes = held.map(({ slot }) => slot.marketIndex);
    return [planSettleFrom(instance, account, indexes, markets)];
  }
  const tokens = quoteDeposit(user, reading);
  const isDeletable = (await readDriftCustody(access, account)).deletableAtMs === null;
  return [
    ...(tokens > 0n ? [planWithdrawFrom(instance, account, tokens, markets)] : []),
    ...(isDeletable ? [planDeleteFrom(instance, account)] : []),
  ];
}

/**
 * Reads custody facts of an agent's exchange account: its trading key, its rent, and whether it is old enough for
 * deletion.
 */
async function readDriftCustody(
  {
    chain,
    instance,
    clock,
  }: {
    readonly chain: Chain;
    readonly instance: DriftInstance;
    readonly clock: Clock;
  },
  account: VenueAccount,
): Promise<VenueCustody> {
  const address = userAddressOf(instance, account);
  const { accounts } = await chain.accounts([
    address,
    deriveState(instance),
    deriveUserStats(instance, account.vault),
  ]);
  const [held, state, stats] = accounts;
  const user = readOwned(instance, userLayout, held);
  if (held == null || user === null) {
    return {
      account: null,
      tradingKey: null,
      heldLamports: 0n,
      deletableAtMs: null,
      ...(stats == null ? {} : { unrecoverableLamports: stats.lamports }),
    };
  }
  return {
    account: address,
    tradingKey: user.delegate === SYSTEM_PROGRAM ? null : user.delegate,
    leverage: leverageOfRatio(user.maxMarginRatio),
    heldLamports: held.lamports,
    ...(stats == null ? {} : { unrecoverableLamports: stats.lamports }),
    deletableAtMs: deletableAt(
      requireOwned(instance, stateLayout, state),
      requireOwned(instance, userStatsLayout, stats),
      user,
      clock.now(),
    ),
  };
}
