import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startMailServer } from "../../../test/mail-server.ts";
import { playOutside, type PlayedOutside } from "../../../test/played-outside.ts";
import { scratchRoot } from "../../../test/scratch-folder.ts";
import { practiceKeyPair } from "../../practice/sign-transaction.ts";
import { JUPITER_PROGRAM } from "../../venues/jupiter/instance.ts";
import { readLook, saveLook, takeLook } from "../store/health/outside-looks.ts";
import { launchPostgres, type EmbeddedPostgres } from "../store/launch/launch-postgres.ts";
import { migrateDatabase } from "../store/postgres/migrate.ts";
import { openDatabase, type OpenDatabase } from "../store/postgres/pool.ts";
import type { DoctorDeps } from "./check.ts";
import { lookAround, tellFindings } from "./doctor.ts";

const dataDir = mkdtempSync(join(scratchRoot(), "wheelhouse-doctor-"));
let postgres: EmbeddedPostgres;
let database: OpenDatabase;
let outside: PlayedOutside;

beforeAll(async () => {
  chmodSync(dataDir, 0o711);
  // As a server runs it: one that waits for no disk would be a finding
  postgres = await launchPostgres({ dataDir, isKeptRunning: false });
  await migrateDatabase(postgres.url);
  database = openDatabase({ url: postgres.url, maxConnections: 3 });
  outside = await playOutside();
}, 120_000);

afterAll(async () => {
  await outside.close();
  await database.close();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

beforeEach(async () => {
  outside.faults.clear();
  for (const node of outside.nodes) outside.behave(node);
  await database.pool.query("delete from outside_looks");
});

const disk = (megabytes: number) =>
  (async () => ({ bavail: megabytes * 250, blocks: 10_000_000, bsize: 4_000 })) as never;

/** Looks once as the operator's command does. */
async function examine(more: Partial<DoctorDeps> = {}) {
  const { config, clock, get, post, payer } = outside;
  const { findings: last } = await readLook(database.db);
  const networks = more.networks ?? new Map([["mainnet", await outside.open()]] as const);
  const feePayer = payer.address;
  const { db } = database;
  const deps = { config, db, clock, networks, feePayer, last, isRead: true, get, post };
  const findings = await lookAround({ ...deps, free: disk(20_000), ...more });
  await saveLook(db, findings);
  const { lines, isWell } = tellFindings(findings, clock.now());
  if (process.env["DOCTOR_SAYS"])
    process.stdout.write(`${expect.getState().currentTestName}\n${lines.join("\n")}\n`);
  return {
    lines,
    isWell,
    faults: lines
      .filter((line) => /^(fails|FAILS|NOT SET)/.test(line))
      .map((line) => line.replaceAll(/ {2,}/g, " | ")),
  };
}

describe("operate doctor", () => {
  it("finds a healthy set-up well, and says when it was checked", async () => {
    const { faults, lines, isWell } = await examine();
    expect(faults).toEqual([]);
    expect(isWell).toBe(true);
    expect(lines.at(-1)).toMatch(
      /^Last checked on \d{4}-\d\d-\d\d \d\d:\d\d UTC: everything that is needed works\.$/,
    );
    expect(lines.join("\n")).not.toContain("a key of");
  });

  it("names the setting of a key that is refused or missing, and what stops", async () => {
    outside.faults.set("api.jup.ag", 401);
    outside.faults.set("hermes.pyth.network", 401);
    const { faults, lines, isWell } = await examine();
    const jupiter = "Jupiter refused: it wants a key (JUPITER_API_KEY)";
    const stops = "; without it stops: entries, exits and sales of agents that swap";
    expect(isWell).toBe(false);
    expect(faults.map((line) => line.replace(/ \(https:[^)]*\)$/, " (page)"))).toEqual([
      `FAILS | Swaps of Jupiter | ${jupiter}${stops} (page)`,
      "fails | Prices of Pyth | Pyth refused: it wants a key (PYTH_API_KEY) (page)",
      `fails | Prices of Jupiter | ${jupiter} (page)`,
    ]);
    expect(lines.at(-1)).toContain("1 thing that is needed does not work.");
    expect(lines.join("\n")).not.toContain("a key of");
  });

  it("says what is not set, and that the router answers less without its key", async () => {
    const { config } = outside;
    const priceSources = config.priceSources.filter((each) => !("key" in each));
    const unset = { ...config, priceSources, swapApiKey: undefined };
    const { lines, isWell } = await examine({ config: unset });
    const text = lines.join("\n");
    expect(text).toMatch(/^not set {2}Prices of Pyth {2,}PYTH_API_KEY \(https:/m);
    expect(text).toMatch(
      /^works {4}Swaps of Jupiter {2,}30 questions a minute; JUPITER_API_KEY allows more$/m,
    );
    expect(isWell).toBe(true);
  });

  it("names a country that is refused, a web page, another form, silence and a host that is gone", async () => {
    outside.faults.set("api.bybit.com", 403);
    outside.faults.set("data-api.binance.vision", 451);
    outside.faults.set("api.kraken.com", "page");
    outside.faults.set("api.exchange.coinbase.com", "hangs");
    outside.faults.set("api.telegram.org", "gone");
    outside.faults.set("api.jup.ag", "other form");
    const { faults, isWell } = await examine();
    const told = faults.map((line) => line.replace(/(; without it stops.*| \(https:.*)$/, ""));
    expect(isWell).toBe(false);
    expect(told).toEqual([
      "FAILS | Swaps of Jupiter | Jupiter answers with what cannot be used",
      "FAILS | mainnet: prices | 1 of 7 sources of prices work: an entry needs two, an exit one",
      "FAILS | Candles | 0 of 2 sources of candles work: conditions wait",
      "fails | Prices of Binance | Binance refuses this country",
      "fails | Prices of Bybit | Bybit refuses this country",
      "fails | Prices of Coinbase | Coinbase does not answer",
      "fails | Prices of Kraken | Kraken answers with what cannot be used",
      "fails | Prices of Jupiter | Jupiter answers with what cannot be used",
      "fails | Candles of Binance | Binance refuses this country",
      "fails | Candles of Bybit | Bybit refuses this country",
      "fails | Telegram | Telegram does not answer",
    ]);
  });

  it("names a clock that is wrong, here and against the database", async () => {
    const { faults } = await examine({ clock: { now: () => Date.now() + 93_000 } });
    expect(faults).toContainEqual(
      expect.stringMatching(
        /^FAILS \| Clock \| 9[34] s ahead of what \d+ answers from outside tell: set NTP here and at the database$/,
      ),
    );
    expect(faults).toContainEqual("FAILS | Database | its clock is 93 s off this one: set NTP");
    // A node is held against what outside tells, not against a wrong clock
    expect(faults.join()).not.toContain("node");
  });

  it("names a disk that is nearly full", async () => {
    expect((await examine({ free: disk(700) })).faults).toEqual([
      "FAILS | Disk | 700 MB free only: a full disk stores no alert, make room",
    ]);
  });

  it("names a database that is too old, one that loses commits, one of other tables, and none", async () => {
    const { db, pool } = database;
    // PostgreSQL itself answers, with what an older one would say
    await pool.query(`create schema old; create function old.current_setting(name text) returns text language sql
      as $$ select case name when 'server_version_num' then '140012' else pg_catalog.current_setting(name) end $$`);
    const settings = { url: postgres.url, maxConnections: 1 };
    const old = openDatabase({
      ...settings,
      sessionSettings: "-c search_path=old,public,pg_catalog",
    });
    const fast = openDatabase({ ...settings, sessionSettings: "-c synchronous_commit=off" });
    const databaseOf = async (more: Partial<DoctorDeps>) =>
      (await examine(more)).faults.find((line) => line.includes("| Database |"));
    expect(await databaseOf({ db: old.db })).toBe(
      "FAILS | Database | PostgreSQL 14 is too old: 15 or later",
    );
    expect(await databaseOf({ db: fast.db })).toBe(
      "FAILS | Database | synchronous_commit off: a crash loses alerts",
    );
    expect(await databaseOf({ db: "DATA_DIR: there is no database in /data." })).toBe(
      "FAILS | Database | DATA_DIR: there is no database in /data.",
    );
    const wrong = openDatabase({
      url: "postgres://nobody:secret@127.0.0.1:1/none",
      maxConnections: 1,
    });
    expect(await databaseOf({ db: wrong.db })).toBe(
      "FAILS | Database | DATABASE_URL: the database cannot be used (ECONNREFUSED).",
    );
    expect(await databaseOf({ db: null })).toBeUndefined();
    expect((await examine({ db: null })).lines).toContainEqual(
      expect.stringMatching(/^not set {2}Database {2,}the first start of a server makes it$/),
    );
    expect(await databaseOf({ db })).toBeUndefined();
    for (const each of [old, fast, wrong]) await each.close();
  });

  it("names a program whose code changed until a person has read it", async () => {
    await examine();
    outside.deploy(JUPITER_PROGRAM, Buffer.from("other code"), 250_000_777n);
    const line =
      /^FAILS \| mainnet: program of Jupiter \| changed to [0-9a-f]{16} of slot 250000777, before [0-9a-f]{16} of slot 250000000: read what its team says; operate doctor takes it as seen$/;
    // A server's own looks do not take it as seen
    expect((await examine({ isRead: false })).faults).toEqual([expect.stringMatching(line)]);
    expect((await examine({ isRead: false })).faults).toEqual([expect.stringMatching(line)]);
    expect((await examine()).faults).toEqual([expect.stringMatching(line)]);
    expect((await examine()).faults).toEqual([]);
    // Deployed again without a change, as an extension of its account is
    outside.deploy(JUPITER_PROGRAM, Buffer.from("other code"), 250_000_999n);
    expect((await examine()).faults).toEqual([]);
  });

  it("names a fee payer that is empty or low, and tells its address", async () => {
    const { address } = practiceKeyPair("poor");
    const empty = await examine({ feePayer: address });
    expect(empty.faults).toContainEqual(
      `FAILS | mainnet: fee payer | 0 SOL in ${address}: send it SOL, it pays for every order`,
    );
    // A command without the keys' file knows it from the last look
    const known = await examine({ feePayer: null });
    expect(known.faults.join()).toContain(`0 SOL in ${address}`);
  });

  it("names nodes that lie behind, refuse a key, serve another chain or a page", async () => {
    const [one, two] = outside.nodes;
    const networks = new Map([["mainnet", await outside.open()]] as const);
    outside.behave(one, 400_000);
    two.behave({ before: () => ({ kind: "status", status: 401 }) });
    expect((await examine({ networks })).faults).toEqual([
      "FAILS | mainnet: nodes | 0 of 2 nodes work: nothing is traded or shown there, exits wait",
      expect.stringMatching(
        /^fails \| mainnet: node 1 of 2 \| is (?:39|40)\d s behind the chain, at slot 250000009$/,
      ),
      "fails | mainnet: node 2 of 2 | The node answered with status 401: it refuses its key, or this country (RPC_URL_MAINNET)",
    ]);
    one.behave(null);
    two.behave({ before: () => ({ kind: "text", text: "<html>blocked</html>" }) });
    expect((await examine({ networks })).faults.slice(1)).toEqual([
      "fails | mainnet: node 1 of 2 | serves another chain",
      "fails | mainnet: node 2 of 2 | The node's answer cannot be read (RPC_URL_MAINNET)",
    ]);
  });

  it("names a lookup table that is missing or lacks addresses", async () => {
    const { config } = outside;
    const none = new Map([["mainnet", { ...(await outside.open()), lookupTable: undefined }]]);
    expect((await examine({ networks: none as never })).faults).toEqual([
      "NOT SET | mainnet: lookup table | operate lookup-table mainnet makes it",
    ]);
    expect(config.lookupTables.mainnet).toBeDefined();
  });

  it("names a mail server that does not answer or refuses", async () => {
    const server = await startMailServer();
    const mail = { smtpUrl: server.url, from: "Wheelhouse <notices@trade.test>" };
    const withMail = (smtpUrl: string) => ({
      config: { ...outside.config, mail: { ...mail, smtpUrl } },
    });
    expect((await examine(withMail(server.url))).faults).toEqual([]);
    const wrong = withMail(server.url.replace("smtp://", "smtp://user:secret@"));
    const refused = (await examine(wrong)).faults;
    expect(refused).toEqual(["FAILS | Mail | refuses its user or password (SMTP_URL)"]);
    expect(refused.join()).not.toContain("secret");
    await server.close();
    expect((await examine(withMail(server.url))).faults).toEqual([
      "FAILS | Mail | is not reached (ESOCKET) (SMTP_URL)",
    ]);
  });

  it("needs nothing outside on practice, and asks nobody", async () => {
    const nobody = async () => {
      throw new Error("asked outside");
    };
    const config = { ...outside.config, networks: ["practice"] as const };
    const { lines, isWell } = await examine({ config, get: nobody, post: nobody });
    expect(lines).toContainEqual(
      expect.stringMatching(/^works {4}Outside {3,}practice needs nothing$/),
    );
    expect(isWell).toBe(true);
  });
});

describe("the look of the servers of one database", () => {
  it("is taken by one of them: at a start, a day later, and soon after one that missed something", async () => {
    const { db, pool } = database;
    const ago = (time: string) =>
      pool.query(`update outside_looks set begun_at = clock_timestamp() - interval '${time}'`);
    const finding = { name: "x", text: "", isNeeded: true, sinceMs: 0 };
    const taken = await Promise.all([1, 2, 3].map(() => takeLook(db, true)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    await saveLook(db, [{ ...finding, state: "works" }]);
    await ago("23 hours");
    expect(await takeLook(db, false)).toBe(false);
    expect(await takeLook(db, true)).toBe(true);
    await ago("25 hours");
    expect(await takeLook(db, false)).toBe(true);
    await saveLook(db, [{ ...finding, state: "fails" }]);
    await ago("9 minutes");
    expect(await takeLook(db, false)).toBe(false);
    await ago("11 minutes");
    expect(await takeLook(db, false)).toBe(true);
  });
});
