import { describe, expect, it } from "vitest";
import { MAX_EXIT_LIMIT_BPS } from "../exit.ts";
import type { PriceReading } from "./risk.ts";
import { isMarketMove, refusePrice, refuseSize } from "./signing-limits.ts";

const nowMs = 10_000_000;
const market = (parts: Partial<PriceReading> = {}): PriceReading => ({
  price: 100_000_000n,
  confidence: 0n,
  publishedAtMs: nowMs,
  ...parts,
});
const slippage = { slippageBps: 50, nowMs };
const entry = (side: "long" | "short", price: bigint) => ({ side, price, reduceOnly: false });
const exit = (side: "long" | "short", price: bigint) => ({ side, price, reduceOnly: true });
const NO_PRICE = "there is no price to hold it against";
const TOO_FAR = "its price is too far from the market's";

describe("refusePrice", () => {
  it.each([
    ["an entry bought at slippage and move", entry("long", 101_000_000n), null],
    ["one unit more", entry("long", 101_000_001n), TOO_FAR],
    ["bought far below the market", entry("long", 1n), null],
    ["an entry sold at slippage and move", entry("short", 99_000_000n), null],
    ["one unit less", entry("short", 98_999_999n), TOO_FAR],
    ["sold far above the market", entry("short", 900_000_000n), null],
  ])("judges %s", (_name, order, refusal) => {
    expect(refusePrice(order, market(), slippage)).toBe(refusal);
  });

  it("allows an exit its own widest limit, whatever the slippage", () => {
    const bound = BigInt(MAX_EXIT_LIMIT_BPS) + 50n;
    const lowest = 100_000_000n - bound * 10_000n;
    const highest = 100_000_000n + bound * 10_000n;
    expect(refusePrice(exit("short", lowest), market(), slippage)).toBeNull();
    expect(refusePrice(exit("short", lowest - 1n), market(), slippage)).toBe(TOO_FAR);
    expect(refusePrice(exit("long", highest), market(), slippage)).toBeNull();
    expect(refusePrice(exit("long", highest + 1n), market(), slippage)).toBe(TOO_FAR);
  });

  it("rounds the bound towards the market", () => {
    const odd = market({ price: 333n });
    // 1 % of 333 is 3.33: at most 336 is paid, at least 330 is taken
    expect(refusePrice(entry("long", 336n), odd, slippage)).toBeNull();
    expect(refusePrice(entry("long", 337n), odd, slippage)).toBe(TOO_FAR);
    expect(refusePrice(entry("short", 330n), odd, slippage)).toBeNull();
    expect(refusePrice(entry("short", 329n), odd, slippage)).toBe(TOO_FAR);
  });

  it("checks an entry against a fresh and certain price only, an exit against an older one too", () => {
    const old = market({ publishedAtMs: nowMs - 30_001 });
    const unsure = market({ confidence: 2_000_001n });
    const at = 100_000_000n;
    expect(refusePrice(entry("long", at), null, slippage)).toBe(NO_PRICE);
    expect(refusePrice(exit("long", at), null, slippage)).toBe(NO_PRICE);
    expect(refusePrice(entry("long", at), old, slippage)).toBe(NO_PRICE);
    expect(refusePrice(entry("long", at), unsure, slippage)).toBe(NO_PRICE);
    expect(refusePrice(exit("long", at), old, slippage)).toBeNull();
    expect(refusePrice(exit("long", at), unsure, slippage)).toBeNull();
    const dead = market({ publishedAtMs: nowMs - 300_001 });
    expect(refusePrice(exit("long", at), dead, slippage)).toBe(NO_PRICE);
  });
});

describe("refuseSize", () => {
  const TOO_LARGE = "it is larger than the account";
  const flat = (free: bigint) => ({ worth: free, free, held: 0n });

  it("lets an entry exceed the free collateral by no more than the market's move", () => {
    expect(refuseSize(1_005_000n, flat(1_000_000n), 1)).toBeNull();
    expect(refuseSize(1_005_001n, flat(1_000_000n), 1)).toBe(TOO_LARGE);
    // Half a per cent of 399 is 1.995
    expect(refuseSize(400n, flat(399n), 1)).toBeNull();
    expect(refuseSize(401n, flat(399n), 1)).toBe(TOO_LARGE);
  });

  it("lets it be the leverage times as large, and no larger with what is held", () => {
    expect(refuseSize(3_015_000n, flat(1_000_000n), 3)).toBeNull();
    expect(refuseSize(3_015_001n, flat(1_000_000n), 3)).toBe(TOO_LARGE);
    // Half of the margin is used, so that the free collateral alone would let it hold 3.5 times its worth
    const half = { worth: 1_000_000n, free: 500_000n, held: 2_000_000n };
    expect(refuseSize(1_015_000n, half, 3)).toBeNull();
    expect(refuseSize(1_015_001n, half, 3)).toBe(TOO_LARGE);
    expect(refuseSize(1n, half, 1)).toBe(TOO_LARGE);
  });
});

describe("isMarketMove", () => {
  it("is true for exactly the refusals that a market move can cause", () => {
    const tooLarge = refuseSize(2n, { worth: 0n, free: 0n, held: 0n }, 1) ?? "";
    expect([TOO_FAR, tooLarge, NO_PRICE, ""].map(isMarketMove)).toEqual([true, true, false, false]);
  });
});
