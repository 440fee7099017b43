import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialisedExchange, SOL_PERP } from "../../../test/drift-cases/initialised-exchange.ts";
import { scaledBalance, tokenAmount } from "./balance.ts";
import { perpMarketLayout } from "./layout-perp-market.ts";
import {
  type MarginMarket,
  type MarginPosition,
  accountHealth,
  freeCollateral,
  lastFunding,
  liquidationPrice,
  marginRequirement,
  totalCollateral,
  unpaidFunding,
  unrealizedPnl,
  withdrawableAmount,
} from "./margin.ts";

const exchange = initialisedExchange({ slot: 0n, unixTime: 1n }, 155_000_000n);
const market: MarginMarket = {
  ...perpMarketLayout.decode(exchange.get(SOL_PERP)?.data ?? new Uint8Array()),
  marginRatioMaintenance: 500,
};
const position = (change: Partial<MarginPosition> = {}): MarginPosition => ({
  baseSize: 2_000_000_000n,
  quoteAmount: -310_000_000n,
  lastFundingRate: 0n,
  marketFundingRate: 0n,
  openBids: 0n,
  openAsks: 0n,
  oraclePrice: 155_000_000n,
  openOrders: 0,
  market,
  ...change,
});
const account = (...positions: MarginPosition[]) => ({
  deposit: 1_000_000_000n,
  positions,
  maxMarginRatio: 0n,
});

describe("margin", () => {
  it("allows withdrawing 938.00 of 1,000 with 2 SOL long at 155 and 20 %, like the program", () => {
    expect(withdrawableAmount(account(position()))).toBe(938_000_000n - 1_001n);
  });

  it("counts losses in full, but gains only once settled", () => {
    const lost = position({ oraclePrice: 150_000_000n });
    expect(withdrawableAmount(account(lost))).toBe(
      1_000_000_000n - 10_000_000n - 60_000_000n - 1_001n,
    );
    const won = position({ oraclePrice: 160_000_000n });
    expect(withdrawableAmount(account(won))).toBe(1_000_000_000n - 64_000_000n - 1_001n);
    const counted = { ...market, unrealizedPnlInitialAssetWeight: 10_000 };
    expect(freeCollateral(account({ ...won, market: counted }))).toBe(
      1_000_000_000n + 10_000_000n - 64_000_000n,
    );
  });

  it("mirrors shorts", () => {
    const short = { baseSize: -2_000_000_000n, quoteAmount: 310_000_000n };
    expect(unrealizedPnl(position({ ...short, oraclePrice: 150_000_000n }))).toBe(10_000_000n);
    expect(unrealizedPnl(position({ ...short, oraclePrice: 160_000_000n }))).toBe(-10_000_000n);
  });

  it("charges longs and pays shorts a positive funding rate", () => {
    const rate = { marketFundingRate: 1_500_000_000n, lastFundingRate: 500_000_000n };
    expect(unpaidFunding(position(rate))).toBe(-2_000_000n);
    expect(unpaidFunding(position({ ...rate, baseSize: -2_000_000_000n }))).toBe(2_000_000n);
  });

  it("requires margin for the larger of the positions that open orders may cause", () => {
    const orders = position({ openBids: 1_000_000_000n, openAsks: -5_000_000_000n });
    expect(marginRequirement(account(orders), "initial")).toBe(93_000_000n);
    expect(marginRequirement({ ...account(position()), maxMarginRatio: 10_000n }, "initial")).toBe(
      310_000_000n,
    );
  });

  it("asks a cent for each open order", () => {
    const orders = position({ openOrders: 31 });
    expect(marginRequirement(account(orders), "maintenance")).toBe(15_500_000n + 310_000n);
    expect(withdrawableAmount(account(orders))).toBe(938_000_000n - 310_000n - 1_001n);
  });

  it("calls an unused account healthy and a liquidatable one unhealthy", () => {
    expect(accountHealth(account())).toBe(100);
    expect(accountHealth(account(position()))).toBe(98);
    expect(accountHealth({ ...account(position()), deposit: 10_000_000n })).toBe(0);
    expect(accountHealth({ ...account(position()), deposit: -5n })).toBe(0);
  });

  it("never allows withdrawing more than the deposit or a negative amount", () => {
    const amount = fc.bigInt(-(10n ** 13n), 10n ** 13n);
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.bigInt(1n, 10n ** 11n),
        (deposit, base, quote, price) => {
          const state = {
            deposit,
            positions: [position({ baseSize: base, quoteAmount: quote, oraclePrice: price })],
            maxMarginRatio: 0n,
          };
          const leaving = withdrawableAmount(state);
          expect(leaving).toBeGreaterThanOrEqual(0n);
          expect(leaving === 0n || leaving <= deposit).toBe(true);
          expect(leaving).toBeLessThanOrEqual(freeCollateral(state));
          expect(totalCollateral(state, "initial")).toBeLessThanOrEqual(
            totalCollateral(state, "maintenance"),
          );
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("balances", () => {
  const market = {
    cumulativeDepositInterest: 10_123_456_789n,
    cumulativeBorrowInterest: 10_200_000_000n,
    decimals: 6,
  };

  it("represent the same tokens after a round trip", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), (tokens) => {
        const balance = scaledBalance(tokens, market.cumulativeDepositInterest, 6, true);
        expect(tokenAmount({ scaledBalance: balance, balanceType: 0 }, market)).toBe(tokens);
      }),
      { numRuns: 1000 },
    );
  });

  it("are rounded up and negative for borrows", () => {
    expect(tokenAmount({ scaledBalance: 1n, balanceType: 1 }, market)).toBe(-1n);
    expect(tokenAmount({ scaledBalance: 1n, balanceType: 0 }, market)).toBe(0n);
  });
});

describe("the price of liquidation", () => {
  const full = { ...market, unrealizedPnlMaintenanceAssetWeight: 10_000 };

  it("is 97.89 for 10 long at 155 with 620 in the account and 5 %", () => {
    // 620 + 10 (p - 155) = 10 p / 20
    const held = position({
      baseSize: 10_000_000_000n,
      quoteAmount: -1_550_000_000n,
      market: full,
    });
    const own = { deposit: 620_000_000n, positions: [held], maxMarginRatio: 0n };
    expect(liquidationPrice(own, held)).toBe(97_894_737n);
  });

  it("is none for a long that is worth no more than the account, and stands above a short", () => {
    const long = position({ market: full });
    expect(liquidationPrice(account(long), long)).toBeNull();
    // 1000 + 2 (155 - p) = 2 p / 20
    const short = position({ baseSize: -2_000_000_000n, quoteAmount: 310_000_000n, market: full });
    expect(liquidationPrice(account(short), short)).toBe(623_809_523n);
  });

  it("is not told where gains count in part", () => {
    const half = { ...market, unrealizedPnlMaintenanceAssetWeight: 5_000 };
    const held = position({ market: half });
    expect(liquidationPrice(account(held), held)).toBeUndefined();
  });

  it("is where the collateral equals the margin, for any size, side, gain and open order", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 10_000_000n, max: 50_000_000_000n }),
        fc.boolean(),
        fc.bigInt({ min: -500_000_000n, max: 500_000_000n }),
        fc.bigInt({ min: 0n, max: 20_000_000_000n }),
        fc.bigInt({ min: 50_000_000n, max: 2_000_000_000n }),
        (size, isShort, gain, openBids, deposit) => {
          const baseSize = isShort ? -size : size;
          const quoteAmount = gain - (baseSize * 155_000_000n) / 1_000_000_000n;
          const held = position({ baseSize, quoteAmount, openBids, market: full });
          const room = (oraclePrice: bigint) => {
            const then = { deposit, positions: [{ ...held, oraclePrice }], maxMarginRatio: 0n };
            return totalCollateral(then, "maintenance") - marginRequirement(then, "maintenance");
          };
          const own = { deposit, positions: [held], maxMarginRatio: 0n };
          const price = liquidationPrice(own, held);
          if (price === undefined) throw new Error("Gains count in full");
          // Each value is rounded to a quote unit
          const rounding = 4_000_000_000n / size + 2n;
          const towards = isShort ? -rounding : rounding;
          if (room(held.oraclePrice) <= 0n) expect(price).toBe(held.oraclePrice);
          else if (price === null) expect(room(rounding)).toBeGreaterThan(0n);
          else {
            const isPresent = !isShort && price + towards >= held.oraclePrice;
            expect(isPresent || room(price + towards) > 0n).toBe(true);
            expect(room(price - towards)).toBeLessThanOrEqual(0n);
          }
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("pays shorts what longs pay, at the rate of the last hour", () => {
    expect(lastFunding(2_000_000_000n, 1_000_000_000n)).toBe(-2_000_000n);
    expect(lastFunding(-2_000_000_000n, 1_000_000_000n)).toBe(2_000_000n);
  });
});
