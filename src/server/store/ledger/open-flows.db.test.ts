import { afterEach, beforeEach, expect, it } from "vitest";
import { createCustodyWorld, type CustodyWorld } from "../../../../test/custody-world.ts";
import { createTestDatabase } from "../../../../test/database.ts";
import { bookDeps, expectBooked } from "../../../../test/expect-booked.ts";
import { updateAgentLedger } from "../../ledger/update-agent-ledger.ts";
import { findOpenFlows } from "./pending-entries.ts";

let world: CustodyWorld;

beforeEach(async () => {
  world = await createCustodyWorld(await createTestDatabase());
});

afterEach(() => world.database.drop());

const isOpen = async () =>
  (await findOpenFlows(world.database.db, [world.agentId])).has(world.agentId);

it("a flow is open from the landing of the owner's transaction until it is booked", async () => {
  expect(await isOpen()).toBe(false);
  await world.setUp();
  expect(await isOpen()).toBe(true);
  await expectBooked(world);
  expect(await isOpen()).toBe(false);

  const deposit = await world.prepare("deposit", "5");
  expect(await isOpen()).toBe(false);
  await world.approve(deposit);
  expect(await isOpen()).toBe(true);
  // Seen by the ledger, and not final
  world.clock.advance(1_000);
  await updateAgentLedger(bookDeps(world), await world.agent());
  expect(await isOpen()).toBe(true);
  await expectBooked(world);
  expect(await isOpen()).toBe(false);
});

it("a flow is not open when it was booked before the owner's transaction was recognised", async () => {
  await world.setUp();
  await expectBooked(world);
  await world.approve(await world.prepare("deposit", "5"));
  await expectBooked(world);
  world.clock.advance(60_000);
  await world.database.pool.query(
    "update custody_transactions set settled_at = $1 where intent = 'deposit'",
    [new Date(world.clock.now())],
  );
  expect(await isOpen()).toBe(false);
});
