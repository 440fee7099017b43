import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FAULTS } from "./custody-faults.ts";
import { beginLife } from "./custody-life.ts";
import { LIVES } from "./custody-stories.ts";
import { createCustodyWorld, USDC } from "./custody-world.ts";
import { expectBooked } from "./expect-booked.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { readExchange } from "./exchange-takings.ts";

import type { VenueId } from "../src/domain/venue-id.ts";

const KEPT_LAMPORTS = 1_000_000n;

const rowsOf = (venue: VenueId) =>
  LIVES.filter((story) => story.venue === venue).flatMap((story) =>
    story.steps.flatMap((step, at) =>
      step.isPassage === true ? [] : [[story.name, step.name, { story, at }] as const],
    ),
  );

/** Tests every step of every custody life with every fault. One file per venue, so that workers run in parallel. */
export function custodyFaultTable(venue: VenueId): void {
  let database: TestDatabase;

  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.drop());

  describe.concurrent.each(rowsOf(venue))("%s: %s", (_story, _step, { story, at }) => {
    it.each(FAULTS)("is resumed or refused when %s", async (_name, strike) => {
      const { auctionSlots } = story;
      const world = await createCustodyWorld(database, {
        venue,
        ...(auctionSlots === undefined ? {} : { auctionSlots }),
      });
      const life = await beginLife(world, story);
      const { ledger } = world;
      const start = {
        owner: await world.lamports(world.owner.address),
        tradingKey: await world.lamports(world.keys.of(world.agentId).tradingKey.address),
        friend: await world.lamports(life.friend.address),
        held: await life.held(),
        everything: ledger.totalLamports(),
        quote: ledger.totalQuote(),
        fees: ledger.feeLamports(),
        exchange: await readExchange(world),
      };

      const step = story.steps[at];
      if (step === undefined) throw new Error("No such step");

      await life.reach(at);
      await strike({ life, world, step });
      await life.finish(at);

      // Every step landed once: one multisig, one deposit
      const labels = story.steps.map(({ label }) => label);
      expect(await life.confirmed()).toEqual(labels);
      const fees = ledger.feeLamports() - start.fees;
      expect(ledger.totalLamports()).toBe(start.everything - fees);
      expect(await life.held()).toBe(start.held - fees);
      expect(ledger.totalQuote()).toBe(start.quote);
      expect(await life.entrusted()).toBe(0n);
      expect(await world.quote(world.owner.address)).toBe(1_000n * USDC - story.tradedQuote);
      // The owner's loss equals the exchange's logged fills and the increase of its accounts
      const taken = venue === "drift" ? story.tradedQuote : 0n;
      expect(await readExchange(world)).toEqual({
        fills: taken,
        pool: start.exchange.pool + taken,
        vault: start.exchange.vault + taken,
      });
      const { unrecoverableLamports } = await world.custody.summarise(world.agentId);
      const lent = (await world.lamports(life.friend.address)) - start.friend;
      const tradingKey = world.keys.of(world.agentId).tradingKey.address;
      const paidByTradingKey = start.tradingKey - (await world.lamports(tradingKey));
      expect(await world.lamports(world.owner.address)).toBe(
        start.owner -
          (fees - paidByTradingKey) -
          lent -
          KEPT_LAMPORTS -
          BigInt(unrecoverableLamports ?? "unread") -
          (await life.assetRent()),
      );
      await expectBooked(world);
      await world.custody.stop();
    });
  });
}
