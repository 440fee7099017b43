import type { Address } from "@solana/kit";
import type { Clock } from "../../domain/clock.ts";
import { type Chain, ChainUnavailableError } from "../../solana/chain.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import type { PlanStep, Venue, VenueAccount, VenueCustody } from "../venue.ts";
import { accountStateOf, heldPositions, marginAccount, quoteDeposit } from "./account-state.ts";
import { type ExchangeReading, createExchangeReader } from "./exchange-reader.ts";
import { healthOfStatus } from "./health.ts";
import { cancelOrders, encodeUserName, placeAndTakePerpOrder, settlePnl } from "./instructions.ts";
import { judgeForeignOf } from "./judge-foreign.ts";
import { stateLayout } from "./layout-state.ts";
import { type DriftUser, ORDER_STATUS, userLayout } from "./layout-user.ts";
import { unrealizedPnl, withdrawableAmount } from "./margin.ts";
import { limitPrice, marketOrderParams } from "./order-params.ts";
import { reportOrderOf } from "./order-report.ts";
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
import type { DriftProfile } from "./profile.ts";
import { readDriftCustody } from "./read-drift-custody.ts";
import { sharedAddresses } from "./shared-addresses.ts";
import { driftErrors } from "./program-errors.ts";

/** Compute units of the delegate's order; 68,079 measured with one market. */
const ORDER_COMPUTE_UNITS = 200_000;

/** Priority fee of the delegate's orders: 0.000001 SOL at the limit above. */
const ORDER_MICRO_LAMPORTS = 5_000n;

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

/** Makes the venue of a Drift deployment on a chain. The clock only decides whether an account is old enough to delete. */
export function createDriftVenue(options: {
  readonly chain: Chain;
  readonly profile: DriftProfile;
  readonly clock: Clock;
}): Venue {
  const { chain, profile } = options;
  const reader = createExchangeReader(chain, profile);
  const stateAddress = deriveState(profile);
  const userAddress = (account: VenueAccount): Address =>
    deriveUser(profile, account.vault, account.subAccountId);
  const userOf = (account: VenueAccount) => ({
    authority: account.vault,
    subAccountId: account.subAccountId,
  });
  const marketIndex = (marketId: string): number => {
    const index = profile.perpMarketIndexes[marketId];
    if (index === undefined) throw new Error(`${profile.name} does not trade ${marketId}`);
    return index;
  };

  async function readOne(
    account: VenueAccount,
  ): Promise<{ readonly reading: ExchangeReading; readonly user: DriftUser | null }> {
    const reading = await reader.read([userAddress(account)]);
    return { reading, user: reading.users[0] ?? null };
  }

  const readCustody = (account: VenueAccount): Promise<VenueCustody> =>
    readDriftCustody(options, account);

  async function planTearDown(account: VenueAccount): Promise<readonly PlanStep[]> {
    const { reading, user } = await readOne(account);
    if (user === null) return [];
    const held = heldPositions(user, reading);
    const markets = reader.marketAccounts(reading, touchedMarkets(user));
    if (user.openOrders > 0 || held.some(({ slot }) => slot.baseAssetAmount !== 0n)) {
      return [planCloseFrom(profile, account, held, user.openOrders, markets)];
    }
    if (held.length > 0) {
      const indexes = held.map(({ slot }) => slot.marketIndex);
      return [planSettleFrom(profile, account, indexes, markets)];
    }
    const tokens = quoteDeposit(user, reading);
    const isDeletable = (await readCustody(account)).deletableAtMs === null;
    return [
      ...(tokens > 0n ? [planWithdrawFrom(profile, account, tokens, markets)] : []),
      ...(isDeletable ? [planDeleteFrom(profile, account)] : []),
    ];
  }

  return {
    id: "drift",
    profile,
    programErrors: driftErrors(profile),
    async health() {
      if (profile.disabledReason !== undefined) {
        return { status: "coming soon", reason: profile.disabledReason };
      }
      const { accounts } = await chain.accounts([stateAddress]);
      const [state] = accounts;
      if (state === null || state === undefined) {
        return { status: "retired", reason: "Drift does not run on this network." };
      }
      return healthOfStatus(stateLayout.decode(state.data).exchangeStatus);
    },
    sharedAddresses: async () => sharedAddresses(profile, await reader.priceAccounts()),
    async price(marketId) {
      const index = marketIndex(marketId);
      const { markets } = await reader.read([]);
      const reading = markets.find(({ market }) => market.marketIndex === index);
      if (reading === undefined) throw new ChainUnavailableError(`No price of ${marketId}`);
      return reading.price;
    },
    async accountState(account) {
      const { reading, user } = await readOne(account);
      return accountStateOf(user, reading);
    },
    async accountStates(accounts) {
      const reading = await reader.read(accounts.map(userAddress));
      return reading.users.map((user) => accountStateOf(user, reading));
    },
    async buildOrder(account, order) {
      const { reading, user } = await readOne(account);
      const index = marketIndex(order.market.marketId);
      const market = reading.markets.find((known) => known.market.marketIndex === index);
      const tick = market?.market.amm.orderTickSize ?? 1n;
      const params = marketOrderParams({
        marketIndex: index,
        side: order.side,
        baseSize: order.baseSize,
        price: limitPrice(order.side, order.referencePrice, order.slippageBps, tick),
        reduceOnly: order.reduceOnly,
      });
      const markets = reader.marketAccounts(reading, [...touchedMarkets(user), index]);
      // Nobody's resting order may open again what is being closed
      const isCancelling = order.reduceOnly && (user?.openOrders ?? 0) > 0;
      return {
        instructions: [
          setComputeUnitLimit(ORDER_COMPUTE_UNITS),
          setComputeUnitPrice(ORDER_MICRO_LAMPORTS),
          ...(isCancelling
            ? [cancelOrders(profile, userOf(account), account.delegate, markets)]
            : []),
          placeAndTakePerpOrder(profile, userOf(account), account.delegate, params, markets),
        ],
      };
    },
    async buildSettle(account, marketId) {
      const { reading, user } = await readOne(account);
      if (user === null) return [];
      const index = marketIndex(marketId);
      const held = heldPositions(user, reading).find(({ slot }) => slot.marketIndex === index);
      if (held === undefined || unrealizedPnl(held.margin) === 0n) return [];
      const markets = reader.marketAccounts(reading, touchedMarkets(user));
      return [
        setComputeUnitLimit(ORDER_COMPUTE_UNITS),
        setComputeUnitPrice(ORDER_MICRO_LAMPORTS),
        settlePnl(
          profile,
          userOf(account),
          account.delegate,
          index,
          profile.quoteSpotMarketIndex,
          markets,
        ),
      ];
    },
    reportOrder: (account, outcome) => reportOrderOf(profile, userAddress(account), outcome),
    judgeForeign: (account, outcome) => judgeForeignOf(profile, userAddress(account), outcome),
    async planSetUp(account, accountName) {
      const { accounts } = await chain.accounts([
        deriveUserStats(profile, account.vault),
        userAddress(account),
      ]);
      const [stats, user] = accounts;
      return planSetUpFrom(profile, account, accountName, {
        hasStats: stats != null,
        delegate: user == null ? null : userLayout.decode(user.data).delegate,
      });
    },
    async planDeposit(account, amount) {
      const reading = await reader.read([]);
      return planDepositFrom(profile, account, amount, reader.marketAccounts(reading, []));
    },
    async planRename(account, accountName) {
      const [held] = (await chain.accounts([userAddress(account)])).accounts;
      const wanted = encodeUserName(accountName);
      const present = held == null ? wanted : userLayout.decode(held.data).name;
      return wanted.every((byte, at) => byte === present[at])
        ? emptyStep("Rename the exchange account")
        : planRenameFrom(profile, account, accountName);
    },
    async planWithdraw(account, amount) {
      const { reading, user } = await readOne(account);
      const markets = reader.marketAccounts(reading, touchedMarkets(user));
      return planWithdrawFrom(profile, account, amount, markets);
    },
    async planClose(account) {
      const { reading, user } = await readOne(account);
      const held = user === null ? [] : heldPositions(user, reading);
      const markets = reader.marketAccounts(reading, touchedMarkets(user));
      return planCloseFrom(profile, account, held, user?.openOrders ?? 0, markets);
    },
    async planSettle(account) {
      const { reading, user } = await readOne(account);
      const held = user === null ? [] : heldPositions(user, reading);
      const indexes = held
        .filter(({ slot, margin }) => slot.baseAssetAmount === 0n && unrealizedPnl(margin) !== 0n)
        .map(({ slot }) => slot.marketIndex);
      const markets = reader.marketAccounts(reading, touchedMarkets(user));
      return planSettleFrom(profile, account, indexes, markets);
    },
    async planRevoke(account) {
      const { delegate } = await readCustody(account);
      return delegate === null
        ? emptyStep("Revoke the trading key")
        : planRevokeFrom(profile, account);
    },
    readCustody,
    planTearDown,
    async withdrawable(account) {
      const { reading, user } = await readOne(account);
      return user === null ? 0n : withdrawableAmount(marginAccount(user, reading));
    },
  };
}
