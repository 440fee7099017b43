import { sql } from "kysely";
import { expect, it } from "vitest";
import { useTradingWorld } from "../../../test/trading-world.ts";
import { EMPTY_RISK_LEDGER } from "../../domain/risk-ledger.ts";
import { showAgent } from "../agents/show-agents.ts";
import { findAgent } from "../store/agents/agents.ts";
import { toJson } from "../store/postgres/on.ts";

const world = useTradingWorld();

async function shown() {
  const record = await findAgent(world.database.db, world.agentId);
  if (record === null) throw new Error("No agent");
  return showAgent(world.deps, record);
}

const counts = async () =>
  (await shown()).nearLimits?.map(({ limit, used, most }) => `${limit} ${used}/${most}`) ?? [];

async function trade(alert: "long" | "close long"): Promise<string | undefined> {
  world.clock.advance(1_000);
  await world.fire(alert);
  await world.run();
  return (await world.story()).at(-1);
}

it("counts an agent's remaining orders down to the refused entry, and up again when one is free", async () => {
  for (const count of [[], [], [], ["orders_a_minute 4/6"], ["orders_a_minute 5/6"]]) {
    const isOpen = (await world.account()).positions.length > 0;
    await trade(isOpen ? "close long" : "long");
    expect(await counts()).toEqual(count);
  }
  await trade("close long");
  const [near] = (await shown()).nearLimits ?? [];
  expect(near).toMatchObject({ used: "6", most: "6", isReached: true });
  expect(await trade("long")).toBe("OPEN_LONG denied too_many_orders");
  const easesAtMs = Date.parse(near?.easesAt ?? "");
  world.clock.advance(easesAtMs - world.clock.now() - 1);
  expect(await counts()).toEqual(["orders_a_minute 6/6"]);
  await world.fire("long");
  await world.run();
  expect((await world.story()).at(-1)).toBe("OPEN_LONG denied too_many_orders");
  world.clock.advance(1);
  expect(await counts()).toEqual(["orders_a_minute 5/6"]);
  await world.fire("long");
  await world.run();
  expect((await world.story()).at(-1)).toBe("OPEN_LONG filled");
});

/** Orders a second apart, from that long ago. */
async function sendEarlier(orders: number, agoMs: number): Promise<void> {
  const from = new Date(world.clock.now() - agoMs);
  await sql`
    insert into orders (id, agent_id, signal, state, planned_at, submitted_at)
    select md5(n::text), ${world.agentId}, 'OPEN_LONG', 'expired', ${from},
      ${from}::timestamptz + n * interval '1 second'
    from generate_series(1, ${orders}) as n`.execute(world.database.db);
}

it.each([
  [59, "59/60", "OPEN_LONG filled"],
  [60, "60/60", "OPEN_LONG denied too_many_orders"],
])("shows %i orders of an hour as enforced", async (orders, count, says) => {
  // The first of them is an hour old to the millisecond, and no longer counts
  await sendEarlier(orders + 1, 3_601_000);
  expect(await counts()).toEqual([`orders_an_hour ${count}`]);
  await world.fire("long");
  await world.run();
  const { rows } = await sql<{ said: string }>`
    select concat_ws(' ', signal, state, reason) as said from orders order by seq desc limit 1`.execute(
    world.database.db,
  );
  expect(rows[0]?.said).toBe(says);
});

it("shows no limits while something else stops the agent, or it is off", async () => {
  const ledger = { ...EMPTY_RISK_LEDGER, day: "2026-11-21", consecutiveFailures: 4 };
  const store = (risk: typeof ledger) =>
    world.database.db
      .updateTable("lanes")
      .set({ risk: toJson(risk) })
      .execute();
  await store(ledger);
  expect(await counts()).toEqual(["failures 4/5"]);
  await store({ ...ledger, consecutiveFailures: 5 });
  expect(await shown()).toMatchObject({ trading: { state: "reducing" } });
  expect(await counts()).toEqual([]);
  await store(ledger);
  await world.turn("off");
  expect(await counts()).toEqual([]);
});

it.each([
  [2, false],
  [3, true],
])(
  "after %i orders of this minute notifies the owner's browsers of one more: %s",
  async (orders, isTold) => {
    await sendEarlier(orders, 50_000);
    world.notices.length = 0;
    await trade("long");
    expect((await shown()).nearLimits !== undefined).toBe(isTold);
    expect(world.notices.some(({ topic }) => topic === "agent")).toBe(isTold);
  },
);
