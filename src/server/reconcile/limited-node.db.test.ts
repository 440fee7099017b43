import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Crowd, createCrowd } from "../../../test/crowd.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { rpcNetwork, TEST_REQUESTS_PER_SECOND } from "../../../test/rpc-network.ts";
import { type RpcServer, startRpcServer } from "../../../test/rpc-server.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { BURST_SECONDS } from "../../solana/request-budget.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { toVenueAccount } from "../custody/account/venue-account.ts";
import { inClass, type Networks } from "../networks.ts";
import { createAccountReader } from "../positions/account-reader.ts";
import { type CustodyAgent, listCustodyAgents } from "../store/custody/multisigs.ts";
import { readLandedSlots } from "../store/agents/agents.ts";
import { createReconciler, RECONCILE_INTERVAL_MS } from "./reconciler.ts";

const HOUR_MS = 60 * 60_000;

let world: Crowd;
/** A node in front of `behind` that refuses everything while `isLimited`. */
let limited: { readonly server: Server; readonly url: string; asked: number; isLimited: boolean };
let behind: RpcServer;
let well: RpcServer;
let networks: Networks;
let agents: readonly CustodyAgent[];

async function startLimited(url: string): Promise<typeof limited> {
  const server = createServer((request, response) => {
    limited.asked += 1;
    if (limited.isLimited) {
      response.writeHead(429).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      void fetch(url, { method: "POST", body: Buffer.concat(chunks) })
        .then((answer) => answer.text())
        .then((text) => response.writeHead(200).end(text));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}`, asked: 0, isLimited: false };
}

/** Two agents on a network whose node will be limited, two on one that is well. */
beforeEach(async () => {
  world = await createCrowd(await createTestDatabase(), 4);
  behind = await startRpcServer(world.chain);
  limited = await startLimited(behind.url);
  well = await startRpcServer(world.chain);
  const moved = world.agentIds.slice(0, 2);
  await world.database.db
    .updateTable("agents")
    .set({ network: "devnet" })
    .where("id", "in", moved)
    .execute();
  networks = new Map([
    ["devnet", await rpcNetwork("devnet", limited, world)],
    ["practice", await rpcNetwork("practice", well, world)],
  ]);
  agents = await listCustodyAgents(world.database.db, world.owner.address);
});

afterEach(async () => {
  limited.server.closeAllConnections();
  limited.server.close();
  await behind.close();
  await well.close();
  await world.database.drop();
});

function placeOf(agent: CustodyAgent | undefined, callClass: "exit" | "screen") {
  const account = agent && toVenueAccount(agent);
  const venue = agent && inClass(networks, callClass).get(agent.network)?.venues.get("drift");
  if (!account || !venue) throw new Error("The agent has no account");
  return { account, venue };
}

describe("a node that limits every request for an hour", () => {
  it("affects no other network, is not flooded, and causes no delay once it answers again", async () => {
    const looking = {
      db: world.database.db,
      clock: world.clock,
      keys: world.keys,
      networks: inClass(networks, "reconcile"),
      publisher: { publish: () => undefined },
    };
    const failures: unknown[] = [];
    const reconciler = createReconciler({
      ...looking,
      guard: createCustodyGuard(looking),
      onFailure: (error) => failures.push(error),
    });
    const reader = createAccountReader({
      networks: inClass(networks, "screen"),
      clock: world.clock,
      landedSlots: (agentIds) => readLandedSlots(world.database.db, agentIds),
    });
    await reconciler.run();
    await reconciler.run();
    limited.isLimited = true;
    limited.asked = 0;
    well.calls.length = 0;
    const untilMs = world.clock.now() + HOUR_MS;
    let rounds = 0;
    for (; world.clock.now() < untilMs; rounds += 1) {
      await reconciler.run();
      const snapshots = await reader.read(agents);
      expect(snapshots.map((snapshot) => snapshot !== null)).toEqual(
        agents.map(({ network }) => network === "practice"),
      );
      world.clock.advance(RECONCILE_INTERVAL_MS);
    }
    expect(rounds).toBeGreaterThan(80);
    // Accounts, figures, a search every ten minutes; a reading for one may be too old for the other, because waiting for
    // the limited network passes the time of both
    expect(well.calls.length).toBeLessThan(4 * rounds);
    expect(limited.asked).toBeLessThan(10 * rounds);
    expect(failures).toEqual([]);

    limited.isLimited = false;
    world.clock.advance(RECONCILE_INTERVAL_MS);
    await reconciler.run();
    expect((await reader.read(agents)).every((snapshot) => snapshot !== null)).toBe(true);
  });

  it("does not hold up an exit, however many requests wait", async () => {
    const first = agents.find(({ network }) => network === "devnet");
    const shown = placeOf(first, "screen");
    const asked = Array.from({ length: 500 }, async (_, at) => {
      const account = { ...shown.account, subAccountId: at };
      return shown.venue.readCustody(account).catch((error: unknown) => error);
    });
    const beforeMs = world.clock.now();
    const exit = placeOf(first, "exit");
    const state = await exit.venue.accountState(exit.account);
    expect(state.positions).toEqual([]);
    expect(world.clock.now() - beforeMs).toBeLessThan(1_000);
    const answers = await Promise.all(asked);
    expect(limited.asked).toBeLessThanOrEqual(TEST_REQUESTS_PER_SECOND * BURST_SECONDS);
    expect(
      answers.every((each) => !(each instanceof Error) || each instanceof ChainUnavailableError),
    ).toBe(true);
  });
});
