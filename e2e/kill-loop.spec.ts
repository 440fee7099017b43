import { randomInt } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { Client } from "pg";
import { socketUrl } from "../src/server/store/launch/session.ts";
import { createTrader, type FundedAgent, type Trader } from "../test/trader.ts";
import { freePort, makeDataDir, startProduct } from "./product.ts";

/** Number of kills; a release run uses KILLS=1000. */
const KILLS = Number(process.env["KILLS"] ?? 10);

/** Oldest alert timestamp in seconds; all stay fresh, and an agent's alerts never share one. */
const OLDEST_SECONDS = 200;

interface Answered {
  readonly agentId: string;
  readonly eventId: string;
}

/** Time until the last trade is final and read: finality takes up to 30 s, plus one round, in milliseconds. */
const BOOK_TIMEOUT_MS = 150_000;

/** Waits until every ledger includes its agent's last trade; asserts that it has all trades and equals the chain. */
async function expectBooksRight(
  database: Client,
  trader: Trader,
  agents: readonly FundedAgent[],
): Promise<void> {
  for (const { botId } of agents) {
    // A ledger is compared only without open work; the slot is of a comparison without differences
    await expect
      .poll(
        async () => {
          const { rows } = await database.query(
            `select pending, difference, balanced_slot >= (
               select max(slot) from practice_transactions join orders using (signature)
               where orders.agent_id = $1) as is_read
             from ledger_marks where agent_id = $1`,
            [botId],
          );
          return rows;
        },
        { timeout: BOOK_TIMEOUT_MS },
      )
      .toEqual([{ pending: [], difference: null, is_read: true }]);
    const booked = await database.query(
      `select signature, sum(base_amount)::text as base from ledger_entries
       where agent_id = $1 and kind = 'trade' group by signature order by signature`,
      [botId],
    );
    const logged = await database.query(
      `select signature, sum(case signal when 'OPEN_LONG' then base_size else -base_size end)::text as base
       from trade_log where agent_id = $1 and status = 'success' group by signature order by signature`,
      [botId],
    );
    expect(booked.rows).toEqual(logged.rows);
    const page = await trader.call("GET", `/api/ledger/agent?agentId=${botId}`);
    expect(page).toMatchObject({ pending: [], checks: [{ agentId: botId, state: "right" }] });
  }
}

test("killed at random moments under alerts: each counts once, trades at most once, and log and book are the chain", async () => {
  test.setTimeout(300_000 + KILLS * 30_000);
  const dataDir = makeDataDir();
  const port = await freePort();
  let product = await startProduct(dataDir.path, port);
  const trader = await createTrader(product.url);
  await trader.takePracticeMoney("10", "2000");
  const agents = [
    await trader.createAgent("Agent ** SOL-1h"),
    await trader.createAgent("Agent ** SOL-4h"),
  ];
  const database = new Client({
    connectionString: socketUrl(join(dataDir.path, "postgres", "run"), "wheelhouse"),
  });
  await database.connect();

  const acknowledged: Answered[] = [];
  let isFiring = true;

  /** Sends every alert until it is acknowledged, as a retrying platform does. */
  const fireAll = async (agent: FundedAgent): Promise<void> => {
    for (let at = 0; isFiring && at < OLDEST_SECONDS; at += 1) {
      const second = Math.floor(Date.now() / 1_000) - OLDEST_SECONDS + at;
      const timestamp = `${new Date(second * 1_000).toISOString().slice(0, 19)}Z`;
      const alertName = at % 2 === 0 ? "enter" : "exit";
      for (let isAnswered = false; !isAnswered && isFiring;) {
        const answer = await agent.fire(alertName, timestamp).catch(() => null);
        isAnswered = answer !== null && answer.status < 500 && answer.status !== 429;
        if (answer !== null && isAnswered) {
          // A retry of an alert that the killed server had stored returns as duplicate
          expect(answer).toMatchObject({ body: { status: /accepted|duplicate/ } });
          const { eventId } = answer.body as { eventId: string };
          acknowledged.push({ agentId: agent.botId, eventId });
        } else await sleep(50);
      }
      await sleep(randomInt(20, 120));
    }
  };

  try {
    const firing = Promise.all(agents.map(fireAll));
    for (let kill = 0; kill < KILLS; kill += 1) {
      await sleep(randomInt(0, 700));
      await product.kill();
      product = await startProduct(dataDir.path, port);
    }
    // Holds for any number of alerts answered between two kills
    await expect.poll(() => acknowledged.length, { timeout: 90_000 }).toBeGreaterThan(KILLS);
    isFiring = false;
    await firing;

    const openOrders = "state in ('planned', 'submitted', 'unknown')";
    await expect
      .poll(
        async () =>
          (await database.query(`select count(*)::int as open from orders where ${openOrders}`))
            .rows[0],
        { timeout: 90_000 },
      )
      .toEqual({ open: 0 });

    // Every acknowledged alert is stored once and has exactly the order of its rule
    expect(new Set(acknowledged.map(({ eventId }) => eventId)).size).toBe(acknowledged.length);
    const counted = await database.query<{ id: string; orders: number }>(
      `select encode(uuid_send(event.id), 'hex') as id, count(orders.id)::int as orders from alert_events event
       left join orders on orders.event_id = event.id
       where outcome = 'accepted' group by event.id`,
    );
    const ordersOf = new Map(counted.rows.map(({ id, orders }) => [id, orders]));
    for (const { eventId } of acknowledged) {
      expect([eventId, ordersOf.get(eventId)]).toEqual([eventId, 1]);
    }
    expect([...new Set(ordersOf.values())]).toEqual([1]);
    // Only acknowledged alerts are stored; retries fetch acknowledgements lost by a kill
    const repeats = await database.query(
      "select count(*)::int as count from (select 1 from alert_events where alert_id is not null group by alert_id, fired_at having count(*) > 1) twice",
    );
    expect(repeats.rows).toEqual([{ count: 0 }]);

    // The trade log equals the chain: each signature landed, and no other transaction of the agent's orders did
    const logged = await database.query<{ signature: string }>(
      "select signature from trade_log where status = 'success' order by signature",
    );
    const landed = await database.query<{ signature: string }>(
      `select distinct signature from practice_transactions
       join orders using (signature) where error is null order by signature`,
    );
    expect(logged.rows).toEqual(landed.rows);
    expect(logged.rows.length).toBeGreaterThan(0);
    expect(new Set(logged.rows.map(({ signature }) => signature)).size).toBe(logged.rows.length);

    for (const agent of agents) {
      const { rows } = await database.query<{ open: string }>(
        `select coalesce(sum(case signal when 'OPEN_LONG' then base_size else -base_size end), 0)::text as open
         from trade_log where agent_id = $1 and status = 'success'`,
        [agent.botId],
      );
      // Its figures are cached briefly
      await expect
        .poll(async () => {
          const { position, available } = await agent.position();
          return { agent: agent.botId, available, isOpen: /[1-9]/.test(position) };
        })
        .toEqual({ agent: agent.botId, available: true, isOpen: rows[0]?.open !== "0" });
    }

    await expectBooksRight(database, trader, agents);
    const metrics = await (await fetch(`${product.url}/metrics`)).text();
    expect(metrics).toMatch(/^ledger_differences\{network="practice"\} 0$/m);
  } finally {
    isFiring = false;
    await database.end();
    await product.stop();
    dataDir.remove();
  }
});
