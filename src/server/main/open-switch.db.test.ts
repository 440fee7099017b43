import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { pauseProcesses } from "../../../test/pause-processes.ts";
import { createKillSwitch } from "../data-folder/kill-switch.ts";
import { loadConfig } from "../config.ts";
import { type EmbeddedPostgres, launchPostgres } from "../store/launch/launch-postgres.ts";
import { migrateDatabase } from "../store/postgres/migrate.ts";
import { type OpenDatabase, openDatabase } from "../store/postgres/pool.ts";
import { openSwitch, type OpenSwitch } from "./open-switch.ts";
import { switchTrading } from "./operate.ts";

const folders: string[] = [];
let postgres: EmbeddedPostgres;
let database: OpenDatabase;
let switches: readonly OpenSwitch[];

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "wheelhouse-switches-"));
  chmodSync(folder, 0o711);
  folders.push(folder);
  return folder;
};

beforeAll(async () => {
  postgres = await launchPostgres({ dataDir: newFolder(), isKeptRunning: false });
  await migrateDatabase(postgres.url);
  database = openDatabase({ url: postgres.url, maxConnections: 1 });
  switches = [
    await openSwitch(postgres.url, createKillSwitch(newFolder())),
    await openSwitch(postgres.url, createKillSwitch(newFolder())),
  ];
});

afterAll(async () => {
  for (const each of switches) await each.close();
  await database.close();
  await postgres.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const states = () => switches.map(({ tradingState }) => tradingState());

/** Runs the operator's command with the data folder of the first server; returns what it said. */
async function operate(state: "halted" | "reducing" | "active"): Promise<readonly string[]> {
  const said: string[] = [];
  const config = loadConfig({ DATA_DIR: folders[1], DATABASE_URL: postgres.url });
  await switchTrading(config, state, 0, (line) => said.push(line));
  return said;
}

async function expectBoth(state: string): Promise<void> {
  await expect.poll(states, { interval: 20 }).toEqual([state, state]);
}

afterEach(async () => {
  await operate("active");
  await expectBoth("active");
});

it("stops every server of the database, whatever its folder", async () => {
  expect(states()).toEqual(["active", "active"]);
  expect(await operate("reducing")).toEqual([
    "Reduced in the database: within two seconds every server only closes.",
    `No file stops trading on the servers that use ${folders[1]}.`,
  ]);
  await expectBoth("reducing");
  await operate("halted");
  await expectBoth("halted");
  const { rows } = await database.pool.query(
    "select detail->>'state' as state from audit_log where action = 'trading_state_set' order by seq",
  );
  expect(rows.map(({ state }) => state)).toEqual(["reducing", "halted"]);
});

it("applies the stricter of file and database, and says so when one is lifted", async () => {
  const file = join(folders[1] ?? "", "HALT");
  writeFileSync(file, "");
  expect(states()).toEqual(["halted", "active"]);
  await operate("reducing");
  await expect.poll(states).toEqual(["halted", "reducing"]);
  expect((await operate("active")).at(-1)).toBe(
    `The file HALT halts the servers that use ${folders[1]}.`,
  );
  await expect.poll(states).toEqual(["halted", "active"]);
  rmSync(file);
  expect(states()).toEqual(["active", "active"]);
});

it("keeps its state while the database hangs, obeys the file at once, and the database once it answers", async () => {
  await operate("reducing");
  await expectBoth("reducing");
  const goOn = pauseProcesses(postgres.pid);
  try {
    const file = join(folders[2] ?? "", "HALT");
    writeFileSync(file, "");
    expect(states()).toEqual(["reducing", "halted"]);
    rmSync(file);
    expect(states()).toEqual(["reducing", "reducing"]);
  } finally {
    goOn();
  }
  await operate("halted");
  await expectBoth("halted");
});

it("halts on an unknown word", async () => {
  await database.pool.query(
    "alter table installation drop constraint installation_trading_state_check",
  );
  await database.pool.query("update installation set trading_state = 'entries only'");
  await expectBoth("halted");
});
