import type { Instruction } from "@solana/kit";
import { expect, it } from "vitest";
import { openDriftFixture } from "../../../test/drift-fixture.ts";
import {
  describeVenueConformance,
  fundVenueAccount,
  type VenueFixture,
} from "../../../test/venue-conformance.ts";
import { TransactionRefusedError } from "../../solana/chain.ts";
import { associatedTokenAddress } from "../../solana/programs/associated-token.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { ORDER_TYPE } from "./instruction-arguments.ts";
import { withdraw, placePerpOrder } from "./instructions.ts";
import { takeOrderParams } from "./order-params.ts";
import { perpMarketLayout } from "./layout-perp-market.ts";
import { derivePerpMarket, deriveSpotMarket } from "./pdas.ts";
import { DRIFT_V2_INSTANCE as instance } from "./instance.ts";

const ONE_SOL = 1_000_000_000n;
const START_PRICE = 150_000_000n;

for (const slots of [0, 10]) {
  describeVenueConformance(`Drift on practice, auctions of ${slots} slots,`, () =>
    openDriftFixture("pull", slots),
  );
  describeVenueConformance(`Drift with Pyth Lazer prices, auctions of ${slots} slots,`, () =>
    openDriftFixture("lazer", slots),
  );
}

it("does not let the delegate withdraw", async () => {
  const fixture = await openDriftFixture();
  const { chain, venue, account, tradingKey } = fixture;
  await fundVenueAccount(fixture);
  const held = (await venue.accountState(account)).withdrawable;
  const taking = withdraw(
    instance,
    { authority: account.vault, subAccountId: 0 },
    {
      spotMarketIndex: 0,
      tokenAccount: associatedTokenAddress(tradingKey.address, instance.quote.mint),
      amount: 1n,
      markets: { oracles: [], spotMarkets: [deriveSpotMarket(instance, 0)], perpMarkets: [] },
    },
  );
  const accounts = taking.accounts.map((meta) =>
    meta.address === account.vault ? { ...meta, address: tradingKey.address } : meta,
  );
  const wire = compileTransaction({
    feePayer: tradingKey.address,
    lifetime: await chain.latestBlockhash(),
    instructions: [{ ...taking, accounts }],
  });
  await expect(chain.send(signTransaction(wire, tradingKey))).rejects.toThrow(
    TransactionRefusedError,
  );
  expect(held).toBeGreaterThan(0n);
  expect((await venue.accountState(account)).withdrawable).toBe(held);
});

it("cancels resting orders of the market in the closing transaction", async () => {
  const fixture = await openDriftFixture();
  const { chain, venue, account, tradingKey } = fixture;
  await fundVenueAccount(fixture);
  const send = async (instructions: readonly Instruction[]) => {
    const lifetime = await chain.latestBlockhash();
    const wire = compileTransaction({ feePayer: tradingKey.address, lifetime, instructions });
    await chain.send(signTransaction(wire, tradingKey));
  };
  const order = (side: "long" | "short", reduceOnly: boolean) =>
    ({
      agentId: "a",
      market: { marketId: "SOL-PERP" },
      side,
      baseSize: ONE_SOL,
      referencePrice: START_PRICE,
      slippageBps: 100,
      reduceOnly,
    }) as unknown as Parameters<typeof venue.buildOrder>[1];
  await send((await venue.buildOrder(account, order("long", false))).instructions);
  const { market, oracle } = await solMarket(chain);
  const resting = takeOrderParams({
    marketIndex: 0,
    side: "long",
    baseSize: ONE_SOL,
    price: START_PRICE / 2n,
    reduceOnly: false,
  });
  await send([
    placePerpOrder(
      instance,
      { authority: account.vault, subAccountId: 0 },
      tradingKey.address,
      { ...resting, orderType: ORDER_TYPE.limit, bitFlags: 0 },
      { oracles: [oracle], spotMarkets: [deriveSpotMarket(instance, 0)], perpMarkets: [market] },
    ),
  ]);
  expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 1 });
  await send((await venue.buildOrder(account, order("short", true))).instructions);
  expect(await venue.accountState(account)).toMatchObject({ openOrderCount: 0, positions: [] });
});

async function solMarket(chain: VenueFixture["chain"]) {
  const market = derivePerpMarket(instance, 0);
  const [held] = (await chain.accounts([market])).accounts;
  if (held == null) throw new Error("The practice chain has no SOL market");
  return { market, oracle: perpMarketLayout.decode(held.data).amm.oracle };
}
