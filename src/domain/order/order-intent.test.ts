import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseAgentId, parseOrderId } from "../ids.ts";
import { allMarkets, findMarket } from "../../venues/profiles.ts";
import { type IntentInput, deriveIntent, entryBaseSize, notionalOf } from "./order-intent.ts";
import type { AccountState, Position, Side } from "../position.ts";
import type { OrderSignal } from "../signal.ts";

const market = findMarket("drift", "SOL-PERP") ?? allMarkets()[0]!;

const buildPosition = (side: Side, baseSize = 2_000_000_000n): Position => ({
  marketId: market.marketId,
  side,
  baseSize,
  entryPrice: 150_000_000n,
  unrealizedPnl: 0n,
  positionValue: 300_000_000n,
});

const buildAccount = (parts: Partial<AccountState> = {}): AccountState => ({
  slot: 1n,
  subAccountExists: true,
  positions: [],
  openOrderCount: 0,
  freeCollateral: 500_000_000n,
  portfolioValue: 500_000_000n,
  withdrawable: 500_000_000n,
  netDeposits: 500_000_000n,
  health: 100,
  ...parts,
});

const buildInput = (signal: OrderSignal, parts: Partial<IntentInput> = {}): IntentInput => ({
  orderId: parseOrderId("1".repeat(32)),
  agentId: parseAgentId("a".repeat(32)),
  signal,
  leg: 0,
  market,
  account: buildAccount(),
  price: 150_000_000n,
  quoteDecimals: 6,
  slippageBps: 50,
  positionSizePercent: 100,
  leverage: 1,
  ...parts,
});

describe("deriveIntent", () => {
  it("buys with all free collateral except fee and reserve", () => {
    expect(deriveIntent(buildInput("OPEN_LONG"))).toEqual({
      kind: "intent",
      reopens: false,
      intent: {
        orderId: "1".repeat(32),
        agentId: "a".repeat(32),
        signal: "OPEN_LONG",
        market,
        side: "long",
        reduceOnly: false,
        // 500 less 0.6 % is 497, at a price of 150
        baseSize: 3_313_333_333n,
        referencePrice: 150_000_000n,
        slippageBps: 50,
        percentage: 100,
      },
    });
  });

  it.each<[OrderSignal, Side, string]>([
    ["OPEN_LONG", "long", "already_long"],
    ["OPEN_SHORT", "short", "already_short"],
    ["CLOSE_LONG", "short", "nothing_to_close"],
    ["CLOSE_SHORT", "long", "nothing_to_close"],
  ])("denies %s with a %s open", (signal, side, reason) => {
    const account = buildAccount({ positions: [buildPosition(side)] });
    expect(deriveIntent(buildInput(signal, { account }))).toEqual({ kind: "denied", reason });
  });

  it.each<OrderSignal>(["CLOSE_LONG", "CLOSE_SHORT"])("denies %s with nothing open", (signal) => {
    expect(deriveIntent(buildInput(signal))).toEqual({
      kind: "denied",
      reason: "nothing_to_close",
    });
  });

  it.each<[OrderSignal, Side, Side, boolean]>([
    ["CLOSE_LONG", "long", "short", false],
    ["CLOSE_SHORT", "short", "long", false],
    ["OPEN_LONG", "short", "long", true],
    ["OPEN_SHORT", "long", "short", true],
  ])("%s against a %s closes all of it with a %s order", (signal, held, side, reopens) => {
    const account = buildAccount({ positions: [buildPosition(held)], freeCollateral: 0n });
    expect(deriveIntent(buildInput(signal, { account }))).toMatchObject({
      kind: "intent",
      reopens,
      intent: { side, reduceOnly: true, baseSize: 2_000_000_000n, percentage: 100 },
    });
  });

  it("does not close twice for one reversal", () => {
    const account = buildAccount({ positions: [buildPosition("short", 1n)] });
    expect(deriveIntent(buildInput("OPEN_LONG", { account, leg: 1 }))).toEqual({
      kind: "denied",
      reason: "first_leg_failed",
    });
  });

  it("considers only the agent's own market", () => {
    const elsewhere = { ...buildPosition("long"), marketId: "BTC-PERP" };
    const account = buildAccount({ positions: [elsewhere] });
    expect(deriveIntent(buildInput("OPEN_LONG", { account }))).toMatchObject({ kind: "intent" });
  });

  it("opens no short on a spot venue", () => {
    const spot = allMarkets().find(({ kind }) => kind === "spot")!;
    const derive = (signal: OrderSignal) => deriveIntent(buildInput(signal, { market: spot }));
    expect(derive("OPEN_SHORT")).toEqual({ kind: "denied", reason: "spot_only" });
    expect(derive("OPEN_LONG")).toMatchObject({ kind: "intent" });
    expect(deriveIntent(buildInput("OPEN_SHORT"))).toMatchObject({ kind: "intent" });
  });

  it("takes the share of all money and reports when a spending limit leaves less", () => {
    const derive = (freeCollateral: bigint, positionSizePercent: number) => {
      const bound = { by: "limit_used", funds: 500_000_000n, isDrawn: true } as const;
      const account = buildAccount({ freeCollateral, bound });
      const derived = deriveIntent(buildInput("OPEN_LONG", { account, positionSizePercent }));
      return derived.kind === "intent"
        ? [derived.intent.baseSize, "isLimited" in derived.intent && derived.intent.isLimited]
        : derived.reason;
    };
    // Half of 500 less 0.6 %, at a price of 150
    expect(derive(250_000_000n, 50)).toEqual([1_656_666_666n, false]);
    expect(derive(300_000_000n, 50)).toEqual([1_656_666_666n, false]);
    expect(derive(150_000_000n, 50)).toEqual([994_000_000n, true]);
    expect(derive(0n, 50)).toBe("limit_used");
  });

  it("denies an entry below the smallest unit", () => {
    const account = buildAccount({ freeCollateral: 0n });
    expect(deriveIntent(buildInput("OPEN_LONG", { account }))).toEqual({
      kind: "denied",
      reason: "size_too_small",
    });
  });
});

describe("notionalOf", () => {
  it("rounds up, so that no order costs more than was checked", () => {
    expect(notionalOf(1n, 150_000_000n, market, 6)).toBe(1n);
    expect(notionalOf(1_000_000_000n, 150_000_000n, market, 6)).toBe(150_000_000n);
    expect(notionalOf(1_000_000_001n, 150_000_000n, market, 6)).toBe(150_000_001n);
  });
});

describe("entryBaseSize", () => {
  it("rounds the share, the reserve and the size down", () => {
    const size = (freeCollateral: bigint, positionSizePercent: number, leverage = 1) =>
      entryBaseSize({
        leverage,
        account: buildAccount({ freeCollateral }),
        price: 1_000_000n,
        positionSizePercent,
        market: { ...market, baseDecimals: 6 },
        quoteDecimals: 6,
      });
    // 33 % of 10,001 is 3300.33; less 0.6 % of 3300 is 3280.2
    expect(size(10_001n, 33)).toBe(3_280n);
    expect(size(10_000n, 100)).toBe(9_940n);
    // Three times as much at three times the leverage, and the reserve of it
    expect(size(10_000n, 100, 3)).toBe(29_820n);
  });

  it("never exceeds its share of the free collateral, including fee and reserve", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(...allMarkets()),
        fc.constantFrom(6, 9),
        (freeCollateral, price, positionSizePercent, leverage, chosen, quoteDecimals) => {
          const account = buildAccount({ freeCollateral });
          const settings = { positionSizePercent, leverage };
          const base = entryBaseSize({
            account,
            price,
            ...settings,
            market: chosen,
            quoteDecimals,
          });
          const notional = notionalOf(base, price, chosen, quoteDecimals);
          expect(base >= 0n).toBe(true);
          expect(
            notional * 1_000_000n <=
              freeCollateral * BigInt(positionSizePercent * leverage) * 9_940n,
          ).toBe(true);
        },
      ),
      { numRuns: 1_000 },
    );
  });
});
