import { afterEach, beforeEach, expect, it } from "vitest";
import { passAuction, STORY_AUCTION_SLOTS } from "../../../test/auctions.ts";
import { connectRpc } from "../../../test/connect-rpc.ts";
import { type Crowd, createCrowd } from "../../../test/crowd.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { accountReader, inheritTerms, TEST_HOST } from "../../../test/inherit-terms.ts";
import { practiceRules, practiceVenues } from "../../../test/practice-venues.ts";
import { type RpcServer, startRpcServer } from "../../../test/rpc-server.ts";
import { newTestId } from "../../../test/world.ts";
import { createTradingKeySigner } from "../custody/signer/create-trading-key-signer.ts";
import { createSigningAgents } from "../custody/signer/read-signing-agent.ts";
import { createSigningLedger } from "../custody/signer/signing-ledger.ts";
import { withCallClasses } from "../main/call-classes.ts";
import type { Networks } from "../networks.ts";
import { runLane } from "./lanes/lane.ts";
import type { TradingDeps } from "./orders/order-context.ts";
import { createSettlements } from "./orders/settlements.ts";

const ORDERS = 6;

/** Most turns of a lane until its order is placed, through its auction and filled. */
const TURNS = 4;

let world: Crowd;
let node: RpcServer;
let deps: TradingDeps;
const problems: unknown[] = [];

beforeEach(async () => {
  world = await createCrowd(await createTestDatabase(), ORDERS);
  node = await startRpcServer(world.chain);
  const { clock, database, keys, prices, chain: served } = world;
  await world.chain.changeExchange({ minPerpAuctionDuration: STORY_AUCTION_SLOTS ?? 10 });
  await served.fund(keys.feePayer.address, { lamports: 1_000_000_000n, quoteUnits: 0n });
  await inheritTerms(database.db);
  const pool = await connectRpc([node], served, {
    clock,
    network: "practice",
    // A call that was given up and made again would be counted twice
    timeoutMs: 60_000,
    sharing: {
      budget: { take: async () => {}, limited() {} },
      endOfTick: () => new Promise((resolve) => setImmediate(resolve)),
      wait: () => new Promise<never>(() => {}),
    },
  });
  const runtime = withCallClasses({ network: "practice", explorerUrl: null }, pool, (view) => [
    ...practiceVenues(view, prices, clock).values(),
  ]);
  const networks: Networks = new Map([["practice", runtime]]);
  const log = {
    debug() {},
    warn: (detail: object) => void problems.push(detail),
    error: (detail: object) => void problems.push(detail),
  };
  deps = {
    db: database.as("trading").db,
    lanes: database.as("trading").pool,
    networks,
    signer: createTradingKeySigner({
      keys,
      ledger: createSigningLedger({ pool: database.pool, clock }),
      agents: createSigningAgents({
        pool: database.as("signer").pool,
        rulesOf: practiceRules(served, prices, clock),
        tradingState: () => "active",
        keys,
        clock,
        host: TEST_HOST,
        readAccount: accountReader(served),
      }),
    }),
    clock,
    newId: newTestId,
    publisher: { publish() {} },
    tradingState: () => "active",
    custodyCheck: async () => null,
    settlements: createSettlements(log),
    entryAtr: async () => new Map(),
    log,
  };
});

afterEach(async () => {
  await node.close();
  await world.database.drop();
  expect(problems.splice(0)).toEqual([]);
});

const states = async () =>
  (await world.database.db.selectFrom("orders").select("state").execute()).map(
    ({ state }) => state,
  );

it("asks a node for each order of a slot only what is its own", async () => {
  const { agentIds, clock, database } = world;
  const orders = agentIds.map((agent_id) => ({
    id: newTestId(),
    agent_id,
    signal: "OPEN_LONG" as const,
    leg: 0,
    state: "planned" as const,
    planned_at: new Date(clock.now()),
  }));
  await database.db.insertInto("orders").values(orders).execute();
  for (let turn = 0; turn < TURNS; turn += 1) {
    await Promise.all(agentIds.map((agentId) => runLane(deps, agentId, "test")));
    await passAuction(world);
  }
  expect(await states()).toEqual(orders.map(() => "filled"));

  const asked = Map.groupBy(node.calls, (method) => method);
  const count = (method: string) => asked.get(method)?.length ?? 0;
  // An order that takes at once is one transaction; one in an auction is its placing and its fill
  const transactions = count("sendTransaction");
  expect(transactions).toBe((STORY_AUCTION_SLOTS === 0 ? 1 : 2) * ORDERS);
  // The node tries each as it takes it, and the account shows an order that rests
  expect(count("simulateTransaction")).toBe(0);
  expect(count("getTransaction")).toBe(ORDERS);
  // Our own fill was the whole order: nobody else's is searched for
  expect(count("getSignaturesForAddress")).toBe(0);
  // All orders of a slot ask for the same
  expect(count("getLatestBlockhash")).toBe(transactions / ORDERS);
  expect(count("getRecentPrioritizationFees")).toBe(transactions / ORDERS);
  expect(count("getMinimumBalanceForRentExemption")).toBe(0);
});
