import type { Address } from "@solana/kit";
import { driftArguments } from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import { MARKET_STATUS, spotMarketLayout } from "../../../venues/drift/layout-spot-market.ts";
import { type DriftState, stateLayout } from "../../../venues/drift/layout-state.ts";
import type { DriftPerpPosition } from "../../../venues/drift/layout-user.ts";
import { userLayout } from "../../../venues/drift/layout-user.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { argumentsOf, loadAt, requireWritable, signerAt, store } from "../anchor.ts";
import { PRICE_PRECISION, reservePrice } from "./curve.ts";
import { demandRunning, loadUser } from "./exchange-accounts.ts";
import { demand } from "./exchange-failures.ts";
import { type ExchangeMaps, loadMaps, withSpot } from "./exchange-maps.ts";
import { requireVault, tokenAccountAt } from "./exchange-vault.ts";
import { payFunding } from "./funding-payments.ts";
import { abs, max, min } from "./integers.ts";
import { judgeMargin } from "./margin-check.ts";
import { demandSoundMarket, updateMarket } from "./market-update.ts";
import { touchUser } from "./orders.ts";
import { addQuote, isAvailable, positionOf } from "./position-changes.ts";
import { emitSettlement } from "./settle-event.ts";
import { settleWithPools } from "./settlement-pools.ts";
import { changeDeposit, depositOf, poolTokens } from "./spot-balance.ts";
import { accrueInterest, borrowTokens, depositTokens } from "./spot-interest.ts";
import { draftUser, QUOTE_MARKET_INDEX } from "./user-slots.ts";

const BASE_PRECISION = 1_000_000_000n;
const USER_STATUS_BANKRUPT = 2;

/** Bits of the operations that a market can pause individually. */
const PAUSED = { settling: 8, settlingOfOpen: 16 } as const;

/** One fifth of the fee pool also backs gains. */
const FEE_POOL_PARTS = 5n;

/** Refuses while the curve or the oracle price is far from its five-minute average. */
function demandPriceBand({ amm }: DriftPerpMarket, state: DriftState, oracle: bigint): void {
  const average = amm.historicalOracleData.lastOraclePriceTwap5min;
  const distance = (price: bigint) => abs(((price - average) * PRICE_PRECISION) / price);
  const most = max(state.markOraclePercentDivergence, PRICE_PRECISION / 10n);
  const farthest = max(distance(reservePrice(amm)), distance(oracle));
  demand(farthest <= most, "PriceBandsBreached");
}

function demandSettling(market: DriftPerpMarket, position: DriftPerpPosition): void {
  const isOpen = position.baseAssetAmount !== 0n;
  const paused = PAUSED.settling | (isOpen ? PAUSED.settlingOfOpen : 0);
  const isActive =
    market.status === MARKET_STATUS.active ||
    (!isOpen && market.status === MARKET_STATUS.reduceOnly);
  const isAllowed = (market.pausedOperations & paused) === 0 && isActive;
  demand(isAllowed, "InvalidMarketStatusToSettlePnl");
}

const valueOf = (base: bigint, price: bigint) => (base * price) / BASE_PRECISION;

/** Returns the amount in the market's pools beyond the total claims of all its users. */
function poolExcess(market: DriftPerpMarket, spot: DriftSpotMarket, price: bigint): bigint {
  const { amm, pnlPool } = market;
  const fees = poolTokens(amm.feePool, spot) / FEE_POOL_PARTS;
  const available = poolTokens(pnlPool, spot) + fees;
  const base = amm.baseAssetAmountWithAmm + amm.baseAssetAmountWithUnsettledLp;
  const cost =
    amm.quoteAssetAmount + amm.quoteAssetAmountWithUnsettledLp + amm.netUnsettledFundingPnl;
  const owed = valueOf(base, price) + cost;
  return owed < available ? available - max(0n, owed) : 0n;
}

/** Returns the amount that can be settled: a loss in full, a gain up to its realised part or the pools' excess. */
function claimable(position: DriftPerpPosition, pnl: bigint, excess: bigint): bigint {
  if (pnl <= 0n) return pnl;
  const realised = max(0n, position.quoteAssetAmount - position.quoteEntryAmount);
  return min(pnl, realised + max(0n, excess));
}

/** Returns the instruction's own accounts. */
function openSettlement(context: InstructionContext) {
  const state = loadAt(context, 0, "state", stateLayout).value;
  const { address, value } = loadUser(context, 1);
  const by = signerAt(context, 2, "authority");
  const vault = tokenAccountAt(context, 3, "spot_market_vault");
  requireWritable(context, 1, "user");
  requireVault(context, vault.address, QUOTE_MARKET_INDEX);
  demandRunning(state, "settlePnlPaused");
  return { state, address, user: draftUser(value), by, vault };
}

/** Refuses a settlement by a third party, except of a loss or of a gain within the pools' excess. */
function demandOwnWish(
  user: { readonly authority: Address; readonly delegate: Address },
  by: Address,
  settled: bigint,
  excess: bigint,
): void {
  const isOwn = user.authority === by || user.delegate === by;
  const isFree = settled < 0n || excess > 0n || isOwn;
  demand(isFree, "UserMustSettleTheirOwnPositiveUnsettledPNL");
}

function demandVault(spot: DriftSpotMarket, vault: bigint): void {
  const deposits = depositTokens(spot);
  const isCovered = vault >= deposits - borrowTokens(spot);
  const isSound = poolTokens(spot.revenuePool, spot) <= deposits && isCovered;
  demand(isSound, "SpotMarketVaultInvariantViolated");
}

/** Settles a position's PnL into collateral. */
export function settlePnl(context: InstructionContext): void {
  const { marketIndex } = argumentsOf(context, driftArguments.settlePnl);
  const { state, address, user, by, vault } = openSettlement(context);
  const use = { perp: marketIndex, spot: QUOTE_MARKET_INDEX, held: address };
  const shown = loadMaps(context, state, 4, use);
  const market = shown.perp(marketIndex);
  updateMarket(market, state, shown, context.time);
  demand((user.status & USER_STATUS_BANKRUPT) === 0, "UserBankrupt");
  const quote = shown.spot(QUOTE_MARKET_INDEX);
  const spot = accrueInterest(context, quote, { witnesses: false });
  const maps: ExchangeMaps = withSpot(shown, spot);
  const { price } = maps.oracle(market.amm.oracle);
  demandPriceBand(market, state, price);
  const held = user.perpPositions.find(
    (slot) => slot.marketIndex === marketIndex && !isAvailable(slot),
  );
  if (held !== undefined) payFunding(context, address, user, held, market);
  const position = positionOf(user, marketIndex);
  const pnl = valueOf(position.baseAssetAmount, price) + position.quoteAssetAmount;
  if (pnl < 0n) {
    const { collateral, requirement } = judgeMargin(user, maps, "maintenance", true);
    demand(collateral >= requirement, "InsufficientCollateralForSettlingPNL");
  }
  demandSettling(market, position);

  const excess = poolExcess(market, spot, price);
  const due = claimable(position, pnl, excess);
  const owed = { pnl: due, held: depositOf(user, spot) };
  const paid = settleWithPools(market, spot, owed, context.time.unixTime);
  demand(due !== 0n, "NoUnsettledPnl");
  demand(paid.settled !== 0n, "PnlPoolCantSettleUser");
  demandOwnWish(user, by, paid.settled, excess);
  const changed = changeDeposit(user, paid.spot, paid.settled);
  addQuote(position, market, -paid.settled);
  position.settledPnl += paid.settled;
  demandSoundMarket(market);
  const isOnStep = abs(position.baseAssetAmount) % market.amm.orderStepSize === 0n;
  demand(isOnStep, "InvalidPerpPositionDetected");
  emitSettlement(context, address, position, { pnl: paid.settled, price });
  const settledUser = { ...changed.user, settledPerpPnl: user.settledPerpPnl + paid.settled };
  touchUser(settledUser, context.time.slot);
  demandVault(changed.market, vault.amount);
  store(context, address, userLayout, settledUser);
  store(context, quote.pubkey, spotMarketLayout, changed.market);
  shown.write(marketIndex);
}
