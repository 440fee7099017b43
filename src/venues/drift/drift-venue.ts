import { accessExchange, type ExchangeAccess, exchangeOf } from "./exchange-access.ts";
import { exitPlans } from "./drift-exit-plans.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Chain, TransactionOutcome } from "../../solana/chain.ts";
import type { Venue, CustodyPort, OwnerActivity, TradingPort } from "../ports.ts";
import {
  bookAddresses,
  bookTransaction,
  referrerRewards,
  BASE_DECIMALS,
  bookUsers,
} from "./book-transaction.ts";
import { classifyExternalFrom } from "./classify-external.ts";
import { type DriftInstance, marketName, tradedMarket } from "./instance.ts";
import { driftErrors } from "./program-errors.ts";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { TOKEN_ACCOUNT_SIZE, TOKEN_PROGRAM } from "../../solana/programs/token.ts";
import { accountsOf, encodeUserName, settlePnl } from "./instructions.ts";
import { userLayout, BALANCE_TYPE, type DriftUser } from "./layout-user.ts";
import { userStatsLayout } from "./layout-user-stats.ts";
import { readOwned, requireOwned, ownUser } from "./owned-account.ts";
import { derivePerpMarket, deriveUserStats, deriveSpotMarket, deriveState } from "./pdas.ts";
import { planDepositFrom, planRenameFrom, planLeverageFrom, planSetUpFrom } from "./plan-entry.ts";
import { emptyStep } from "./plan-exit.ts";
import type { Address } from "@solana/kit";
import { linesOf } from "../../solana/program-logs.ts";
import { BASE_PRECISION, unpaidFunding, unrealizedPnl } from "./margin.ts";
import { ORDER_ACTION, ownSide, parseOrderActionLog } from "./order-action-record.ts";
import { accountStateOf, fundingRates, heldPositions, lacksStopOf } from "./account-state.ts";
import { budgeted, buildOrderFrom, buildProtectiveFrom } from "./build-order.ts";
import { fillsOfRestingOrder, protectiveActsOf, reportOrderOf } from "./order-report.ts";
import { restingProtective } from "./protective.ts";
import { followFrom, restingFrom } from "./resting-order.ts";
import {
  type AccruingBalance,
  type LedgerReading,
  LAMPORTS,
  tokenBalance,
  VAULT,
  VAULT_SOL,
} from "../ledger-reading.ts";
import type { VenueAccount } from "../venue.ts";
import { tokenAmount } from "./balance.ts";
import { perpMarketLayout } from "./layout-perp-market.ts";
import { type DriftSpotMarket, spotMarketLayout } from "./layout-spot-market.ts";
import { readIssuedTokens } from "../issuer-powers.ts";
import { healthOfStatus } from "./health.ts";
import { stateLayout } from "./layout-state.ts";
import { toSafeNumber } from "../../domain/amount.ts";
import { PERP_BASE_DECIMALS } from "./profile.ts";
import type { KnownTradingCosts } from "../../domain/trading-costs.ts";
import type { ExchangeReading, MarketReading } from "./exchange-reader.ts";
import { sharedAddresses } from "./shared-addresses.ts";

const MILLION = 1_000_000n;

/** Order size that the price impact refers to, in quote units with six decimals. */
const IMPACT_ORDER = 10_000n * MILLION;

/** Hourly funding rates have nine decimals of quote per base asset, prices have six. */
const RATE_PER_PRICE = 1_000n;
const HOURS_PER_DAY = 24n;

/** Returns the present trading costs of a market from the exchange's accounts. */
function tradingCostsFrom(
  { state }: Pick<ExchangeReading, "state">,
  { market, price: { price } }: MarketReading,
): KnownTradingCosts {
  const { amm } = market;
  const tier = state.perpFeeStructure.feeTiers[0];
  if (tier === undefined) throw new Error("The exchange has no fee tier");
  const fee = (BigInt(tier.feeNumerator) * MILLION) / BigInt(tier.feeDenominator);
  // The market's own adjustment of every fee, in percent
  const adjusted = (fee * (100n + BigInt(market.feeAdjustment))) / 100n;
  const { baseAssetReserve, orderStepSize, minOrderSize, last24hAvgFundingRate } = amm;
  const base = (IMPACT_ORDER * 10n ** BigInt(PERP_BASE_DECIMALS)) / price;
  const impact = baseAssetReserve > 0n ? (base * MILLION) / baseAssetReserve : 0n;
  const funding = (last24hAvgFundingRate * HOURS_PER_DAY * MILLION) / (price * RATE_PER_PRICE);
  return {
    feePpm: toSafeNumber(adjusted),
    halfSpreadPpm: Math.max(amm.longSpread, amm.shortSpread, Math.ceil(amm.baseSpread / 2)),
    impactPpm: toSafeNumber(impact),
    fundingPpmPerDay: toSafeNumber(funding),
    maintenancePpm: market.marginRatioMaintenance * 100,
    minBaseSize: minOrderSize > orderStepSize ? minOrderSize : orderStepSize,
    baseStep: orderStepSize,
    sources: {
      fee: "First fee tier of the exchange's state account",
      spread: "The market's present distance of bid and ask from its oracle",
      impact: "The market maker's curve as it stands, for an order of 10,000",
      funding: "Mean funding rate of the last 24 hours in the market's account",
      minimum: "Smallest order, step and maintenance margin in the market's account",
    },
  };
}

/** The venue's read calls: exchange state and the state of one account. */
function readingPart(
  access: ExchangeAccess,
): Pick<TradingPort, "health" | "price" | "tradingCosts" | "accountState" | "accountStates"> &
  Pick<CustodyPort, "sharedAddresses" | "accountNumber"> {
  const { chain, instance, reader, userAddress, marketOf, readOne } = access;
  const stateAddress = deriveState(instance);
  return {
    async health() {
      if (instance.disabledReason !== undefined) {
        return { status: "coming soon", reason: instance.disabledReason };
      }
      // Together, because an exit waits for both
      const [{ accounts }, issued] = await Promise.all([
        chain.accounts([stateAddress]),
        readIssuedTokens(chain, [instance.quote]),
      ]);
      const state = readOwned(instance, stateLayout, accounts[0]);
      if (state === null) {
        return { status: "retired", reason: "Drift does not run on this network." };
      }
      return { ...healthOfStatus(state.exchangeStatus), issued };
    },
    sharedAddresses: async () => sharedAddresses(instance, await reader.priceAccounts()),
    async price(marketId) {
      return marketOf(await reader.read([]), marketId).price;
    },
    async tradingCosts(marketId) {
      const reading = await reader.read([]);
      return tradingCostsFrom(reading, marketOf(reading, marketId));
    },
    async accountState(account, on) {
      const read = await readOne(account, on);
      return access.keepReading(accountStateOf(read.user, read.reading), read);
    },
    async accountStates(accounts) {
      const reading = await reader.read(accounts.map(userAddress));
      return accounts.map((account, at) =>
        accountStateOf(ownUser(account, reading.users[at] ?? null), reading),
      );
    },
    async accountNumber(account) {
      const { accounts } = await chain.accounts([
        userAddress(account),
        deriveUserStats(instance, account.vault),
      ]);
      const [user, stats] = accounts;
      if (user?.owner === instance.programId || stats == null) return account.subAccountId;
      return userStatsLayout.decode(stats.data).numberOfSubAccountsCreated;
    },
  };
}

/**
 * Creates the venue of a Drift deployment on a chain. The clock decides when orders expire and when accounts are old
 * enough for deletion.
 */
export function createDriftVenue(options: {
  readonly chain: Chain;
  readonly instance: DriftInstance;
  readonly clock: Clock;
}): Venue {
  const { instance } = options;
  const access = accessExchange(options);
  return {
    id: "drift",
    instance,
    programErrors: driftErrors(instance),
    ...readingPart(access),
    ...tradingPart(access),
    ...protectivePart(access),
    ...entryPlans(access),
    ...exitPlans(access),
    classifyExternal: (account, outcome) =>
      classifyExternalFrom(instance, access.userAddress(account), outcome),
    ownerActivity: (account, outcome) =>
      ownerActivityOf(instance, access.userAddress(account), outcome),
    bookAddresses: (account) => bookAddresses(instance, account),
    ownAddresses: (account) => [
      ...bookAddresses(instance, account),
      deriveUserStats(instance, account.vault),
      account.tradingKey,
    ],
    bookTransaction: (account, outcome) => bookTransaction(instance, account, outcome),
    possibleCredits: (account, outcome) => referrerRewards(instance, account, outcome),
    readLedger: (account) => readDriftLedger(options, account),
  };
}

/** Plans of the owner's transactions before trading: set-up, deposit, rename. */
function entryPlans(
  access: ExchangeAccess,
): Pick<CustodyPort, "planSetUp" | "planLeverage" | "planDeposit" | "planRename"> {
  const { chain, instance, reader, userAddress } = access;
  return {
    async planSetUp(account, accountName) {
      const { accounts } = await chain.accounts([
        deriveUserStats(instance, account.vault),
        userAddress(account),
        associatedTokenAddress(account.vault, instance.quote.mint),
      ]);
      const [stats, user, vaultTokens] = accounts;
      const present = readOwned(instance, userLayout, user);
      return planSetUpFrom(instance, account, accountName, {
        hasStats: readOwned(instance, userStatsLayout, stats) !== null,
        tradingKey: present?.delegate ?? null,
        maxMarginRatio: present?.maxMarginRatio ?? 0,
        vaultTokensRent:
          vaultTokens == null ? await chain.minimumBalance(TOKEN_ACCOUNT_SIZE) : null,
      });
    },
    async planLeverage(account) {
      const { accounts } = await chain.accounts([userAddress(account)]);
      const user = readOwned(instance, userLayout, accounts[0]);
      return user === null ? [] : planLeverageFrom(instance, account, user.maxMarginRatio);
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
  };
}

type Trade = Extract<OwnerActivity, { kind: "trade" }>;

/** Returns the user's trades in a landed transaction, one per market and side. */
function ownerActivityOf(
  instance: DriftInstance,
  user: Address,
  outcome: TransactionOutcome,
): readonly OwnerActivity[] {
  if (outcome.error !== null) return [];
  const trades = new Map<string, Trade>();
  for (const line of linesOf(instance.programId, outcome.logs)) {
    const trade = tradeOf(instance, user, line);
    if (trade === undefined) continue;
    const key = `${trade.marketId} ${trade.side}`;
    const before = trades.get(key);
    trades.set(key, before === undefined ? trade : sumOf(before, trade));
  }
  return [...trades.values()];
}

function tradeOf(instance: DriftInstance, user: Address, line: string): Trade | undefined {
  const record = parseOrderActionLog(line);
  const own = record?.action === ORDER_ACTION.fill ? ownSide(record, user) : undefined;
  const marketId = tradedMarket(instance, record?.marketIndex);
  if (own === undefined || marketId === undefined || own.base === 0n) return undefined;
  const { base: baseSize, quote: quoteSize, fee, isBuying } = own;
  return {
    kind: "trade",
    marketId,
    side: isBuying ? "buy" : "sell",
    fill: { price: priceOf(quoteSize, baseSize), baseSize, quoteSize, fee },
  };
}

const priceOf = (quoteSize: bigint, baseSize: bigint): bigint =>
  (quoteSize * BASE_PRECISION) / baseSize;

function sumOf(one: Trade, other: Trade): Trade {
  const baseSize = one.fill.baseSize + other.fill.baseSize;
  const quoteSize = one.fill.quoteSize + other.fill.quoteSize;
  const fee = one.fill.fee + other.fill.fee;
  return { ...one, fill: { price: priceOf(quoteSize, baseSize), baseSize, quoteSize, fee } };
}

/** The venue's trading calls: the trading key's orders and their outcome. */
function tradingPart(
  access: ExchangeAccess,
): Pick<
  TradingPort,
  "buildOrder" | "buildSettle" | "reportOrder" | "findResting" | "followOrder" | "fillsOfResting"
> {
  const { instance, clock, userAddress, marketIndex, readOne } = access;
  return {
    async buildOrder(account, order, seen, protective) {
      const exchange = exchangeOf(
        access,
        await access.readAsSeen(account, seen),
        order.market.marketId,
      );
      return buildOrderFrom(instance, account, order, exchange, clock.now(), protective);
    },
    async buildSettle(account, marketId) {
      const { reading, user, markets } = await readOne(account);
      if (user === null) return [];
      const index = marketIndex(marketId);
      const held = heldPositions(user, reading).find(({ slot }) => slot.marketIndex === index);
      if (held === undefined || unrealizedPnl(held.margin) === 0n) return [];
      const { quoteSpotMarketIndex: spot } = instance;
      const own = accountsOf(account);
      return budgeted([settlePnl(instance, own, account.tradingKey, index, spot, markets())]);
    },
    reportOrder: (account, outcome) => reportOrderOf(instance, userAddress(account), outcome),
    async findResting(account, landed) {
      const index = marketIndex(landed.marketId);
      const read = await readOne(account);
      const order = restingFrom(index, landed, read);
      if (order === null) return null;
      const exchange = { ...read, markets: read.markets(index) };
      return { order, progress: followFrom(instance, account, order, exchange, clock.now()) };
    },
    async followOrder(account, resting) {
      const read = await readOne(account);
      const exchange = { ...read, markets: read.markets(marketIndex(resting.marketId)) };
      return followFrom(instance, account, resting, exchange, clock.now());
    },
    fillsOfResting: (account, resting, outcome) =>
      fillsOfRestingOrder(instance, userAddress(account), resting, outcome),
  };
}

/** The venue's calls for orders that rest to protect a position. */
function protectivePart(
  access: ExchangeAccess,
): Pick<TradingPort, "protectiveOrders" | "lackStops" | "buildProtective" | "protectiveActs"> {
  const { instance, reader, userAddress } = access;
  return {
    async protectiveOrders(account, on) {
      return restingProtective(instance, (await access.readOne(account, on)).user);
    },
    async lackStops(wanted) {
      const reading = await reader.read(wanted.map(({ account }) => userAddress(account)));
      return wanted.map(({ account, at }, place) => {
        const user = ownUser(account, reading.users[place] ?? null);
        return lacksStopOf(user, reading, { marketId: account.marketId, at });
      });
    },
    async buildProtective(account, wanted) {
      const exchange = exchangeOf(access, await access.readOne(account), wanted.marketId);
      return buildProtectiveFrom(instance, account, wanted, exchange);
    },
    protectiveActs: (account, outcome) => protectiveActsOf(instance, userAddress(account), outcome),
  };
}

/** Reads an agent's funds on chain: the vault, its tokens, every exchange account it has had, and unpaid funding. */
async function readDriftLedger(
  { chain, instance }: { readonly chain: Chain; readonly instance: DriftInstance },
  account: VenueAccount,
): Promise<LedgerReading> {
  const { quote, quoteSpotMarketIndex, perpMarketIndexes } = instance;
  const users = bookUsers(instance, account);
  const indexes = Object.values(perpMarketIndexes);
  const tokens = associatedTokenAddress(account.vault, quote.mint);
  const { slot, accounts } = await chain.accounts([
    deriveSpotMarket(instance, quoteSpotMarketIndex),
    account.vault,
    tokens,
    ...indexes.map((index) => derivePerpMarket(instance, index)),
    ...users.map(({ address }) => address),
  ]);
  const [spot, vault, held, ...others] = accounts;
  const found = others.slice(indexes.length);
  const perpMarkets = new Map(indexes.map((index, at) => [index, others[at]]));
  const market = requireOwned(instance, spotMarketLayout, spot);
  const asset = { asset: quote.symbol, decimals: quote.decimals };
  const decoded = users.map(({ subAccount }, at) => ({
    subAccount,
    user: readOwned(instance, userLayout, found[at]),
  }));
  return {
    slot,
    balances: [
      {
        ...VAULT,
        ...asset,
        amount: tokenBalance(held, { mint: quote.mint, tokenProgram: TOKEN_PROGRAM }) ?? 0n,
      },
      { ...VAULT_SOL, ...LAMPORTS, amount: vault?.lamports ?? 0n },
      ...decoded.flatMap(({ user, subAccount }) => positionBalances(instance, user, subAccount)),
    ],
    accruing: decoded.map(({ user, subAccount }) => ({
      place: "exchange",
      subAccount,
      market: "",
      ...asset,
      ...depositOf(user, market),
    })),
    unpaidFunding: decoded
      .flatMap(({ user }) => user?.perpPositions ?? [])
      .filter((slot) => slot.baseAssetAmount !== 0n && perpMarkets.has(slot.marketIndex))
      .map((slot) => {
        const traded = perpMarkets.get(slot.marketIndex);
        return unpaidFunding(fundingRates(slot, requireOwned(instance, perpMarketLayout, traded)));
      })
      .reduce((sum, each) => sum + each, 0n),
  };
}

function depositOf(
  user: DriftUser | null,
  market: DriftSpotMarket,
): Pick<AccruingBalance, "amount" | "principal" | "index"> {
  const position = user?.spotPositions.find(
    ({ marketIndex }) => marketIndex === market.marketIndex,
  );
  if (user === null || position === undefined) {
    return { amount: 0n, principal: null, index: market.cumulativeDepositInterest };
  }
  const isDeposit = position.balanceType === BALANCE_TYPE.deposit;
  return {
    amount: tokenAmount(position, market),
    principal: position.cumulativeDeposits + user.settledPerpPnl,
    index: isDeposit ? market.cumulativeDepositInterest : market.cumulativeBorrowInterest,
  };
}

function positionBalances(instance: DriftInstance, user: DriftUser | null, subAccount: number) {
  const { symbol, decimals } = instance.quote;
  return (user?.perpPositions ?? [])
    .filter(({ baseAssetAmount: base, quoteAssetAmount: quote }) => base !== 0n || quote !== 0n)
    .flatMap(({ marketIndex, baseAssetAmount, quoteAssetAmount }) => {
      const market = marketName(instance, marketIndex);
      const at = { place: "position", subAccount, market } as const;
      return [
        { ...at, asset: symbol, decimals, amount: quoteAssetAmount },
        { ...at, asset: market, decimals: BASE_DECIMALS, amount: baseAssetAmount },
      ];
    });
}
