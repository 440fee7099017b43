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
