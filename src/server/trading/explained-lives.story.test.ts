import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { passAuction, STORY_VENUES } from "../../../test/auctions.ts";
import { connectRpc } from "../../../test/connect-rpc.ts";
import { bookDeps, finalize } from "../../../test/expect-booked.ts";
import { startRpcServer } from "../../../test/rpc-server.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import { practiceVenues } from "../../../test/practice-venues.ts";
import { isAppError } from "../../contract/errors.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import type { Chain } from "../../solana/chain.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { updateAgentLedger } from "../ledger/update-agent-ledger.ts";
import { createReconciler, type Reconciler } from "../reconcile/reconciler.ts";
import { listCustodyNotices } from "../store/custody/custody-notices.ts";
import { believeAccount, readHoldingRecord } from "./orders/believe-account.ts";
import { type TradingDeps, findTradingAgent } from "./orders/order-context.ts";

/** Lives per venue and test run; more of them: EXPLAINED_LIVES=200. */
const LIVES = Number(process.env["EXPLAINED_LIVES"] ?? 3);

const units = fc.integer({ min: 1, max: 100 });

/** Everything that an owner, his agent, the market and the server do of their own accord. */
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ fire: fc.constantFrom("long", "short", "close long", "close short") }),
  },
  { weight: 3, arbitrary: fc.record({ ask: fc.constantFrom("close-positions") }) },
  { weight: 2, arbitrary: fc.record({ ask: fc.constantFrom("deposit", "withdraw"), units }) },
  { weight: 3, arbitrary: fc.record({ price: fc.integer({ min: 140, max: 170 }) }) },
  { weight: 1, arbitrary: fc.record({ hours: fc.integer({ min: 1, max: 200 }) }) },
  { weight: 2, arbitrary: fc.record({ slots: fc.integer({ min: 1, max: 40 }) }) },
  { weight: 3, arbitrary: fc.record({ books: fc.constantFrom("at once", "final", "torn") }) },
);

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Life {
  readonly world: TradingWorld;
  readonly server: TradingDeps;
  readonly reconciler: Reconciler;
}

/** An agent whose network has one node only, which nobody else can confirm. */
async function openLife(venue: "drift" | "jupiter", auctionSlots: number) {
  const world = await createTradingWorld(venue, { auctionSlots });
  const node = await startRpcServer(world.chain);
  const { clock, deps, prices, chain } = world;
  const runtime = deps.networks.get("practice");
  if (runtime === undefined) throw new Error("No practice network");
  const network = await connectRpc([node], chain, { clock, network: "practice" });
  const venues = practiceVenues(network.chain, prices, clock);
  const server = {
    ...deps,
    networks: new Map([["practice", { ...runtime, ...network, venues }] as const]),
  };
  const seen = { ...deps, keys: world.keys };
  const reconciler = createReconciler({ ...seen, guard: createCustodyGuard(seen) });
  const close = async () => {
    await node.close();
    await world.database.drop();
  };
  return { world, server, reconciler, close };
}

/** Signs an intent's transactions until nothing is left; what cannot be done now is left out. */
async function sign(
  { world, reconciler }: Life,
  intent: "deposit" | "withdraw" | "close-positions",
  amount?: string,
) {
  for (let left = 4; left > 0; left -= 1) {
    try {
      const { state } = await world.approve(await world.prepare(intent, amount));
      if (state !== "confirmed") return;
      if (intent !== "close-positions") return;
      await passAuction(world);
      world.clock.advance(SLOT_MS);
      await reconciler.run();
    } catch (error) {
      if (isAppError(error, "order_waiting")) await passAuction(world);
      else if (isAppError(error) || String(error).includes("Nothing is left")) return;
      else throw error;
    }
  }
}

async function take(life: Life, next: Step): Promise<void> {
  const { world, server } = life;
  if ("fire" in next) {
    await world.fire(next.fire);
    await world.run("test", server);
  }
  if ("ask" in next) {
    if (next.ask === "withdraw") {
      await world.database.db.updateTable("agents").set({ auto_trade: "off" }).execute();
    }
    await sign(life, next.ask, "units" in next ? String(next.units) : undefined);
    await world.database.db.updateTable("agents").set({ auto_trade: "on" }).execute();
  }
  if ("price" in next) world.setPrice(BigInt(next.price) * 1_000_000n);
  if ("hours" in next) world.clock.advance(next.hours * 3_600_000);
  if ("slots" in next) world.clock.advance(next.slots * SLOT_MS);
  if ("books" in next) {
    if (next.books !== "at once") finalize(world);
    const deps = bookDeps(world);
    const networks = next.books === "torn" ? torn(world) : deps.networks;
    await updateAgentLedger({ ...deps, networks }, await world.agent());
  }
  world.clock.advance(2 * SLOT_MS);
}

/** Networks whose nodes list every transaction and have lost the first one that is asked for. */
function torn({ networks }: TradingWorld): TradingDeps["networks"] {
  const practice = networks.get("practice");
  if (practice === undefined) throw new Error("No practice network");
  let isLost = true;
  const chain: Chain = {
    ...practice.chain,
    async transaction(signature) {
      const outcome = isLost ? null : await practice.chain.transaction(signature);
      isLost = false;
      return outcome;
    },
    withOneNode: (work) => work(chain),
  };
  return new Map([["practice", { ...practice, chain }]]);
}

/** Returns the account as an entry would be made on it. */
async function believed({ world, server }: Life) {
  const agent = await findTradingAgent(server, world.agentId);
  if (agent === null || agent.runtime === null || agent.account === null)
    throw new Error("No agent");
  const ready = { ...agent, runtime: agent.runtime, account: agent.account };
  const recorded = await readHoldingRecord(server.db, ready);
  const seen = await ready.runtime.venue.accountState(ready.account);
  return believeAccount(server, ready, recorded, { seen, isEntry: true });
}

it("is not refused when no node stores the deposit any more", async () => {
  const { close, ...life } = await openLife("drift", 0);
  try {
    const { world } = life;
    const practice = world.networks.get("practice");
    if (practice === undefined) throw new Error("No practice network");
    const young: Chain = {
      ...practice.chain,
      historyStart: async () => 1_000n,
      signaturesFor: async () => [],
      withOneNode: (work) => work(young),
    };
    finalize(world);
    const networks = new Map([["practice", { ...practice, chain: young }] as const]);
    await updateAgentLedger({ ...bookDeps(world), networks }, await world.agent());
    await take(life, { fire: "long" });
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    await take(life, { ask: "deposit", units: 100 });
    await take(life, { fire: "close long" });
    await take(life, { fire: "long" });
    expect((await world.story()).slice(1)).toEqual(["CLOSE_LONG filled", "OPEN_LONG filled"]);
  } finally {
    await close();
  }
});

describe.each(STORY_VENUES)("an entry on %s", (venue) => {
  it(`is not refused because of its owner, its agent or the market, in ${LIVES} lives`, async () => {
    const done = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 16 }),
        fc.constantFrom(0, 10),
        async (steps, auctionSlots) => {
          const { close, ...life } = await openLife(venue, auctionSlots);
          const { world } = life;
          try {
            for (const next of steps) {
              await take(life, next);
              const state = await believed(life);
              const told = await listCustodyNotices(world.database.db, world.agentId, 10);
              const doubted = told.filter(({ kind }) => kind === "unconfirmed");
              expect({ next, isRefused: state === null, doubted }).toEqual({
                next,
                isRefused: false,
                doubted: [],
              });
            }
            for (const line of await world.story()) done.add(line);
          } finally {
            await close();
          }
        },
      ),
      { seed: 156, numRuns: LIVES },
    );
    expect([...done]).toContain("OPEN_LONG filled");
  });
});
