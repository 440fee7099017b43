import { expect, it } from "vitest";
import { useTradingWorld, type StoryAlert } from "../../../test/trading-world.ts";
import {
  LEAST_FEES_PER_DAY_OF_OWNER,
  MAX_FEES_PER_DAY,
  MAX_FEES_PER_DAY_OF_OWNER,
} from "../../domain/order/risk.ts";
import { utcDay } from "../../domain/risk-ledger.ts";

const DAY_MS = 86_400_000;

const world = useTradingWorld();

async function trade(alert: StoryAlert): Promise<void> {
  world.clock.advance(10_000);
  await world.fire(alert);
  await world.run();
}

async function balance(): Promise<bigint> {
  const [account] = (await world.chain.accounts([world.keys.feePayer.address])).accounts;
  return account?.lamports ?? 0n;
}

/** The fees counted for the world's owner, oldest day first. */
async function counted(): Promise<bigint[]> {
  const rows = await world.database.db
    .selectFrom("owner_fees")
    .select("lamports")
    .where("owner", "=", world.owner.address)
    .orderBy("day")
    .execute();
  return rows.map(({ lamports }) => BigInt(lamports));
}

const spend = (network: string, lamports: bigint, owner: string = world.owner.address) =>
  world.database.db
    .insertInto("owner_fees")
    .values({
      owner,
      network,
      day: utcDay(world.clock.now()),
      lamports: lamports.toString(),
    })
    .execute();

it("charges the owner's budget with the fees of orders and settlements", async () => {
  const before = await balance();
  await trade("long");
  const [first = 0n] = await counted();
  expect(first).toBe(before - (await balance()));
  expect(first).toBeGreaterThan(10_000n);
  await trade("close long");
  expect(await world.isSettled()).toBe(true);
  expect(await counted()).toEqual([before - (await balance())]);
  expect((await world.landed()).length).toBe(2);
});

it("charges nothing for an order that is not sent", async () => {
  world.limitTo("reducing");
  await trade("long");
  expect(await world.story()).toEqual(["OPEN_LONG denied reducing_only"]);
  expect(await counted()).toEqual([]);
});

it("denies entries once the day's fees are used up, still closes, and resets the next day", async () => {
  await spend("practice", MAX_FEES_PER_DAY_OF_OWNER - 1n);
  await trade("long");
  await trade("close long");
  await trade("long");
  expect(await world.story()).toEqual([
    "OPEN_LONG filled",
    "CLOSE_LONG filled",
    "OPEN_LONG denied fee_budget_used",
  ]);
  world.clock.advance(DAY_MS);
  await trade("long");
  expect((await world.story()).at(-1)).toBe("OPEN_LONG filled");
  expect(await counted()).toHaveLength(2);
});

it("counts each network separately", async () => {
  await spend("mainnet", MAX_FEES_PER_DAY_OF_OWNER);
  await trade("long");
  expect(await world.story()).toEqual(["OPEN_LONG filled"]);
});

/** Lets a thousand further wallets use up what the deployment pays in a day, each below its own limit. */
const spendOfStrangers = () =>
  Promise.all(
    Array.from({ length: 1_000 }, (_, at) =>
      spend("practice", MAX_FEES_PER_DAY / 1_000n, `stranger-${at}`),
    ),
  );

it("denies nobody below an equal share, however many wallets used up the deployment's day", async () => {
  await spendOfStrangers();
  await spend("practice", LEAST_FEES_PER_DAY_OF_OWNER);
  await trade("long");
  expect(await world.story()).toEqual(["OPEN_LONG filled"]);
});

it("denies an owner beyond an equal share of a used-up day entries, and still closes", async () => {
  await trade("long");
  await spendOfStrangers();
  await world.database.db
    .updateTable("owner_fees")
    .set({ lamports: (MAX_FEES_PER_DAY / 1_001n).toString() })
    .where("owner", "=", world.owner.address)
    .execute();
  await trade("close long");
  await trade("long");
  expect(await world.story()).toEqual([
    "OPEN_LONG filled",
    "CLOSE_LONG filled",
    "OPEN_LONG denied fee_budget_used",
  ]);
});
