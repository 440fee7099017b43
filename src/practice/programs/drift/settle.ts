import { scaledBalance, tokenAmount } from "../../../venues/drift/balance.ts";
import { driftArguments } from "../../../venues/drift/instruction-arguments.ts";
import type { DriftPerpMarket } from "../../../venues/drift/layout-perp-market.ts";
import { perpMarketLayout } from "../../../venues/drift/layout-perp-market.ts";
import type { DriftSpotMarket } from "../../../venues/drift/layout-spot-market.ts";
import { spotMarketLayout } from "../../../venues/drift/layout-spot-market.ts";
import { BALANCE_TYPE, userLayout } from "../../../venues/drift/layout-user.ts";
import { unrealizedPnl } from "../../../venues/drift/margin.ts";
import type { InstructionContext } from "../../runtime/program.ts";
import { argumentsOf, signerAt, store } from "../anchor.ts";
import { loadMarkets, loadUser, requireRunning } from "./exchange-accounts.ts";
import { ensure, exchangeFailure } from "./exchange-failures.ts";
import { marginPositionOf, QUOTE_MARKET_INDEX } from "./exchange-margin.ts";
import { settleFunding } from "./funding.ts";
import { changeDeposit, depositOf } from "./spot-balance.ts";
import { findPosition, withPosition } from "./user-slots.ts";

function poolTokens(market: DriftPerpMarket, spot: DriftSpotMarket): bigint {
  const { scaledBalance: balance } = market.pnlPool;
  return tokenAmount({ scaledBalance: balance, balanceType: BALANCE_TYPE.deposit }, spot);
}

/** Returns pool and spot market after the market's pool paid (positive) or took in (negative) tokens. */
function payFromPool(market: DriftPerpMarket, spot: DriftSpotMarket, tokens: bigint) {
  const size = tokens < 0n ? -tokens : tokens;
  const { cumulativeDepositInterest, decimals } = spot;
  const scaled = scaledBalance(size, cumulativeDepositInterest, decimals, false);
  const change = tokens < 0n ? scaled : -scaled;
  return {
    market: {
      ...market,
      pnlPool: { ...market.pnlPool, scaledBalance: market.pnlPool.scaledBalance + change },
    },
    spot: { ...spot, depositBalance: spot.depositBalance + change },
  };
}

/** Turns a position's PnL into collateral, or collateral into its loss; anyone may ask for it. */
export function settlePnl(context: InstructionContext): void {
  const { marketIndex } = argumentsOf(context, driftArguments.settlePnl);
  const user = loadUser(context, 1);
  signerAt(context, 2, "authority");
  requireRunning(context, "settlePnlPaused");
  const markets = loadMarkets(context, 4);
  const market = markets.perp(marketIndex);
  const spot = markets.spot(QUOTE_MARKET_INDEX);
  const oracle = markets.price(market.value);
  const funded = settleFunding(user.value, markets);
  const position = findPosition(funded, marketIndex);
  if (position === undefined) throw exchangeFailure(context, "UserHasNoPositionInMarket");
  ensure(context, oracle.isFresh, "InvalidOracle");

  const pnl = unrealizedPnl(marginPositionOf(position, market.value, oracle.price));
  const held = depositOf(funded, spot.value);
  const available = poolTokens(market.value, spot.value);
  const gain = pnl > available ? available : pnl;
  // A loss beyond the deposit stays on the position: this exchange lends nothing
  const settled = gain < -held ? -held : gain;
  ensure(context, settled !== 0n, "NoUnsettledPnl");

  const paid = payFromPool(market.value, spot.value, settled);
  const changed = changeDeposit(funded, paid.spot, settled);
  const settledUser = withPosition(changed.user, {
    ...position,
    quoteAssetAmount: position.quoteAssetAmount - settled,
    settledPnl: position.settledPnl + settled,
  });
  store(context, user.address, userLayout, {
    ...settledUser,
    settledPerpPnl: settledUser.settledPerpPnl + settled,
    lastActiveSlot: context.time.slot,
  });
  store(context, market.address, perpMarketLayout, {
    ...paid.market,
    amm: { ...paid.market.amm, quoteAssetAmount: paid.market.amm.quoteAssetAmount - settled },
  });
  store(context, spot.address, spotMarketLayout, changed.market);
}
