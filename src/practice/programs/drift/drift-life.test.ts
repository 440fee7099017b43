import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { BENCH_START_MS, openLiteBench, openPracticeBench } from "../../../../test/chain-bench.ts";
import { DRIFT_CASES } from "../../../../test/drift-cases/all-cases.ts";
import { openExchange, START_PRICE } from "../../../../test/drift-cases/case.ts";
import {
  initialisedExchange,
  SOL_ORACLE,
  SOL_PERP,
} from "../../../../test/drift-cases/initialised-exchange.ts";
import { onRealProgram } from "../../../../test/real-program.ts";
import { perpMarketLayout } from "../../../venues/drift/layout-perp-market.ts";
import { ORACLE_SOURCE } from "../../../venues/drift/layout-spot-market.ts";
import { stateLayout } from "../../../venues/drift/layout-state.ts";
import { readMarketPrice } from "../../../venues/drift/exchange-reader.ts";
import { deriveSpotMarket, deriveState } from "../../../venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../../venues/drift/instance.ts";
import { rentExemptMinimum } from "../../runtime/account-state.ts";

const start = { slot: 0n, unixTime: BigInt(BENCH_START_MS / 1_000) };
const real = onRealProgram(DRIFT_CASES, "DRIFT_SO");

describe("the life of an account on the practice exchange", () => {
  it("consists of cases with unique names", () => {
    expect(new Set(DRIFT_CASES.map(({ name }) => name)).size).toBe(DRIFT_CASES.length);
  });

  it.each(DRIFT_CASES)("$name", async ({ run }) => {
    const { bench, market } = await openPracticeBench();
    await run(await openExchange(bench, (price) => market.setPrice("SOL", price)));
    expect.hasAssertions();
  });
});

describe("the life of an account, the real program", () => {
  it.for(real.rows)("%s", async ([, { run }, reason], { skip }) => {
    skip(reason !== null, reason ?? "");
    await run(await openExchange(openLiteBench({ [IDS.programId]: real.file })));
    expect.hasAssertions();
  });
});

describe("the exchange's accounts for the real program", () => {
  const accounts = initialisedExchange(start, START_PRICE);

  it.each([
    ["State", deriveState(IDS), 992],
    ["SpotMarket", deriveSpotMarket(IDS, 0), 776],
    ["PerpMarket", SOL_PERP, 1_216],
    ["PriceUpdateV2", SOL_ORACLE, 134],
  ] as const)("have the documented header, size and rent: %s", (name, address, size) => {
    const account = accounts.get(address);
    const head = createHash("sha256").update(`account:${name}`).digest().subarray(0, 8);
    expect(account?.data.length).toBe(size);
    expect(Buffer.from(account?.data.subarray(0, 8) ?? [])).toEqual(head);
    expect(account?.lamports).toBe(rentExemptMinimum(size));
  });

  it("reach the real runtime byte for byte", async () => {
    const bench = openLiteBench();
    await openExchange(bench);
    const placed = initialisedExchange(await bench.time(), START_PRICE);
    for (const [address, state] of placed) expect(await bench.account(address)).toEqual(state);
  });

  it("have a curve at the oracle's price within its bounds", () => {
    const { amm } = perpMarketLayout.decode(accounts.get(SOL_PERP)!.data);
    const { price } = readMarketPrice(accounts.get(SOL_ORACLE)!.data, ORACLE_SOURCE.pythPull);
    expect((amm.quoteAssetReserve * amm.pegMultiplier) / amm.baseAssetReserve).toBe(price);
    expect(amm.sqrtK * amm.sqrtK).toBe(amm.baseAssetReserve * amm.quoteAssetReserve);
    expect(amm.minBaseAssetReserve).toBeLessThan(amm.baseAssetReserve);
    expect(amm.maxBaseAssetReserve).toBeGreaterThan(amm.baseAssetReserve);
    expect(amm.historicalOracleData.lastOraclePriceTwap).toBe(price);
    expect(amm.oracle).toBe(SOL_ORACLE);
  });

  it("contain no zero that is a divisor", () => {
    const { perpFeeStructure } = stateLayout.decode(accounts.get(deriveState(IDS))!.data);
    expect(perpFeeStructure.rewardDenominator).toBeGreaterThan(0);
    for (const tier of perpFeeStructure.feeTiers) {
      expect(tier.feeDenominator).toBeGreaterThan(0);
      expect(tier.makerRebateDenominator).toBeGreaterThan(0);
      expect(tier.referrerRewardDenominator).toBeGreaterThan(0);
      expect(tier.refereeFeeDenominator).toBeGreaterThan(0);
    }
  });
});
