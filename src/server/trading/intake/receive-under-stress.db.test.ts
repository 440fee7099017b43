import { createHash } from "node:crypto";
import type { PoolClient } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { newTestId } from "../../../../test/world.ts";
import { parseAgentId } from "../../../domain/ids.ts";
import type { Delivery, DeliveryResult } from "./delivery.ts";
import { type AlertReceiver, createAlertReceiver } from "./receive-alerts.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const UNAVAILABLE = expect.objectContaining({ code: "unavailable" });

let database: TestDatabase;
let receiver: AlertReceiver;
let errors: unknown[];
let blocker: PoolClient;

beforeEach(async () => {
  database = await createTestDatabase();
  errors = [];
  receiver = createAlertReceiver({
    database,
    newId: newTestId,
    onStored: () => {},
    onError: (error) => errors.push(error),
  });
  blocker = await database.pool.connect();
});

afterEach(async () => {
  await unblock();
  blocker.release();
  await receiver.drain();
  await database.drop();
});

async function block(statement: string): Promise<void> {
  await blocker.query("begin");
  await blocker.query(statement);
}

const unblock = () => blocker.query("commit");

async function addAgent(): Promise<string> {
  const id = newTestId();
  const { pool } = database;
  await pool.query(
    "insert into chats (id, owner, title, created_at, updated_at) values ($1, 'A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo', 't', now(), now())",
    [id],
  );
  await pool.query(
    `insert into agents (id, chat_id, owner, network, venue, name, name_key, market_id, interval, slippage_bps,
       auto_trade, created_at, updated_at)
     values ($1, $1, 'A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo', 'practice', 'drift', $1, $1, 'SOL-PERP', '1h', 50, 'on', now(), now())`,
    [id],
  );
  await pool.query("insert into lanes (agent_id) values ($1)", [id]);
  await pool.query(
    "insert into alerts (id, agent_id, name, name_key) values ($1, $1, 'dip', 'dip')",
    [id],
  );
  return id;
}

let fired = 0;
function deliveryOf(agentId: string): Delivery {
  fired += 1;
  return {
    agentId: parseAgentId(agentId),
    tokenVersion: 1,
    alertName: "dip",
    receivedAtMs: NOW,
    content: {
      kind: "alert",
      alertNameKey: "dip",
      firedAtMs: NOW,
      dedupKey: createHash("sha256").update(`${fired}`).digest("hex"),
      bodyHash: "",
    },
  };
}

const storedIds = async (): Promise<string[]> => {
  const { rows } = await database.pool.query<{ id: string }>("select id from alert_events");
  return rows.map(({ id }) => id);
};

const failureOf = (result: Promise<DeliveryResult>): Promise<unknown> =>
  result.then(
    () => null,
    (error: unknown) => error,
  );

describe("a delivery whose sender was asked to retry", () => {
  it("is never stored if it was waiting, and makes its retry a duplicate if it was being stored", async () => {
    const agentId = await addAgent();
    const [storing, waiting] = [deliveryOf(agentId), deliveryOf(agentId)];
    await block("select from lanes for update");
    const first = failureOf(receiver.receive(storing));
    await new Promise((resolve) => setImmediate(resolve));
    const second = failureOf(receiver.receive(waiting));
    expect(await Promise.all([first, second])).toEqual([UNAVAILABLE, UNAVAILABLE]);
    await unblock();
    await receiver.drain();
    expect(await storedIds()).toHaveLength(1);
    expect(await receiver.receive(storing)).toMatchObject({ kind: "duplicate" });
    expect(await receiver.receive(waiting)).toMatchObject({ kind: "accepted" });
    expect(errors).toEqual([]);
  });
});

describe("a full queue", () => {
  it("refuses the oldest delivery", async () => {
    const agentId = await addAgent();
    await block("select from lanes for update");
    const refused: number[] = [];
    const receive = (place: number) =>
      failureOf(receiver.receive(deliveryOf(agentId))).then((error) => {
        if (error !== null) refused.push(place);
      });
    const results = [receive(0)];
    await new Promise((resolve) => setImmediate(resolve));
    for (let place = 1; place <= 5_002; place += 1) results.push(receive(place));
    await new Promise((resolve) => setImmediate(resolve));
    expect(refused).toEqual([1, 2]);
    await unblock();
    await Promise.all(results);
  });
});

describe("agents that are not cached", () => {
  it("do not delay cached agents", async () => {
    const agentId = await addAgent();
    await receiver.receive(deliveryOf(agentId));
    await block("lock table agents in access exclusive mode");
    const strange = failureOf(receiver.receive(deliveryOf(newTestId())));
    expect(await receiver.receive(deliveryOf(agentId))).toMatchObject({ kind: "accepted" });
    expect(await strange).toEqual(UNAVAILABLE);
  });
});
