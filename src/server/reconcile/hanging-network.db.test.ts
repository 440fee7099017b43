import { afterEach, beforeEach, expect, it } from "vitest";
import { type Crowd, createCrowd } from "../../../test/crowd.ts";
import { createTestDatabase } from "../../../test/database.ts";
import { practiceVenues } from "../../../test/practice-venues.ts";
import { parseAgentId } from "../../domain/ids.ts";
import { signatureOf, signTransaction } from "../../solana/signing.ts";
import type { Chain } from "../../solana/chain.ts";
import { createCustody } from "../custody/custody.ts";
import { createCustodyGuard } from "../custody/custody-guard.ts";
import { updateAgentLedger } from "../ledger/update-agent-ledger.ts";
import type { Networks } from "../networks.ts";
import { createAccountReader } from "../positions/account-reader.ts";
import { type CustodyAgent, listCustodyAgents } from "../store/custody/multisigs.ts";
import { readLandedSlots } from "../store/agents/agents.ts";
import { createReconciler } from "./reconciler.ts";

let world: Crowd;
let agents: readonly CustodyAgent[];
let networks: Networks;
/** Calls of the network that hangs; none is ever answered before the end. */
let hanging: string[];
let release: () => void;

/** One agent on a network whose node hangs, two on one that is well. */
beforeEach(async () => {
  world = await createCrowd(await createTestDatabase(), 3);
  const { chain, prices, clock, networks: well, database } = world;
  hanging = [];
  const released = new Promise<void>((resolve) => (release = resolve));
  const hung: Chain = new Proxy(chain, {
    get: (target, key: keyof Chain) =>
      key === "network"
        ? "devnet"
        : (...given: never[]) => {
            hanging.push(key);
            return released.then(() => (target[key] as (...all: never[]) => unknown)(...given));
          },
  });
  networks = new Map([
    [
      "devnet",
      {
        network: "devnet",
        chain: hung,
        venues: practiceVenues(hung, prices, clock),
        explorerUrl: null,
      },
    ],
    ...well,
  ]);
  const [first = ""] = world.agentIds;
  await database.db
    .updateTable("agents")
    .set({ network: "devnet" })
    .where("id", "=", first)
    .execute();
  agents = await listCustodyAgents(database.db, world.owner.address);
});

afterEach(() => world.database.drop());

const deps = () => ({
  db: world.database.db,
  clock: world.clock,
  keys: world.keys,
  networks,
  publisher: { publish: () => undefined },
});

it("is the only one not reconciled and booked", async () => {
  const booked: string[] = [];
  const log = { warn: () => {}, error: () => {} };
  const reconciler = createReconciler({
    ...deps(),
    guard: createCustodyGuard(deps()),
    book: async (agent) => {
      await updateAgentLedger({ ...deps(), feePayers: [], log }, agent);
      booked.push(agent.network);
    },
  });
  const reconciled = async () => {
    const rows = await world.database.db
      .selectFrom("agent_looks")
      .select("network")
      .where("done_at", "is not", null)
      .execute();
    return rows.map(({ network }) => network);
  };
  reconciler.start();
  await expect.poll(reconciled).toEqual(["practice", "practice"]);
  expect(booked).toEqual(["practice", "practice"]);
  expect(hanging).not.toEqual([]);
  release();
  await reconciler.stop();
  expect(booked.toSorted()).toEqual(["devnet", "practice", "practice"]);
});

it("does not block the positions of another network", async () => {
  const reader = createAccountReader({
    ...deps(),
    landedSlots: (agentIds) => readLandedSlots(deps().db, agentIds),
    patienceMs: 500,
  });
  const snapshots = await reader.read(agents);
  expect(snapshots.map((snapshot) => snapshot !== null)).toEqual(
    agents.map(({ network }) => network === "practice"),
  );
  expect(hanging).not.toEqual([]);
  release();
});

it("does not block owners' transactions of another network", async () => {
  const { custody, owner, chain, database } = world;
  const [, well = ""] = world.agentIds;
  const [stuck = ""] = world.agentIds;
  // Prepared while both were well
  await database.db.updateTable("agents").set({ network: "practice" }).execute();
  for (const agentId of [stuck, well]) {
    const prepared = await custody.prepare({
      agentId: parseAgentId(agentId),
      intent: "deposit",
      amount: "10",
    });
    if (prepared === null) throw new Error("Nothing to sign");
    const bytes = Uint8Array.from(Buffer.from(prepared.transaction, "base64"));
    const signed = signTransaction(bytes, owner);
    await chain.send(signed);
    await database.db
      .updateTable("custody_transactions")
      .set({ state: "sent", signature: signatureOf(signed) })
      .where("id", "=", prepared.id)
      .execute();
  }
  await database.db
    .updateTable("agents")
    .set({ network: "devnet" })
    .where("id", "=", stuck)
    .execute();
  const restarted = createCustody({ ...deps(), random: (length) => new Uint8Array(length) });
  restarted.start();
  const open = async () => {
    const rows = await database.db
      .selectFrom("custody_transactions")
      .select("agent_id")
      .where("state", "!=", "confirmed")
      .execute();
    return rows.map(({ agent_id }) => agent_id);
  };
  await expect.poll(open).toEqual([stuck]);
  await expect.poll(() => hanging).not.toEqual([]);
  release();
  await restarted.stop();
});
