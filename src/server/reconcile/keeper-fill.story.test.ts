import type { Signature } from "@solana/kit";
import { afterEach, beforeEach, expect, it } from "vitest";
import { passAuction } from "../../../test/auctions.ts";
import { expectBooked } from "../../../test/expect-booked.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import { signTransaction } from "../../solana/signing.ts";
import { compileTransaction } from "../../solana/transaction.ts";
import { fillPerpOrder } from "../../venues/drift/instructions.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { derivePerpMarket, deriveSpotMarket } from "../../venues/drift/pdas.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { sumTradedBase } from "../store/custody/custody-notices.ts";
import { readPending } from "../store/ledger/pending-entries.ts";
import { findLateFills } from "../trading/orders/find-late-fills.ts";
import { createReconciler, type Reconciler } from "./reconciler.ts";

let world: TradingWorld;
let reconciler: Reconciler;

beforeEach(async () => {
  world = await createTradingWorld("drift", { auctionSlots: 10, passesAuctions: false });
  const deps = { ...world.deps, keys: world.keys };
  const onFailure = (error: unknown) => {
    throw error;
  };
  reconciler = createReconciler({ ...deps, guard: createCustodyGuard(deps), onFailure });
});

afterEach(async () => {
  await expectBooked(world);
  await world.database.drop();
});

/** Fills the account's order in a transaction that is not paid for by this product, as a keeper does. */
async function fillAsKeeper(orderId: number): Promise<Signature> {
  await passAuction(world);
  const { tradingKey, vault } = world.keys.of(world.agentId);
  await world.chain.fund(tradingKey.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
  const venue = world.networks.get("practice")?.venues.get("drift");
  const shared = (await venue?.sharedAddresses()) ?? [];
  const markets = {
    oracles: shared.slice(-3, -2),
    spotMarkets: [deriveSpotMarket(DRIFT_V2_INSTANCE, 0)],
    perpMarkets: [derivePerpMarket(DRIFT_V2_INSTANCE, 0)],
  };
  const user = { authority: vault, subAccountId: 0 };
  const bytes = compileTransaction({
    feePayer: tradingKey.address,
    lifetime: await world.chain.latestBlockhash(),
    instructions: [fillPerpOrder(DRIFT_V2_INSTANCE, user, tradingKey.address, orderId, markets)],
  });
  return world.chain.send(signTransaction(bytes, tradingKey));
}

const held = async () => (await world.account()).positions.map(({ baseSize }) => baseSize);
const traded = async () => [...(await sumTradedBase(world.database.db, world.agentId)).values()];
const pending = async () =>
  (await readPending(world.database.db, world.agentId)).entries.flatMap(({ kind, base }) =>
    kind === "trade" ? [base?.amount] : [],
  );
const story = () => world.story();

it("is counted and booked once where the order it filled was given up too early", async () => {
  await world.fire("long");
  await world.run();
  expect(await story()).toEqual(["OPEN_LONG resting resting"]);
  // As a node would have had us believe
  await world.database.pool.query(
    `update orders set state = 'expired', reason = 'expired', resting = null, settled_at = $1`,
    [new Date(world.clock.now())],
  );
  await world.database.pool.query("update trade_log set status = 'failed'");
  await fillAsKeeper(1);
  const [base] = await held();
  expect(base).toBeGreaterThan(0n);
  await reconciler.run();
  expect(await traded()).toEqual([base]);
  expect(await pending()).toEqual([base]);

  await findLateFills(world.deps, "practice");
  for (let second = 0; second < 5; second += 1) {
    world.clock.advance(SLOT_MS);
    await world.run();
  }
  expect(await story()).toEqual(["OPEN_LONG filled"]);
  expect(await traded()).toEqual([base]);
  expect(await pending()).toEqual([base]);
  await reconciler.run();
  expect((await world.custody.summariseAccess(world.agentId))?.notices).toEqual([]);
});
