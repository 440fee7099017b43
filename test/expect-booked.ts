import { expect } from "vitest";
import { compareBalances } from "../src/domain/ledger/balance.ts";
import { FINALITY_SLOTS, SLOT_MS } from "../src/practice/slots.ts";
import { updateAgentLedger } from "../src/server/ledger/update-agent-ledger.ts";
import type { LedgerDeps } from "../src/server/ledger/ledger-deps.ts";
import { toVenueAccount } from "../src/server/custody/account/venue-account.ts";
import { sumLedger } from "../src/server/store/ledger/ledger.ts";
import { readLedgerMark } from "../src/server/store/ledger/ledger-marks.ts";
import type { CustodyWorld } from "./custody-world.ts";

/** Returns the dependencies that read an agent's ledger in a test world; warnings are collected for the test. */
export function bookDeps(world: CustodyWorld, warnings: unknown[] = []): LedgerDeps {
  return {
    db: world.database.as("trading").db,
    networks: world.networks,
    clock: world.clock,
    publisher: { publish: (_wallet, notice) => void world.notices.push(notice) },
    feePayers: [world.keys.feePayer.address],
    log: { warn: (detail) => void warnings.push(detail) },
  };
}

/** Advances time until everything that landed is finalized. */
export function finalize(world: CustodyWorld): void {
  world.clock.advance(Number(FINALITY_SLOTS + 1n) * SLOT_MS);
}

/** Reads the agent's ledger to its end and expects it to equal the chain's balances exactly, in every account. */
export async function expectBooked(world: CustodyWorld): Promise<void> {
  finalize(world);
  const agent = await world.agent();
  await updateAgentLedger(bookDeps(world), agent);
  const mark = await readLedgerMark(world.database.db, world.agentId);
  expect(mark).toMatchObject({ difference: null, waiting: 0 });
  expect(mark?.balancedAtMs).not.toBeNull();
  const account = toVenueAccount(agent);
  const venue = world.networks
    .get("practice")
    ?.venues.get(agent.venue === "jupiter" ? "jupiter" : "drift");
  if (account === null || venue === undefined) throw new Error("The agent has no custody");
  // Beside the product's own check: every account by the chain's own figures
  const { balances, accruing } = await venue.readLedger(account);
  const booked = (await sumLedger(world.database.db, world.agentId)).filter(
    ({ place }) => place !== "wallet" && place !== "platform",
  );
  expect(compareBalances(booked, [...balances, ...accruing])).toEqual([]);
}
