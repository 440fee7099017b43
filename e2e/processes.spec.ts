import { randomBytes } from "node:crypto";
import { chmodSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { Client } from "pg";
import { findRunningDatabase, launchPostgres } from "../src/server/store/launch/launch-postgres.ts";
import { onlyAlerts } from "../test/judge/actions.ts";
import { readSnapshot } from "../test/judge/evidence.ts";
import { judgeMoment } from "../test/judge/judge.ts";
import { writeKeyFile } from "../test/key-file.ts";
import { pauseProcesses } from "../test/pause-processes.ts";
import { createTrader, type FundedAgent } from "../test/trader.ts";
import { freePort, makeDataDir, type Product, startAlone, startProduct } from "./product.ts";
import { patient } from "../test/patient.ts";

/** Returns the id of a process; null while it is away. */
function pidOf(product: Product, name: "web" | "trading" | "signer"): number | null {
  try {
    return product.pidOf(name);
  } catch {
    return null;
  }
}

/** Judges what was stored of an agent's alerts; its book may not have read them yet. */
const expectNoFindings = async (databaseUrl: string, { answered }: FundedAgent): Promise<void> =>
  expect(judgeMoment(onlyAlerts(answered), await readSnapshot(databaseUrl))).toEqual([]);

const healthOf = async (product: Product): Promise<unknown> =>
  (await fetch(`${product.url}/api/health`, { signal: AbortSignal.timeout(5_000) })).json();

test("alerts are acknowledged while trading is down, and each process restarts without the others", async () => {
  const product = await startAlone();
  const databaseUrl = findRunningDatabase(product.dataDir) ?? "";
  const database = new Client({ connectionString: databaseUrl });
  try {
    await database.connect();
    const trader = await createTrader(product.url);
    await trader.takePracticeMoney("5", "1000");
    const agent = await trader.createAgent("Agent ** SOL-1h");
    const before = { web: product.pidOf("web"), trading: product.pidOf("trading") };

    process.kill(before.trading, "SIGSTOP");
    expect(await agent.fire("enter")).toMatchObject({
      status: 202,
      body: { status: "accepted" },
    });
    expect((await database.query("select state from orders")).rows).toEqual([{ state: "planned" }]);
    process.kill(before.trading, "SIGKILL");
    await expect.poll(agent.statuses).toEqual(["success"]);
    expect(product.pidOf("web")).toBe(before.web);
    const trading = product.pidOf("trading");
    expect(trading).not.toBe(before.trading);

    process.kill(before.web, "SIGKILL");
    await expect.poll(() => pidOf(product, "web") ?? before.web).not.toBe(before.web);
    await expect
      .poll(async () => (await agent.fire("exit").catch(() => null))?.status ?? 0)
      .toBe(202);
    await expect.poll(agent.statuses).toEqual(["success", "success"]);
    expect(product.pidOf("trading")).toBe(trading);
    await expectNoFindings(databaseUrl, agent);
  } finally {
    await database.end();
    expect(await product.stop()).toBe(0);
  }
});

test("a hanging process is replaced, health reports it, and no order is sent twice", async () => {
  const product = await startAlone();
  const databaseUrl = findRunningDatabase(product.dataDir) ?? "";
  const database = new Client({ connectionString: databaseUrl });
  const expectReplaced = async (name: "web" | "trading" | "signer", hung: number) =>
    expect.poll(() => pidOf(product, name) ?? hung).not.toBe(hung);
  try {
    await database.connect();
    const trader = await createTrader(product.url);
    await trader.takePracticeMoney("5", "1000");
    const agent = await trader.createAgent("Agent ** SOL-1h");
    await agent.fire("enter");
    await expect.poll(agent.statuses).toEqual(["success"]);
    expect(await healthOf(product)).toMatchObject({ status: "ok" });

    // With its head locked the practice chain accepts nothing: the exit is sent and cannot land
    await database.query("begin");
    await database.query("select version from practice_head for update");
    expect(await agent.fire("exit")).toMatchObject({ status: 202 });
    const newest = "select state from orders order by seq desc limit 1";
    await expect
      .poll(async () => (await database.query(newest)).rows)
      .toEqual([{ state: "submitted" }]);
    const trading = product.pidOf("trading");
    process.kill(trading, "SIGSTOP");
    await expect.poll(() => healthOf(product)).toMatchObject({ status: "nobody_trades" });
    await expectReplaced("trading", trading);
    await database.query("commit");
    await expect
      .poll(agent.statuses, { timeout: patient(150_000) })
      .toEqual(["success", "success"]);
    const counts = await database.query(
      `select count(distinct signature)::int as sent, max(attempt) as attempts from orders`,
    );
    expect(counts.rows).toEqual([{ sent: 2, attempts: 1 }]);
    await expectNoFindings(databaseUrl, agent);
    await expect.poll(() => healthOf(product)).toMatchObject({ status: "ok" });

    const web = product.pidOf("web");
    process.kill(web, "SIGSTOP");
    await expectReplaced("web", web);
    await expect.poll(() => healthOf(product).catch(() => null)).toMatchObject({ status: "ok" });
    const signer = product.pidOf("signer");
    process.kill(signer, "SIGSTOP");
    await expectReplaced("signer", signer);
  } finally {
    await database.end();
    expect(await product.stop()).toBe(0);
  }
});

test("one server answers pages and another trades, on one database", async () => {
  const folders = [makeDataDir(), makeDataDir(), makeDataDir()] as const;
  chmodSync(folders[0].path, 0o711);
  const postgres = await launchPostgres({ dataDir: folders[0].path });
  const port = await freePort();
  const env = {
    DATABASE_URL: postgres.url,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DELEGATE_SECRET_FILE: writeKeyFile(folders[1].path),
    SESSION_SECRET: randomBytes(32).toString("hex"),
  };
  const web = await startProduct(folders[1].path, port, { ...env, ROLES: "web" });
  let trading: Product | undefined;
  try {
    const trader = await createTrader(web.url);
    await trader.takePracticeMoney("5", "1000");
    const agent = await trader.createAgent("Agent ** SOL-1h");
    expect(await healthOf(web)).toMatchObject({ status: "nobody_trades" });
    expect((await agent.fire("enter")).status).toBe(202);
    expect(await agent.log()).toMatchObject([{ status: "pending" }]);
    trading = await startProduct(folders[2].path, await freePort(), { ...env, ROLES: "trading" });
    await expect.poll(agent.statuses).toEqual(["success"]);
    await expect
      .poll(async () => (await fetch(`${web.url}/metrics`)).text())
      .toMatch(/^wheelhouse_fee_payer_lamports\{worker="[0-9a-f]{8}",network="practice"\} [1-9]/m);
    expect(await healthOf(web)).toMatchObject({ status: "ok" });
    const resume = pauseProcesses(trading.pid);
    await expect.poll(() => healthOf(web)).toMatchObject({ status: "nobody_trades" });
    resume();
    await expect.poll(() => healthOf(web)).toMatchObject({ status: "ok" });
  } finally {
    await Promise.all([web.stop(), trading?.stop()]);
    await postgres.stop();
    for (const folder of folders) folder.remove();
  }
});
