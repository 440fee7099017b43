import { tmpdir } from "node:os";
import { expect, test } from "@playwright/test";
import { Client } from "pg";
import { findRunningDatabase } from "../src/server/store/launch/launch-postgres.ts";
import { onlyAlerts } from "../test/judge/actions.ts";
import { readSnapshot } from "../test/judge/evidence.ts";
import { judgeMoment } from "../test/judge/judge.ts";
import { createTrader, secondsAgo } from "../test/trader.ts";
import { freePort, makeDataDir, startProduct } from "./product.ts";

test("an acknowledged alert causes exactly one trade when the server, or the signer alone, is killed", async () => {
  const dataDir = makeDataDir(tmpdir());
  const port = await freePort();
  let product = await startProduct(dataDir.path, port);
  const databaseUrl = findRunningDatabase(dataDir.path) ?? "";
  const database = new Client({ connectionString: databaseUrl });
  try {
    const trader = await createTrader(product.url);
    await trader.takePracticeMoney("5", "1000");
    const agent = await trader.createAgent("Agent ** SOL-1h");

    // With its head locked the practice chain accepts nothing: the order is stored and signed but cannot land
    await database.connect();
    await database.query("begin");
    await database.query("select version from practice_head for update");
    const timestamp = secondsAgo(0);
    const answer = await agent.fire("enter", timestamp);
    expect(answer).toMatchObject({ status: 202, body: { status: "accepted" } });
    await expect
      .poll(async () => (await database.query("select state from orders")).rows)
      .toEqual([{ state: "submitted" }]);
    await product.kill();
    await database.query("commit");

    product = await startProduct(dataDir.path, port);
    await expect.poll(agent.statuses).toEqual(["success"]);
    expect(await agent.fire("enter", timestamp)).toMatchObject({
      status: 200,
      body: { status: "duplicate" },
    });
    const [entry] = await agent.log();
    await expect.poll(async () => (await agent.position()).position).toBe(entry?.size);

    process.kill(product.pidOf("signer"), "SIGKILL");
    expect((await agent.fire("exit")).status).toBeLessThan(300);
    await expect.poll(agent.statuses).toEqual(["success", "success"]);
    await expect.poll(async () => Number((await agent.position()).position)).toBe(0);
    const moment = await readSnapshot(databaseUrl);
    expect(judgeMoment(onlyAlerts(agent.answered), moment)).toEqual([]);
  } finally {
    await database.end();
    await product.stop();
    dataDir.remove();
  }
});
