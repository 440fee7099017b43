import { type ExchangeAccess, touchedMarkets } from "./exchange-access.ts";
import type { TradingPort } from "../ports.ts";
import { heldPositions } from "./account-state.ts";
import { budgeted, buildOrderFrom } from "./build-order.ts";
import { settlePnl } from "./trading-instructions.ts";
import { unrealizedPnl } from "./margin.ts";
import { fillsOfRestingOrder, reportOrderOf } from "./order-report.ts";
import { followFrom } from "./resting-order.ts";

/** The venue's trading calls: the trading key's orders and their outcome. */
export function tradingPart(
  access: ExchangeAccess,
): Pick<
  TradingPort,
  "buildOrder" | "buildSettle" | "reportOrder" | "followOrder" | "fillsOfResting"
> {
  const { instance, clock, reader, userAddress, marketIndex, marketOf, readOne } = access;
  return {
    async buildOrder(account, order, seen) {
      const { reading, user } = await access.readAsSeen(account, seen);
      const market = marketOf(reading, order.market.marketId);
      const markets = reader.marketAccounts(reading, [
        ...touchedMarkets(user),
        market.market.marketIndex,
      ]);
      const exchange = { reading, user, market, markets };
      return buildOrderFrom(instance, account, order, exchange, clock.now());
    },
    async buildSettle(account, marketId) {
      const { reading, user } = await readOne(account);
      if (user === null) return [];
      const index = marketIndex(marketId);
      const held = heldPositions(user, reading).find(({ slot }) => slot.marketIndex === index);
      if (held === undefined || unrealizedPnl(held.margin) === 0n) return [];
      const markets = reader.marketAccounts(reading, touchedMarkets(user));
      return budgeted([
        settlePnl(
          instance,
          { authority: account.vault, subAccountId: account.subAccountId },
          account.tradingKey,
          index,
          instance.quoteSpotMarketIndex,
          markets,
        ),
      ]);
    },
    reportOrder: (account, outcome) => reportOrderOf(instance, userAddress(account), outcome),
    async followOrder(account, resting) {
      const { reading, user } = await readOne(account);
      const markets = reader.marketAccounts(reading, [
        ...touchedMarkets(user),
        marketIndex(resting.marketId),
      ]);
      return followFrom(instance, account, resting, { reading, user, markets }, clock.now());
    },
    fillsOfResting: (account, resting, outcome) =>
      fillsOfRestingOrder(instance, userAddress(account), resting, outcome),
  };
}
