import type { Address } from "@solana/kit";
import type { Clock } from "../../domain/clock.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import type { PlanStep, Venue, VenueAccount, VenueCustody } from "../venue.ts";
import {
  accountStateOf,
  heldPositions,
  marginAccount,
  quoteDeposit,
  requireKeepable,
} from "./account-state.ts";
import { bookAddresses, bookTransaction } from "./book-transaction.ts";
import { budgeted, buildOrderFrom } from "./build-order.ts";
import {
  type ExchangeReading,
  type MarketReading,
  createExchangeReader,
} from "./exchange-reader.ts";
import { healthOfStatus } from "./health.ts";
import { encodeUserName, settlePnl } from "./instructions.ts";
import { judgeForeignOf } from "./judge-foreign.ts";
import { stateLayout } from "./layout-state.ts";
import { type DriftUser, ORDER_STATUS, userLayout } from "./layout-user.ts";
import { userStatsLayout } from "./layout-user-stats.ts";
import { unrealizedPnl, withdrawableAmount } from "./margin.ts";
import { ownUser, readOwned } from "./owned-account.ts";
import { ownerDeedsOf } from "./owner-deeds.ts";
import { fillsOfRestingOrder, reportOrderOf } from "./order-report.ts";
import { deriveState, deriveUser, deriveUserStats } from "./pdas.ts";
import { planDepositFrom, planRenameFrom, planSetUpFrom } from "./plan-entry.ts";
import {
  emptyStep,
  planCloseFrom,
  planDeleteFrom,
  planRevokeFrom,
  planSettleFrom,
  planWithdrawFrom,
} from "./plan-exit.ts";
import type { DriftInstance } from "./instance.ts";
import { readDriftBook } from "./read-book.ts";
import { readDriftCustody } from "./read-drift-custody.ts";
import { followFrom } from "./resting-order.ts";
import { sharedAddresses } from "./shared-addresses.ts";
import { driftErrors } from "./program-errors.ts";
import { tradingCostsFrom } from "./trading-costs.ts";

/** Markets of open positions and orders, which the program insists on being shown. */
function touchedMarkets(user: DriftUser | null): number[] {
  if (user === null) return [];
  return [
    ...user.perpPositions
      .filter((slot) => slot.baseAssetAmount !== 0n || slot.quoteAssetAmount !== 0n)
      .map(({ marketIndex }) => marketIndex),
    ...user.orders
      .filter(({ status }) => status === ORDER_STATUS.open)
      .map(({ marketIndex }) => marketIndex),
  ];
}

/** Makes the venue of a Drift deployment on a chain. The clock decides when orders die and accounts are old enough to go. */
export function createDriftVenue(options: {
  readonly chain: Chain;
  readonly instance: DriftInstance;
  readonly clock: Clock;
}): Venue {
  const { chain, instance, clock } = options;
  const reader = createExchangeReader(chain, instance);
  const stateAddress = deriveState(instance);
  const userAddress = (account: VenueAccount): Address =>
    deriveUser(instance, account.vault, account.subAccountId);
  const userOf = (account: VenueAccount) => ({
    authority: account.vault,
    subAccountId: account.subAccountId,
  });
  const marketIndex = (marketId: string): number => {
    const index = instance.perpMarketIndexes[marketId];
    if (index === undefined) throw new Error(`${instance.name} does not trade ${marketId}`);
    return index;
  };

  const marketOf = ({ markets }: ExchangeReading, marketId: string): MarketReading => {
    const index = marketIndex(marketId);
    const found = markets.find(({ market }) => market.marketIndex === index);
    if (found === undefined) throw new ChainUnavailableError(`No market ${marketId}`);
    return found;
  };

  async function readOne(
    account: VenueAccount,
  ): Promise<{ readonly reading: ExchangeReading; readonly user: DriftUser | null }> {
    const reading = await reader.read([userAddress(account)]);
    return { reading, user: ownUser(account, reading.users[0] ?? null) };
  }

  const readCustody = (account: VenueAccount): Promise<VenueCustody> =>
    readDriftCustody(options, account);

  async function planTearDown(account: VenueAccount): Promise<readonly PlanStep[]> {
    const { reading, user } = await readOne(account);
    if (user === null) return [];
    const held = heldPositions(user, reading);
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
  }

  return {
    id: "drift",
    instance,
    programErrors: driftErrors(instance),
    async health() {
      if (instance.disabledReason !== undefined) {
        return { status: "coming soon", reason: instance.disabledReason };
      }
      const { accounts } = await chain.accounts([stateAddress]);
      const state = readOwned(instance, stateLayout, accounts[0]);
      if (state === null) {
        return { status: "retired", reason: "Drift does not run on this network." };
      }
      return healthOfStatus(state.exchangeStatus);
    },
    sharedAddresses: async () => sharedAddresses(instance, await reader.priceAccounts()),
    async price(marketId) {
      return marketOf(await reader.read([]), marketId).price;
    },
    async tradingCosts(marketId) {
      const reading = await reader.read([]);
      return tradingCostsFrom(reading, marketOf(reading, marketId));
    },
    async accountState(account) {
      const { reading, user } = await readOne(account);
      return accountStateOf(user, reading);
    },
    async accountStates(accounts) {
      const reading = await reader.read(accounts.map(userAddress));
      return accounts.map((account, at) =>
        accountStateOf(ownUser(account, reading.users[at] ?? null), reading),
      );
    },
    async buildOrder(account, order) {
      const { reading, user } = await readOne(account);
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
          userOf(account),
          account.delegate,
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
    judgeForeign: (account, outcome) => judgeForeignOf(instance, userAddress(account), outcome),
    async accountNumber(account) {
      const { accounts } = await chain.accounts([
        userAddress(account),
        deriveUserStats(instance, account.vault),
      ]);
      const [user, stats] = accounts;
      if (user?.owner === instance.programId || stats == null) return account.subAccountId;
      return userStatsLayout.decode(stats.data).numberOfSubAccountsCreated;
    },
    async planSetUp(account, accountName) {
      const { accounts } = await chain.accounts([
        deriveUserStats(instance, account.vault),
        userAddress(account),
      ]);
      const [stats, user] = accounts;
      return planSetUpFrom(instance, account, accountName, {
        hasStats: readOwned(instance, userStatsLayout, stats) !== null,
        delegate: readOwned(instance, userLayout, user)?.delegate ?? null,
      });
    },
    async planDeposit(account, amount) {
      const reading = await reader.read([]);
      return planDepositFrom(instance, account, amount, reader.marketAccounts(reading, []));
    },
    async planRename(account, accountName) {
      const { accounts } = await chain.accounts([userAddress(account)]);
      const wanted = encodeUserName(accountName);
      const present = readOwned(instance, userLayout, accounts[0])?.name ?? wanted;
      return wanted.every((byte, at) => byte === present[at])
        ? emptyStep("Rename the exchange account")
        : planRenameFrom(instance, account, accountName);
    },
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
      const markets = reader.marketAccounts(reading, touchedMarkets(user));
      return planCloseFrom(instance, account, { reading, user, held, markets }, clock.now());
    },
    ownerDeeds: (account, outcome) => ownerDeedsOf(instance, userAddress(account), outcome),
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
      const { delegate } = await readCustody(account);
      return delegate === null
        ? emptyStep("Revoke the trading key")
        : planRevokeFrom(instance, account);
    },
    readCustody,
    planTearDown,
    async withdrawable(account) {
      const { reading, user } = await readOne(account);
      return user === null ? 0n : withdrawableAmount(marginAccount(user, reading));
    },
    bookAddresses: (account) => bookAddresses(instance, account),
    bookTransaction: (account, outcome) => bookTransaction(instance, account, outcome),
    readBook: (account) => readDriftBook(options, account),
  };
}
