import { describe, expect, it } from "vitest";
import { deletableAt } from "./deletion-age.ts";
import { healthOfStatus } from "./health.ts";
import { encodeUserName } from "./instructions.ts";
import { lazerPriceLayout } from "./layout-oracle.ts";
import { priceUpdateLayout } from "../../solana/programs/pyth-receiver.ts";
import { addressBytes } from "../../solana/encoding/address-codec.ts";
import {
  baseAmountOffset,
  DELEGATE_OFFSET,
  OPEN_ORDERS_OFFSET,
  userLayout,
} from "./layout-user.ts";
import { ORACLE_SOURCE } from "./layout-spot-market.ts";
import { readMarketPrice } from "./exchange-reader.ts";
import { rentExemptMinimum } from "../../practice/runtime/account-state.ts";
import { rentOf } from "../../solana/chain.ts";
import { DRIFT_V2_INSTANCE, VELOCITY_INSTANCE } from "./instance.ts";

describe("healthOfStatus", () => {
  it("recognises an active exchange, and one with only funding paused", () => {
    expect(healthOfStatus(0)).toEqual({ status: "available" });
    expect(healthOfStatus(32)).toEqual({ status: "available" });
  });

  it("says what is paused", () => {
    expect(healthOfStatus(255).reason).toContain("deposits, withdrawals, trading");
    expect(healthOfStatus(1).reason).toContain("Drift has paused deposits:");
    expect(healthOfStatus(8).status).toBe("paused");
  });
});

describe("deletableAt", () => {
  const day = 86_400;
  const stats = {
    lastMakerVolume30dTs: 1_000_000n,
    lastTakerVolume30dTs: 2_000_000n,
    lastFillerVolume30dTs: 1_000_000n,
    referrerStatus: 2,
  };
  const [working, idle] = [false, true].map((isIdle) => ({ idle: isIdle, subAccountId: 0 }));
  const at = (days: number) => (1_000_000 + days * day) * 1000;

  it("waits 13 days only where opening an account costs a fee", () => {
    expect(deletableAt({ maxInitializeUserFee: 0 }, stats, working!, at(0))).toBeNull();
    const charging = { maxInitializeUserFee: 1 };
    expect(deletableAt(charging, stats, working!, at(13) - 1000)).toBe(at(13));
    expect(deletableAt(charging, stats, working!, at(13))).toBeNull();
    expect(deletableAt(charging, stats, idle!, at(0))).toBeNull();
    const named = { ...stats, referrerStatus: 3 };
    expect(deletableAt(charging, named, idle!, at(20))).toBe("never");
    expect(deletableAt(charging, named, { ...idle!, subAccountId: 1 }, at(20))).toBeNull();
  });
});

describe("oracle prices", () => {
  const { pythPull, pyth1kPull, pythLazer, pythLazer1m } = ORACLE_SOURCE;
  const pulled = {
    ...priceUpdateLayout.zero(),
    price: 15_512_345_678n,
    conf: 5_000_000n,
    exponent: -8,
    publishTime: 1_700_000_000n,
    postedSlot: 447_552_007n,
  };
  const lazer = {
    ...lazerPriceLayout.zero(),
    price: 15_512_345_678n,
    conf: 5_000_000n,
    exponent: -8,
    publishTime: 1_700_000_000_250_000n,
    postedSlot: 447_552_008n,
  };

  it("are scaled to six decimals for any exponent", () => {
    expect(readMarketPrice(priceUpdateLayout.encode(pulled), pythPull)).toEqual({
      price: 155_123_456n,
      confidence: 50_000n,
      publishedAtMs: 1_700_000_000_000,
      postedSlot: 447_552_007n,
    });
    const whole = { ...pulled, price: 3n, exponent: 0 };
    expect(readMarketPrice(priceUpdateLayout.encode(whole), pythPull).price).toBe(3_000_000n);
    expect(readMarketPrice(priceUpdateLayout.encode(whole), pyth1kPull).price).toBe(3_000_000_000n);
  });

  it("come from Pyth Lazer too, in microseconds", () => {
    expect(readMarketPrice(lazerPriceLayout.encode(lazer), pythLazer)).toEqual({
      price: 155_123_456n,
      confidence: 50_000n,
      publishedAtMs: 1_700_000_000_250,
      postedSlot: 447_552_008n,
    });
    const cheap = { ...lazer, price: 2_345n, exponent: -10 };
    expect(readMarketPrice(lazerPriceLayout.encode(cheap), pythLazer1m).price).toBe(234_500n);
  });

  it("are refused unless positive and of the market's kind", () => {
    const none = priceUpdateLayout.encode(priceUpdateLayout.zero());
    expect(() => readMarketPrice(none, pythPull)).toThrow("no positive price");
    expect(() => readMarketPrice(new Uint8Array(200), pythPull)).toThrow("unknown kind");
    expect(() => readMarketPrice(priceUpdateLayout.encode(pulled), pythLazer)).toThrow(
      "unknown kind",
    );
    expect(() => readMarketPrice(lazerPriceLayout.encode(lazer), pythPull)).toThrow("unknown kind");
    for (const source of [ORACLE_SOURCE.pyth, ORACLE_SOURCE.quoteAsset, 11, 15]) {
      expect(() => readMarketPrice(priceUpdateLayout.encode(pulled), source)).toThrow(
        "unknown kind",
      );
    }
  });
});

describe("the offsets of the fields that check a plan", () => {
  it("match the layout", () => {
    const zero = userLayout.zero();
    const delegate = DRIFT_V2_INSTANCE.programId;
    const perpPositions = zero.perpPositions.map((slot, place) =>
      place === 3 ? { ...slot, baseAssetAmount: -1n } : slot,
    );
    const data = userLayout.encode({ ...zero, delegate, openOrders: 7, perpPositions });
    const at = baseAmountOffset(3);
    expect([...data.subarray(at, at + 8)]).toEqual(Array.from({ length: 8 }, () => 255));
    expect(data.subarray(DELEGATE_OFFSET, DELEGATE_OFFSET + 32)).toEqual(addressBytes(delegate));
    expect(data[OPEN_ORDERS_OFFSET]).toBe(7);
  });
});

describe("instances", () => {
  it.each([
    [6_960n, 33_909_120n, 2_561_280n, 32_183_040n + 2_561_280n],
    [5_080n, 24_749_760n, 1_869_440n, 23_489_920n + 1_869_440n],
    [696n, 3_390_912n, 256_128n, 3_218_304n + 256_128n],
  ])("have the rent for %s lamports a byte", async (rate, setUp, lost, velocity) => {
    const chain = { minimumBalance: async (size: number) => rentExemptMinimum(size, rate) };
    expect(await rentOf(chain, DRIFT_V2_INSTANCE.setUpSizes)).toBe(setUp);
    expect(await rentOf(chain, DRIFT_V2_INSTANCE.unrecoverableSizes)).toBe(lost);
    expect(await rentOf(chain, VELOCITY_INSTANCE.setUpSizes)).toBe(velocity);
  });
});

describe("encodeUserName", () => {
  it("fills 32 bytes and never cuts a character in half", () => {
    expect(encodeUserName("abc")).toEqual(
      Uint8Array.from([97, 98, 99, ...Array.from({ length: 29 }, () => 32)]),
    );
    const long = encodeUserName("é".repeat(20));
    expect(long.length).toBe(32);
    expect(new TextDecoder("utf-8", { fatal: true }).decode(long)).toBe("é".repeat(16));
    expect(new TextDecoder().decode(encodeUserName(`${"a".repeat(31)}é`))).toBe(
      `${"a".repeat(31)} `,
    );
  });
});
