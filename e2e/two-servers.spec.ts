import { randomBytes } from "node:crypto";
import { chmodSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { Client } from "pg";
import {
  type EmbeddedPostgres,
  launchPostgres,
} from "../src/server/store/launch/launch-postgres.ts";
import { writeKeyFile } from "../test/key-file.ts";
import { pauseProcesses } from "../test/pause-processes.ts";
import {
  createTrader,
  deliver,
  type FundedAgent,
  type Trader,
  secondsAgo,
} from "../test/trader.ts";
import { freePort, makeDataDir, type Product, startProduct } from "./product.ts";
import { patient } from "../test/patient.ts";

/** Two servers that share only a database. */
test.describe("two servers on one database", () => {
  test.describe.configure({ mode: "serial" });

  const folders = [makeDataDir(), makeDataDir(), makeDataDir()] as const;
  let postgres: EmbeddedPostgres;
  let database: Client;
  let first: Product;
  let second: Product;
  let secondUrl: string;
  let trader: Trader;
  let agent: FundedAgent;
  /** What the first server said of orders. */
  const said: string[] = [];

  test.beforeAll(async () => {
    chmodSync(folders[0].path, 0o711);
    postgres = await launchPostgres({
      dataDir: folders[0].path,
      settings: { max_connections: "100" },
    });
    database = new Client({ connectionString: postgres.url });
    await database.connect();
    const port = await freePort();
    const env = {
      DATABASE_URL: postgres.url,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DELEGATE_SECRET_FILE: writeKeyFile(folders[1].path),
      SESSION_SECRET: randomBytes(32).toString("hex"),
    };
    first = await startProduct(folders[1].path, port, { ...env, LOG_LEVEL: "debug" }, (line) => {
      const stage = /"msg":"(order signed|order sent|overtaken)"/.exec(line)?.[1];
      if (stage !== undefined) said.push(stage);
    });
    const secondPort = await freePort();
    second = await startProduct(folders[2].path, secondPort, env);
    secondUrl = `http://127.0.0.1:${secondPort}`;
    trader = await createTrader(first.url);
    await trader.takePracticeMoney("5", "1000");
    agent = await trader.createAgent("Agent ** SOL-1h");
  });

  test.afterAll(async () => {
    await database.end();
    // A test that failed may have left one paused, which no other signal ends
    await Promise.all([first.kill(), second.kill()]);
    await postgres.stop();
    for (const folder of folders) folder.remove();
  });

  /** Reads a server's event stream until the text arrives. */
  async function hear(server: string, wanted: string): Promise<() => Promise<string>> {
    const answer = await fetch(`${server}/api/events`, {
      headers: { authorization: `Bearer ${trader.token}` },
    });
    const reader = answer.body?.getReader();
    let heard = "";
    return async () => {
      while (!heard.includes(wanted)) {
        const chunk = await reader?.read();
        if (chunk === undefined || chunk.done) throw new Error(`The stream ended: ${heard}`);
        heard += new TextDecoder().decode(chunk.value);
      }
      await reader?.cancel();
      return heard;
    };
  }

  const logAtSecond = () =>
    trader.callAt<{ status: string; size: string }[]>(
      secondUrl,
      "GET",
      `/api/logs/get-all-by-chat-id?chatId=${agent.chatId}`,
    );

  const fireAtSecond = (alertName: string, timestamp: string) =>
    deliver(`${secondUrl}/webhook/${agent.botId}`, agent.alertBody(alertName, timestamp));

  test("a session of one server is valid on the other, and signing out ends it on both", async () => {
    const guest = await createTrader(secondUrl);
    await expect(
      guest.callAt(first.url, "GET", `/api/chats/wallet/${guest.address}/agents`),
    ).resolves.toEqual([]);
    await guest.callAt(first.url, "POST", "/api/auth/logout");
    await expect(guest.call("GET", `/api/chats/wallet/${guest.address}/agents`)).rejects.toThrow(
      "401",
    );
  });

  test("an alert to one server trades once, and a browser at the other is notified", async () => {
    const heard = await hear(secondUrl, `{"topic":"trade-log","id":"${agent.chatId}"}`);
    const timestamp = secondsAgo(20);
    expect(await agent.fire("enter", timestamp)).toMatchObject({
      status: 202,
      body: { status: "accepted" },
    });
    expect(await heard()).toContain("event: stale");
    await expect
      .poll(async () => (await logAtSecond()).map(({ status }) => status))
      .toEqual(["success"]);
    expect(await fireAtSecond("enter", timestamp)).toMatchObject({
      status: 200,
      body: { status: "duplicate" },
    });
    expect(await logAtSecond()).toHaveLength(1);
  });

  test("fifty simultaneous deliveries of one alert to both servers count once", async () => {
    const timestamp = secondsAgo(10);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        (at % 2 === 0 ? agent.fire : fireAtSecond)("exit", timestamp),
      ),
    );
    const statuses = answers.map(({ body }) => (body as { status: string }).status);
    expect(statuses.filter((status) => status === "accepted")).toHaveLength(1);
    expect(statuses.filter((status) => status === "duplicate")).toHaveLength(49);
    await expect
      .poll(async () => (await logAtSecond()).map(({ status }) => status))
      .toEqual(["success", "success"]);
  });

  const lane = async () =>
    (
      await database.query<{ fence: string; claimed_by: string | null }>(
        "select fence, claimed_by from lanes where agent_id = $1",
        [agent.botId],
      )
    ).rows[0];

  const isFree = () => expect.poll(async () => (await lane())?.claimed_by).toBeNull();

  const newestOrder = async () =>
    (await database.query("select state, attempt, signature from orders order by seq desc limit 1"))
      .rows[0];

  const landedOnChain = async () =>
    (await database.query("select count(*)::int from practice_transactions")).rows[0];

  test("a server paused in the middle of an order beyond its lease sends nothing with its old fence", async () => {
    await isFree();
    // An order waits for its signature, its fence already taken, while the signer is stopped, and with it the process
    // that would replace it
    const stopSigner = (server: Product) => {
      process.kill(server.pid, "SIGSTOP");
      process.kill(server.pidOf("signer"), "SIGSTOP");
    };
    const letSecond = pauseProcesses(second.pid);
    stopSigner(first);
    expect(await agent.fire("enter")).toMatchObject({ status: 202 });
    await expect.poll(async () => (await lane())?.claimed_by).not.toBeNull();
    const fence = (await lane())?.fence;
    const letFirst = pauseProcesses(first.pid);
    letSecond();
    stopSigner(second);
    await expect.poll(async () => (await lane())?.fence).not.toBe(fence);
    const letSecondAgain = pauseProcesses(second.pid);
    // Were the lane to come free, the first would rightly take it again
    await database.query(
      "update lanes set claimed_until = clock_timestamp() + interval '1 hour' where agent_id = $1",
      [agent.botId],
    );
    const planned = { state: "planned", attempt: 0, signature: null };
    expect(await newestOrder()).toEqual(planned);
    const landed = await landedOnChain();
    said.length = 0;
    letFirst();
    await expect.poll(() => said).toEqual(["order signed", "overtaken"]);
    expect(await newestOrder()).toEqual(planned);
    expect(await landedOnChain()).toEqual(landed);
    letSecondAgain();
    // Its signer waits until what the other one signed for this agent can no longer land
    await expect
      .poll(async () => (await logAtSecond()).map(({ status }) => status), {
        timeout: patient(120_000),
      })
      .toEqual(["success", "success", "success"]);
    await isFree();
    expect(await fireAtSecond("exit", secondsAgo(0))).toMatchObject({ status: 202 });
    await expect
      .poll(async () => (await logAtSecond()).map(({ status }) => status))
      .toEqual(["success", "success", "success", "success"]);
  });

  test("when one server is killed between alert and fill, the other finishes its trade", async () => {
    // The previous close must settle its PnL first: the lock would delay it and everything after it
    await isFree();
    await database.query("begin");
    // With its head locked the practice chain accepts nothing: the order is signed but cannot land
    await database.query("select version from practice_head for update");
    expect(await agent.fire("enter")).toMatchObject({ status: 202 });
    await expect
      .poll(async () => (await database.query("select state from orders order by seq")).rows.at(-1))
      .toEqual({ state: "submitted" });
    await first.kill();
    await database.query("commit");
    // The dead server's lease must expire first
    await expect
      .poll(async () => (await logAtSecond()).map(({ status }) => status), {
        timeout: patient(150_000),
      })
      .toEqual(["success", "success", "success", "success", "success"]);
    const { rows } = await database.query(
      "select count(*)::int as orders, count(distinct signature)::int as sent from orders",
    );
    expect(rows).toEqual([{ orders: 5, sent: 5 }]);
  });
});
