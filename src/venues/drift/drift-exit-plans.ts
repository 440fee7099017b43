import { type ExchangeAccess, touchedMarkets } from "./exchange-access.ts";
import type { CustodyPort, VenueCustody } from "../ports.ts";
import type { VenueAccount } from "../venue.ts";
import { heldPositions, quoteDeposit, requireKeepable, requireTraded } from "./account-state.ts";
import { unrealizedPnl } from "./margin.ts";
import {
  emptyStep,
  planCloseFrom,
  planDeleteFrom,
  planRevokeFrom,
  planSettleFrom,
  planWithdrawFrom,
} from "./plan-exit.ts";
import { readDriftCustody } from "./read-drift-custody.ts";

/** Plans of the owner's transactions for exiting: close, settle, withdraw, revoke, and the whole sequence. */
export function exitPlans(
  access: ExchangeAccess,
): Pick<
  CustodyPort,
  "planWithdraw" | "planClose" | "planSettle" | "planRevoke" | "planTearDown" | "readCustody"
> {
  const { instance, clock, reader, readOne } = access;
  const readCustody = (account: VenueAccount): Promise<VenueCustody> =>
    readDriftCustody(access, account);
  return {
    readCustody,
    async planWithdraw(account, amount) {
      const { reading, user } = await readOne(account);
      if (user !== null) requireKeepable(user, reading, amount);
      const markets = reader.marketAccounts(reading, touchedMarkets(user));
      return planWithdrawFrom(instance, account, amount, markets);
    },
    async planClose(account) {
      const { reading, user } = await readOne(account);
      if (user === null) return emptyStep("Close positions");
      const held = heldPositions(user, reading);
      requireTraded(held);
      const markets = reader.marketAccounts(reading, touchedMarkets(user));
      return planCloseFrom(instance, account, { reading, user, held, markets }, clock.now());
    },
    async planSettle(account) {
      const { reading, user } = await readOne(account);
      const held = user === null ? [] : heldPositions(user, reading);
      const indexes = held
        .filter(({ slot, margin }) => slot.baseAssetAmount === 0n && unrealizedPnl(margin) !== 0n)
        .map(({ slot }) => slot.marketIndex);
      const markets = reader.marketAccounts(reading, touchedMarkets(user));
      return planSettleFrom(instance, account, indexes, markets);
    },
    async planRevoke(account) {
      const { tradingKey } = await readCustody(account);
      return tradingKey === null
        ? emptyStep("Revoke the trading key")
        : planRevokeFrom(instance, account);
    },
    async planTearDown(account) {
      const { reading, user } = await readOne(account);
      if (user === null) return [];
      const held = heldPositions(user, reading);
      requireTraded(held);
      const markets = reader.marketAccounts(reading, touchedMarkets(user));
      if (user.openOrders > 0 || held.some(({ slot }) => slot.baseAssetAmount !== 0n)) {
        return [planCloseFrom(instance, account, { reading, user, held, markets }, clock.now())];
      }
      if (held.length > 0) {
        const indexes = held.map(({ slot }) => slot.marketIndex);
        return [planSettleFrom(instance, account, indexes, markets)];
      }
      const tokens = quoteDeposit(user, reading);
      const isDeletable = (await readCustody(account)).deletableAtMs === null;
      return [
        ...(tokens > 0n ? [planWithdrawFrom(instance, account, tokens, markets)] : []),
        ...(isDeletable ? [planDeleteFrom(instance, account)] : []),
      ];
    },
  };
}
