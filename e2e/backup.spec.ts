import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "@playwright/test";
import { Client } from "pg";
import { findRunningDatabase, launchPostgres } from "../src/server/store/launch/launch-postgres.ts";
import { writeKeyFile } from "../test/key-file.ts";
import { createTrader, secondsAgo } from "../test/trader.ts";
import { freePort, makeDataDir, type Product, startProduct } from "./product.ts";

const OPERATE = join(import.meta.dirname, "../dist/server/operate.js");

/** Alerts in the store besides those that are sent; more of them by hand, to see how long it takes. */
const EVENTS = Number(process.env["BACKUP_EVENTS"] ?? 2_000);

type Settings = Readonly<Record<string, string>>;

/** Runs an operator's command; returns its exit code and what it said. */
async function operate(settings: Settings, ...args: readonly string[]) {
  const child = spawn(process.execPath, [OPERATE, ...args], {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString()));
  const [code] = await once(child, "exit");
  return { code: code as number, out, err };
}

/** Runs a command that has to be refused in one line. */
async function refusalOf(settings: Settings, ...args: readonly string[]): Promise<string> {
  const { code, err } = await operate(settings, ...args);
  expect(code).toBe(1);
  expect(err.trimEnd().split("\n"), err).toHaveLength(1);
  return err.trimEnd();
}

async function inDatabase<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Fills the store with alerts like the newest. */
const addEvents = (url: string) =>
  inDatabase(url, (client) =>
    client.query(
      `insert into alert_events (id, agent_id, alert_id, body_hash, alert_name, fired_at, received_at, outcome, effects)
       select gen_random_uuid(), agent_id, alert_id, body_hash, alert_name, fired_at, received_at, outcome, effects
       from (select * from alert_events order by seq desc limit 1) newest, generate_series(1, $1)`,
      [EVENTS],
    ),
  );

const countEvents = (url: string) =>
  inDatabase(
    url,
    async (client) =>
      (await client.query<{ n: number }>("select count(*)::int as n from alert_events")).rows[0]?.n,
  );

const rewrite = (from: string, to: string, change: (text: string) => string) =>
  writeFileSync(to, gzipSync(change(gunzipSync(readFileSync(from)).toString())));

const KINDS = [
  ["embedded database", false],
  ["database of one's own", true],
] as const;

for (const [kind, isOwn] of KINDS) {
  test(`with the ${kind}: a backup of a running product is restored after the product went on`, async () => {
    const [data, files, elsewhere] = [makeDataDir(), makeDataDir(), makeDataDir()];
    chmodSync(elsewhere.path, 0o711);
    const own = isOwn ? await launchPostgres({ dataDir: elsewhere.path }) : null;
    const settings: Settings = {
      DATA_DIR: data.path,
      PORT: String(await freePort()),
      DELEGATE_SECRET_FILE: writeKeyFile(data.path),
      SESSION_SECRET: randomBytes(32).toString("hex"),
      ...(own === null ? {} : { DATABASE_URL: own.url }),
    };
    const url = () => own?.url ?? findRunningDatabase(data.path) ?? "";
    const start = (): Promise<Product> =>
      startProduct(data.path, Number(settings["PORT"]), settings);
    const file = join(files.path, "a.backup");
    const named = (name: string) => join(files.path, name);
    const timed = async (what: string, ...args: readonly string[]) => {
      const from = performance.now();
      const done = await operate(settings, ...args);
      const seconds = ((performance.now() - from) / 1_000).toFixed(1);
      test
        .info()
        .annotations.push({ type: `${what}, ${EVENTS} alerts`, description: `${seconds} s` });
      expect(done.code, done.err).toBe(0);
      return done.out;
    };
    let product = await start();
    try {
      const trader = await createTrader(product.url);
      await trader.takePracticeMoney("5", "1000");
      const agent = await trader.createAgent("Agent ** SOL-1h");
      expect(await agent.fire("enter", secondsAgo(30))).toMatchObject({ status: 202 });
      await expect.poll(agent.statuses).toEqual(["success"]);
      await addEvents(url());
      expect(await timed("backup", "backup", file)).toMatch(
        /a\.backup: [\d,]+ rows, [\d,]+ bytes, whole/,
      );
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const kept = await countEvents(url());
      expect(await agent.fire("exit", secondsAgo(10))).toMatchObject({ status: 202 });
      expect(await countEvents(url())).toBe((kept ?? 0) + 1);

      expect(await refusalOf(settings, "backup", file)).toBe(`${file} is there already.`);
      const nowhere = named("no/such/a.backup");
      expect(await refusalOf(settings, "backup", nowhere)).toBe(
        `${nowhere} cannot be written (ENOENT).`,
      );
      expect(await refusalOf(settings, "restore", file, "--replace")).toMatch(
        isOwn ? /^A server or signer uses this database/ : /^DATA_DIR: .* in use/,
      );
      expect(await product.stop()).toBe(0);

      expect(await refusalOf(settings, "restore", named("none"))).toContain(
        "cannot be read (ENOENT)",
      );
      writeFileSync(named("half"), readFileSync(file).subarray(0, statSync(file).size / 2));
      expect(await refusalOf(settings, "restore", named("half"), "--replace")).toContain(
        "is no backup, or not a whole one: nothing was changed.",
      );
      // One more migration than this version knows, with a digest that fits
      rewrite(file, named("newer"), withLaterMigration);
      expect(await refusalOf(settings, "restore", named("newer"), "--replace")).toContain(
        "newer version, it has 9999-later",
      );
      expect(await refusalOf(settings, "restore", file)).toContain("then say --replace");

      expect(await timed("restore", "restore", file, "--replace")).toContain("Trading is halted");
      product = await start();
      expect(await countEvents(url())).toBe(kept);
      await expect(
        trader.call("GET", `/api/chats/wallet/${trader.address}/agents`),
      ).rejects.toThrow("401");
    } finally {
      await product.kill();
      await own?.stop();
      for (const folder of [data, files, elsewhere]) folder.remove();
    }
  });
}

function withLaterMigration(text: string): string {
  const lines = text.trimEnd().split("\n");
  const [head = "", ...rest] = lines.slice(0, -1);
  const changed = [head.replace('"0001-initial"', '"0001-initial","9999-later"'), ...rest];
  const { rows } = JSON.parse(lines.at(-1) ?? "") as { rows: number };
  const body = changed.map((line) => `${line}\n`).join("");
  const sha256 = createHash("sha256").update(body).digest("hex");
  return `${body}${JSON.stringify({ rows, sha256 })}\n`;
}

test("a backup that is impossible fails with one line and creates no file", async () => {
  const [wrong, own] = [makeDataDir(), makeDataDir()];
  chmodSync(own.path, 0o711);
  const file = join(wrong.path, "a.backup");
  const secrets = {
    DATA_DIR: wrong.path,
    DELEGATE_SECRET_FILE: writeKeyFile(own.path),
    SESSION_SECRET: randomBytes(32).toString("hex"),
  };
  expect(await refusalOf(secrets, "backup", file)).toBe(
    `DATA_DIR: there is no database in ${wrong.path}.`,
  );
  expect(existsSync(join(wrong.path, "postgres"))).toBe(false);
  const empty = await launchPostgres({ dataDir: own.path });
  const there = { ...secrets, DATABASE_URL: empty.url };
  expect(await refusalOf(there, "backup", file)).toBe(
    "There is nothing of Wheelhouse in this database.",
  );
  await empty.stop();
  expect(await refusalOf(there, "backup", file)).toBe(
    "DATABASE_URL: the database cannot be used (ENOENT).",
  );
  expect(existsSync(file)).toBe(false);
  for (const folder of [wrong, own]) folder.remove();
});
