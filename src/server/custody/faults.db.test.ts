import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FAULTS } from "../../../test/custody-faults.ts";
import { beginLife, LIFE } from "../../../test/custody-life.ts";
import { createCustodyWorld, USDC } from "../../../test/custody-world.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/database.ts";
import type { VenueId } from "../../domain/venue-id.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Labels of a life in which nothing goes wrong. */
const LABELS: Readonly<Record<VenueId, readonly string[]>> = {
  drift: [
    "Create the multisig and fund the vault (0.1 SOL)",
    "Open the exchange account and name the trading key",
    "Deposit USDC",
    "Withdraw USDC",
    "Delete the exchange account",
    "Recover the vault's SOL",
  ],
  jupiter: [
    "Create the multisig and fund the vault (0.1 SOL)",
    "Let the trading key move at most 1000 USDC and 6.451612904 SOL a day",
    "Deposit USDC",
    "Withdraw USDC",
    "Remove the spending limits and close the token accounts",
    "Recover the vault's SOL",
  ],
};

const KEPT_LAMPORTS = 1_000_000n;

describe.each<VenueId>(["drift", "jupiter"])("on %s", (venue) => {
  describe.concurrent.each(LIFE.map((step, at) => [step.name, at] as const))("%s", (_, at) => {
    it.each(FAULTS)("is resumed or refused when %s", async (_name, strike) => {
      const world = await createCustodyWorld(database, { venue });
      const life = await beginLife(world);
      const { ledger } = world;
      const start = {
        owner: await world.lamports(world.owner.address),
        friend: await world.lamports(life.friend.address),
        held: await life.held(),
        everything: ledger.totalLamports(),
        fees: ledger.feeLamports(),
        quote: await life.quote(),
      };
      const step = LIFE[at];
      if (step === undefined) throw new Error("No such step");

      await life.reach(at);
      await strike({ life, world, step });
      await life.finish(at);

      // Every step landed once: one multisig, one deposit
      expect(await life.confirmed()).toEqual(LABELS[venue]);
      const fees = ledger.feeLamports() - start.fees;
      expect(ledger.totalLamports()).toBe(start.everything - fees);
      expect(await life.held()).toBe(start.held - fees);
      expect(await life.quote()).toBe(start.quote);
      expect(await world.quote(world.owner.address)).toBe(1_000n * USDC);
      const { unrecoverableLamports } = await world.custody.summarise(world.agentId);
      const lent = (await world.lamports(life.friend.address)) - start.friend;
      expect(await world.lamports(world.owner.address)).toBe(
        start.owner - fees - lent - KEPT_LAMPORTS - BigInt(unrecoverableLamports),
      );
      await world.custody.stop();
    });
  });
});
