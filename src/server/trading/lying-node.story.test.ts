import { afterEach, describe, expect, it } from "vitest";
import { STORY_VENUES } from "../../../test/auctions.ts";
import { accountReader, TEST_HOST } from "../../../test/inherit-terms.ts";
import { connectRpc } from "../../../test/connect-rpc.ts";
import { bookDeps } from "../../../test/expect-booked.ts";
import { rememberAccounts, rewriting } from "../../../test/node-behaviours.ts";
import { openLong } from "../../../test/open-long.ts";
import { practiceRules, practiceVenues } from "../../../test/practice-venues.ts";
import { type RpcServer, startRpcServer } from "../../../test/rpc-server.ts";
import { createTradingWorld, type TradingWorld } from "../../../test/trading-world.ts";
import type { VenueId } from "../../domain/venue-id.ts";
import { SLOT_MS } from "../../practice/slots.ts";
import { DRIFT_V2_INSTANCE } from "../../venues/drift/instance.ts";
import { baseAmountOffset } from "../../venues/drift/layout-user.ts";
import { deriveUser } from "../../venues/drift/pdas.ts";
import {
  assetOf,
  JUPITER_PRACTICE_INSTANCE,
  quoteToken,
  tokenAccountOf,
} from "../../venues/jupiter/instance.ts";
import { createTradingKeySigner } from "../custody/signer/create-trading-key-signer.ts";
import { createSigningLedger } from "../custody/signer/signing-ledger.ts";
import { createSigningAgents } from "../custody/signer/read-signing-agent.ts";
import { updateAgentLedger } from "../ledger/update-agent-ledger.ts";
import { listCustodyNotices } from "../store/custody/custody-notices.ts";
import type { TradingDeps } from "./orders/order-context.ts";
import { changeExchange } from "../../../test/practice-operator.ts";

let world: TradingWorld;
let nodes: RpcServer[];

async function open(venue: VenueId) {
  world = await createTradingWorld(venue);
  nodes = [await startRpcServer(world.chain), await startRpcServer(world.chain)];
  return nodes as [RpcServer, RpcServer];
}

afterEach(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await world.database.drop();
  expect(world.problems).toEqual([]);
});

const passSlots = (slots: number) => world.clock.advance(slots * SLOT_MS);

/** A server as it starts: it remembers nothing and asks these nodes, the first one first, and so does its signer. */
async function startServer(...servers: RpcServer[]): Promise<TradingDeps> {
  const { clock, deps, prices } = world;
  const runtime = deps.networks.get("practice");
  if (runtime === undefined) throw new Error("No practice network");
  const connect = () => connectRpc(servers, world.chain, { clock, network: "practice" });
  const [network, forSigner] = [await connect(), await connect()];
  const venues = practiceVenues(network.chain, prices, clock);
  const signer = createTradingKeySigner({
    keys: world.keys,
    ledger: createSigningLedger({ pool: world.database.pool, clock }),
    agents: createSigningAgents({
      pool: world.database.pool,
      rulesOf: practiceRules(forSigner.chain, prices, clock),
      tradingState: () => "active",
      keys: world.keys,
      clock,
      host: TEST_HOST,
      readAccount: accountReader(forSigner.chain),
    }),
  });
  const networks = new Map([["practice", { ...runtime, ...network, venues }] as const]);
  return { ...deps, signer, networks };
}

const run = (server: TradingDeps) => world.run("test", server);

async function trade(server: TradingDeps, alert: "long" | "close long"): Promise<void> {
  await world.fire(alert);
  await run(server);
  passSlots(2);
}

/** Accounts that hold an agent's position and money at its venue. */
function accountsOf(venue: VenueId) {
  const { vault } = world.keys.of(world.agentId);
  if (venue === "drift") return [deriveUser(DRIFT_V2_INSTANCE, vault, 0)];
  const instance = JUPITER_PRACTICE_INSTANCE;
  const tokens = [quoteToken(instance), assetOf(instance, "SOL")];
  return tokens.map((token) => tokenAccountOf(vault, token));
}

/** Where a venue keeps an agent's money and its position: the account's place in the list above, and the offset. */
const AMOUNTS = {
  drift: { money: [0, 104], position: [0, baseAmountOffset(0)] },
  jupiter: { money: [0, 64], position: [1, 64] },
} as const;

/** A node that answers an agent's money or position so many times as large. */
function times(factor: bigint, venue: "drift" | "jupiter", what: "money" | "position") {
  const [place, at] = AMOUNTS[venue][what];
  const change = (bytes: Buffer) => {
    bytes.writeBigUInt64LE(bytes.readBigUInt64LE(at) * factor, at);
    return bytes;
  };
  return rewriting(new Map([[accountsOf(venue)[place] ?? "", change]]));
}

const held = async () =>
  (await world.account()).positions.map(({ side, baseSize }) => ({ side, baseSize }));

const told = async () =>
  (await listCustodyNotices(world.database.db, world.agentId, 10)).map(({ text }) => text);

describe.each(STORY_VENUES)("an entry on %s", (venue) => {
  it("is not doubled when one of two nodes answers from before the fill", async () => {
    const [bad, good] = await open(venue);
    // A waiting order is followed on one node, and one that shows none keeps it from being filled
    await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
    bad.behave(rewriting(await rememberAccounts(world.chain, accountsOf(venue))));
    const server = await startServer(bad, good);
    await trade(server, "long");
    const bought = await held();
    expect(bought).toHaveLength(1);

    await trade(server, "long");
    expect(await world.story()).toEqual(["OPEN_LONG filled", "OPEN_LONG denied already_long"]);
    expect(await held()).toEqual(bought);
    expect(await world.landed()).toHaveLength(1);
  });

  it("has the true size when one of two nodes triples the money", async () => {
    const [bad, good] = await open(venue);
    bad.behave(times(3n, venue, "money"));
    await trade(await startServer(bad, good), "long");
    expect(await world.story()).toEqual(["OPEN_LONG filled"]);
    const [order] = await world.orders();
    expect(order?.total).toBeGreaterThan(490_000_000n);
    expect(order?.total).toBeLessThanOrEqual(500_000_000n);
  });

  it("is not placed when the only node contradicts the records, and the owner is notified", async () => {
    const [bad] = await open(venue);
    bad.behave(times(3n, venue, "money"));
    const server = await startServer(bad);
    await trade(server, "long");
    expect(await world.story()).toEqual(["OPEN_LONG denied unconfirmed"]);
    expect(await told()).toEqual([expect.stringContaining("500")]);
    bad.behave(null);
    await trade(server, "long");
    expect(await world.story()).toEqual(["OPEN_LONG denied unconfirmed", "OPEN_LONG filled"]);
  });

  it("is placed after the owner closed by hand, before that is booked, with a single node", async () => {
    const [node] = await open(venue);
    await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
    const server = await startServer(node);
    await trade(server, "long");
    for (let step = 0; step < 3 && (await held()).length > 0; step += 1) {
      await world.approve(await world.prepare("close-positions"));
    }
    passSlots(2);
    await trade(server, "long");
    expect(await told()).toEqual([]);
    expect(await world.story()).toEqual(["OPEN_LONG filled", "OPEN_LONG filled"]);
  });

  it("is not placed while two nodes contradict each other and the records", async () => {
    const [one, other] = await open(venue);
    const before = await rememberAccounts(world.chain, accountsOf(venue));
    await trade(await startServer(one), "long");
    one.behave(rewriting(before));
    other.behave(times(3n, venue, "money"));
    await trade(await startServer(one, other), "long");
    expect((await world.story()).at(-1)).toBe("OPEN_LONG denied unconfirmed");
    expect(await world.landed()).toHaveLength(1);
  });
});

describe.each(STORY_VENUES)("a trade on %s outside this product", (venue) => {
  it("is believed at once when two nodes show it", async () => {
    const [one, other] = await open(venue);
    await openLong(world);
    const server = await startServer(one, other);
    await trade(server, "long");
    expect(await world.story()).toEqual(["OPEN_LONG denied already_long"]);
    await trade(server, "close long");
    await trade(server, "long");
    expect((await world.story()).slice(1)).toEqual(["CLOSE_LONG filled", "OPEN_LONG filled"]);
    expect(await told()).toEqual([]);
  });

  it("is believed once a single node shows it in a final block", async () => {
    const [one] = await open(venue);
    await openLong(world);
    const server = await startServer(one);
    await trade(server, "long");
    passSlots(32);
    await trade(server, "long");
    await trade(await startServer(one), "long");
    expect(await world.story()).toEqual([
      "OPEN_LONG denied unconfirmed",
      "OPEN_LONG denied already_long",
      "OPEN_LONG denied already_long",
    ]);
    expect(await told()).toHaveLength(1);

    await updateAgentLedger(bookDeps(world), await world.agent());
    await trade(await startServer(one), "long");
    expect((await world.story()).at(-1)).toBe("OPEN_LONG denied already_long");
    expect(await told()).toHaveLength(1);
  });
});

describe.each([
  ["drift", "close-positions"],
  ["jupiter", "close-positions"],
  ["drift", "deposit"],
  ["jupiter", "deposit"],
] as const)("an entry on %s with a node alone, after a %s", (venue, intent) => {
  it("waits until the owner's landed transaction is recorded", async () => {
    const [node] = await open(venue);
    await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
    const server = await startServer(node);
    if (intent === "close-positions") await trade(server, "long");
    // The page was closed before the wallet answered it
    const prepared = await world.prepare(intent, intent === "deposit" ? "400" : undefined);
    await world.chain.send(world.sign(prepared));
    passSlots(2);
    expect(await held()).toEqual([]);
    await trade(server, "long");
    expect((await world.story()).at(-1)).toBe("OPEN_LONG planned");
    await world.custody.follow(world.agentId);
    await run(server);
    expect((await world.story()).at(-1)).toBe("OPEN_LONG filled");
    expect(await told()).toEqual([]);
  });
});

describe.each(STORY_VENUES)("an exit on %s", (venue) => {
  it("closes no more than was bought here when the only node shows twice as much", async () => {
    const [bad] = await open(venue);
    const server = await startServer(bad);
    await trade(server, "long");
    bad.behave(times(2n, venue, "position"));
    await trade(server, "close long");
    const [bought, sold] = await world.orders();
    expect(sold?.baseSize).toBe(bought?.baseSize);
    expect(await held()).toEqual([]);
  });

  it("closes a position that one of two nodes does not show", async () => {
    const [bad, good] = await open(venue);
    // A waiting order is followed on one node, and one that shows none keeps it from being filled
    await changeExchange(world.chain, { minPerpAuctionDuration: 0 });
    bad.behave(rewriting(await rememberAccounts(world.chain, accountsOf(venue))));
    const server = await startServer(bad, good);
    await trade(server, "long");
    expect(await held()).toHaveLength(1);
    await trade(server, "close long");
    expect(await world.story()).toEqual(["OPEN_LONG filled", "CLOSE_LONG filled"]);
    expect(await held()).toEqual([]);
  });

  it("continues until flat when the only node answers for a while from before the purchase", async () => {
    const [bad] = await open(venue);
    const before = rewriting(await rememberAccounts(world.chain, accountsOf(venue)));
    const server = await startServer(bad);
    await trade(server, "long");
    bad.behave(before);
    await trade(server, "close long");
    expect(await held()).toHaveLength(1);
    bad.behave(null);
    world.clock.advance(60_000);
    await run(server);
    expect((await world.story()).at(-1)).toBe("CLOSE_LONG filled");
    expect(await held()).toEqual([]);
  });
});
