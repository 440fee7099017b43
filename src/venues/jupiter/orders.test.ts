import type { Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { type JupiterFixture, openJupiterFixture } from "../../../test/jupiter-fixture.ts";
import { fundVenueAccount } from "../../../test/venue-conformance.ts";
import type { Approved, OrderIntent } from "../../domain/order/order.ts";
import { SQUADS_PROGRAM } from "../../solana/programs/squads.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { type OrderReport, OrderRefusedError } from "../placed-order.ts";
import { createJupiterAllowList } from "./allow-list.ts";
import { assetOf, JUPITER_PROGRAM, quoteToken, tokenAccountOf } from "./instance.ts";
import { QUIET_ACCOUNT } from "../../../test/passing-ledger.ts";
import { createJupiterOrderLimits } from "./order-limits.ts";
import type { SwapRouter } from "./swap-router.ts";

const PRICE = 150_000_000n;
const ONE_SOL = 1_000_000_000n;
const DAY_MS = 86_400_000;

const order = (
  { market }: JupiterFixture,
  changes: Partial<OrderIntent> = {},
): Approved<OrderIntent> =>
  ({
    orderId: "order",
    agentId: "agent",
    signal: "OPEN_LONG",
    market,
    side: "long",
    reduceOnly: false,
    baseSize: ONE_SOL,
    referencePrice: PRICE,
    slippageBps: 50,
    percentage: 100,
    ...changes,
  }) as unknown as Approved<OrderIntent>;

const selling = { side: "short", reduceOnly: true, signal: "CLOSE_LONG" } as const;

async function land(
  { chain, venue, account, tradingKey }: JupiterFixture,
  instructions: readonly Instruction[],
): Promise<OrderReport> {
  const wire = compileTransaction({
    feePayer: tradingKey.address,
    lifetime: await chain.latestBlockhash(),
    instructions,
  });
  const outcome = await chain.transaction(await chain.send(signTransaction(wire, tradingKey)));
  if (outcome === null) throw new Error("The order was sent and is unknown");
  return venue.reportOrder(account, outcome);
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OrderRefusedError) return error.reason;
    throw error;
  }
  return "built";
}

describe("an order on the swap venue", () => {
  it("draws exactly what it swaps and leaves the trading key's accounts empty", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account } = fixture;
    await fundVenueAccount(fixture);
    const { instructions } = await venue.buildOrder(account, order(fixture));
    expect(instructions.map(({ programAddress }) => programAddress).slice(2)).toEqual([
      SQUADS_PROGRAM,
      JUPITER_PROGRAM,
    ]);
    expect((await land(fixture, instructions)).kind).toBe("filled");
    const asset = assetOf(venue.instance, "SOL");
    for (const token of [quoteToken(venue.instance), asset]) {
      expect(await fixture.tokens(tokenAccountOf(account.tradingKey, token))).toBe(0n);
    }
    expect(fixture.leftovers).toEqual([]);
  });

  it("returns the trading key's remainder to the vault, and says so", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account } = fixture;
    await fundVenueAccount(fixture);
    await fixture.giveAsset(account.tradingKey, 5_000n);
    const { instructions } = await venue.buildOrder(account, order(fixture));
    const report = await land(fixture, instructions);
    expect(fixture.leftovers).toEqual([5_000n]);
    const asset = assetOf(venue.instance, "SOL");
    expect(await fixture.tokens(tokenAccountOf(account.tradingKey, asset))).toBe(0n);
    // Returned leftovers are not part of the trade
    if (report.kind !== "filled") throw new Error("The order was not filled");
    const held = await fixture.tokens(tokenAccountOf(account.vault, asset));
    expect(report.fills[0]?.baseSize).toBe(held - 5_000n);
  });

  it("is refused beyond the rest of today's limit, and possible again tomorrow", async () => {
    const fixture = await openJupiterFixture({ quoteUnits: 5_000_000_000n });
    const { venue, account, clock } = fixture;
    await fundVenueAccount(fixture, 3_000_000_000n);
    const most = { baseSize: 6n * ONE_SOL };
    const { instructions } = await venue.buildOrder(account, order(fixture, most));
    await land(fixture, instructions);
    const again = order(fixture, most);
    expect(await refusalOf(venue.buildOrder(account, again))).toBe("spending_limit");
    expect((await venue.accountState(account)).freeCollateral).toBeLessThan(110_000_000n);
    clock.advance(DAY_MS + 1_000);
    const tomorrow = await venue.buildOrder(account, again);
    expect((await land(fixture, tomorrow.instructions)).kind).toBe("filled");
  });

  it("never leaves more in the vault than the trading key could sell again today", async () => {
    const fixture = await openJupiterFixture({ quoteUnits: 5_000_000_000n });
    const { venue, account } = fixture;
    await fundVenueAccount(fixture, 3_000_000_000n);
    const bought = await venue.buildOrder(account, order(fixture, { baseSize: 3n * ONE_SOL }));
    await land(fixture, bought.instructions);
    const { freeCollateral } = await venue.accountState(account);
    const more = order(fixture, { baseSize: (freeCollateral * ONE_SOL) / PRICE });
    await land(fixture, (await venue.buildOrder(account, more)).instructions);
    const { positions } = await venue.accountState(account);
    const sale = order(fixture, { ...selling, baseSize: positions[0]?.baseSize ?? 0n });
    const { instructions } = await venue.buildOrder(account, sale);
    expect((await land(fixture, instructions)).kind).toBe("filled");
    expect((await venue.accountState(account)).positions).toEqual([]);
  });

  it.each<[string, Partial<OrderIntent>, string]>([
    ["a short", { side: "short", signal: "OPEN_SHORT" }, "spot_only"],
    ["a sale of nothing", selling, "nothing_to_close"],
    ["a buy of nothing", { baseSize: 0n }, "size_too_small"],
    ["more than the vault holds", { baseSize: 5n * ONE_SOL }, "notional_exceeds_collateral"],
    ["a price long gone", { referencePrice: 140_000_000n }, "price_deviation"],
  ])("is refused as %s", async (_, changes, reason) => {
    const fixture = await openJupiterFixture();
    await fundVenueAccount(fixture);
    const built = fixture.venue.buildOrder(fixture.account, order(fixture, changes));
    expect(await refusalOf(built)).toBe(reason);
  });

  it("is signed whenever it is built, at every limit of an exit", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account, clock } = fixture;
    await fundVenueAccount(fixture);
    const bought = await venue.buildOrder(account, order(fixture, { baseSize: 3n * ONE_SOL }));
    await land(fixture, bought.instructions);
    const allow = createJupiterAllowList(venue.instance);
    const price = { price: PRICE, confidence: 0n, publishedAtMs: clock.now(), isFillable: true };
    const limit = createJupiterOrderLimits({
      instance: venue.instance,
      clock,
      readAccount: async () => QUIET_ACCOUNT,
      prices: { price: async () => price },
    });
    const terms = {
      marketId: "SOL",
      slippageBps: 50,
      leverage: 1,
      stop: null,
      tradingState: "reducing",
    } as const;
    let built = 0;
    for (const slippageBps of [50, 100, 500, 501, 800, 1_000]) {
      for (const percent of [93n, 97n, 100n, 103n]) {
        const referencePrice = (PRICE * percent) / 100n;
        const sale = order(fixture, { ...selling, baseSize: ONE_SOL, slippageBps, referencePrice });
        const made = await venue.buildOrder(account, sale).catch((error: unknown) => error);
        if (made instanceof OrderRefusedError) continue;
        const { instructions } = made as Awaited<ReturnType<typeof venue.buildOrder>>;
        const signed = instructions.slice(2) as Required<Instruction>[];
        expect(signed.map((each) => allow(account, each))).toEqual([null, null]);
        expect(await limit(account, signed, "order", terms)).toMatchObject({ refusal: null });
        built += 1;
      }
    }
    expect(built).toBeGreaterThan(12);
  });

  const answeringAboutLess = (router: SwapRouter): SwapRouter => ({
    ...router,
    build: (request) => router.build({ ...request, amount: (request.amount * 99n) / 100n }),
  });

  it("is refused when the router's answer has another amount", async () => {
    const fixture = await openJupiterFixture({ wrapRouter: answeringAboutLess });
    await fundVenueAccount(fixture);
    const built = fixture.venue.buildOrder(fixture.account, order(fixture));
    expect(await refusalOf(built)).toBe("venue_refused");
  });

  it("is refused when the market moved between price and quote by more than its slippage", async () => {
    const fixture = await openJupiterFixture({
      wrapRouter: (router) => ({
        ...router,
        async build(request) {
          const build = await router.build(request);
          await fixture.setPrice((PRICE * 10_060n) / 10_000n);
          return build;
        },
      }),
    });
    await fundVenueAccount(fixture);
    const built = fixture.venue.buildOrder(fixture.account, order(fixture));
    expect(await refusalOf(built)).toBe("price_deviation");
  });

  it("fails on chain without a draw when the market moves after it was built", async () => {
    const fixture = await openJupiterFixture();
    const { venue, account } = fixture;
    await fundVenueAccount(fixture);
    const { instructions } = await venue.buildOrder(account, order(fixture));
    await fixture.setPrice((PRICE * 10_100n) / 10_000n);
    await expect(land(fixture, instructions)).rejects.toThrow("6001");
    expect((await venue.accountState(account)).withdrawable).toBe(500_000_000n);
  });
});
