import { Registry } from "prom-client";
import { afterEach, describe, expect, it } from "vitest";
import { type Crowd, createCrowd } from "../../../test/crowd.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { rpcNetwork } from "../../../test/rpc-network.ts";
import { type RpcServer, startRpcServer } from "../../../test/rpc-server.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { watchFeePayer } from "../metrics/open-metrics.ts";
import { inClass, type Networks } from "../networks.ts";
import { createAccountReader } from "../positions/account-reader.ts";
import { type CustodyAgent, listCustodyAgents } from "../store/custody/multisigs.ts";
import { readLandedSlots } from "../store/agents/agents.ts";
import { createReconciler, RECONCILE_INTERVAL_MS } from "./reconciler.ts";

/** Requests of an open page: its agent's figures and all positions of the wallet. */
const HEADER_POLL_MS = 5_000;
const POSITIONS_POLL_MS = 10_000;

const MINUTES = 5;

let world: Crowd | undefined;
let rpc: RpcServer | undefined;

afterEach(async () => {
  await rpc?.close();
  await world?.database.drop();
});

/** A server's standing work for these agents, over JSON-RPC, on a clock of its own. */
async function createServer(count: number) {
  world = await createCrowd(await createTestDatabase(), count);
  rpc = await startRpcServer(world.chain);
  const { clock, database, keys, owner } = world;
  const networks: Networks = new Map([["practice", await rpcNetwork("practice", rpc, world)]]);
  const looking = {
    db: database.db,
    clock,
    keys,
    networks: inClass(networks, "reconcile"),
    publisher: { publish: () => undefined },
  };
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const feePayer = watchFeePayer({
    registry: new Registry(),
    networks: looking.networks,
    feePayer: keys.feePayer.address,
    log: { warn: () => undefined },
  });
  const reconciler = createReconciler({
    ...looking,
    guard: createCustodyGuard(looking),
    alongside: feePayer.look,
    onFailure,
  });
  const reader = createAccountReader({
    networks: inClass(networks, "screen"),
    clock,
    landedSlots: (agentIds) => readLandedSlots(database.db, agentIds),
    onFailure,
  });
  const agents = await listCustodyAgents(database.db, owner.address);
  const calls = rpc.calls;
  return { clock, reconciler, reader, agents, calls, failures };
}

/** Advances time in steps and runs what is due at each. */
async function pass(
  { clock, reconciler, reader, agents }: Awaited<ReturnType<typeof createServer>>,
  minutes: number,
  hasPage: boolean,
): Promise<void> {
  const [shown] = agents as [CustodyAgent];
  for (let at = 0; at < minutes * 60_000; at += HEADER_POLL_MS) {
    if (at % RECONCILE_INTERVAL_MS === 0) await reconciler.run();
    if (hasPage) await reader.read([shown]);
    if (hasPage && at % POSITIONS_POLL_MS === 0) await reader.read(agents);
    clock.advance(HEADER_POLL_MS);
  }
}

describe("requests while idle", () => {
  it("are at most two a minute for each of fifty agents, with a page open", async () => {
    const server = await createServer(50);
    await pass(server, 2, true);
    server.calls.length = 0;
    await pass(server, MINUTES, true);
    expect(server.calls.length).toBeGreaterThan(MINUTES);
    expect(server.calls.length / MINUTES / 50).toBeLessThanOrEqual(2);
    expect(server.failures).toEqual([]);
  });

  it("are at most two a minute for a single agent", async () => {
    const server = await createServer(1);
    await pass(server, 2, false);
    server.calls.length = 0;
    await pass(server, MINUTES, false);
    expect(server.calls.length).toBeGreaterThanOrEqual(MINUTES);
    expect(server.calls.length / MINUTES).toBeLessThanOrEqual(2);
    expect(server.failures).toEqual([]);
  });
});
