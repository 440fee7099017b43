import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabaseHost } from "../../main/open-database-host.ts";
import { inSession } from "../postgres/in-session.ts";
import { type EmbeddedPostgres, findRunningDatabase, launchPostgres } from "./launch-postgres.ts";

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-passwords-"));
  chmodSync(dataDir, 0o711);
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

const run = (url: string, text: string) =>
  inSession(url, async (client) => (await client.query<Record<string, unknown>>(text)).rows);

/** Returns the code a statement is refused with; null when it is not. */
const refusal = (url: string, text: string): Promise<string | null> =>
  run(url, text).then(
    () => null,
    (error: unknown) => (error as { code?: string }).code ?? (error as Error).message,
  );

const as = (url: string, role: string, password?: string): string => {
  const address = new URL(url);
  address.searchParams.set("user", role);
  if (password === undefined) address.searchParams.delete("password");
  else address.searchParams.set("password", password);
  return address.href;
};

const rules = () => join(dataDir, "postgres", "cluster", "pg_hba.conf");
const secretFile = () => join(dataDir, "database.secret");

/** What somebody who took over a process tries with the application's password, and the code of each refusal. */
const ATTACKS: readonly (readonly [string, string])[] = [
  ["select pg_read_file('/etc/passwd')", "42501"],
  ["select pg_read_binary_file('pg_hba.conf')", "42501"],
  ["select * from pg_ls_dir('.')", "42501"],
  ["select * from pg_stat_file('pg_hba.conf')", "42501"],
  ["copy (select 1) to program 'cat'", "42501"],
  ["copy (select 1) to '/tmp/out'", "42501"],
  ["create temporary table read (line text); copy read from '/etc/passwd'", "42501"],
  ["select lo_import('/etc/passwd')", "42501"],
  ["select rolpassword from pg_authid", "42501"],
  ["alter system set log_statement = 'all'", "42501"],
  ["select pg_reload_conf()", "42501"],
  ["select pg_terminate_backend(pid) from pg_stat_activity where usename = 'postgres'", "42501"],
  ["set role postgres", "42501"],
  ["set session authorization postgres", "42501"],
  ["set session_replication_role = replica", "42501"],
  ["alter role wheelhouse_app superuser", "42501"],
  ["alter role postgres password 'mine'", "42501"],
  ["create role another superuser", "42501"],
  ["grant pg_execute_server_program to wheelhouse_app", "42501"],
  ["create database another", "42501"],
  ["create language plperlu", "42501"],
  ["create table another (a int)", "42501"],
  ["update audit_log set wallet = 'somebody else'", "42501"],
  ["delete from ledger_entries", "42501"],
  ["truncate audit_log", "42501"],
  ["alter table audit_log disable trigger all", "42501"],
  ["grant update on audit_log to wheelhouse_app; update audit_log set wallet = null", "42501"],
  ["drop trigger installation_keeps_halt on installation", "42501"],
  [
    "create or replace function keep_halt() returns trigger language plpgsql as 'begin return new; end'",
    "42501",
  ],
  ["delete from installation", "42501"],
  ["insert into installation (latest_at) values ('epoch')", "42501"],
  ["update installation set trading_state = 'reducing'", "42501"],
  ["update installation set trading_state = 'active'", "42501"],
  ["select * from kysely_migration", "42501"],
];

describe("the embedded database", () => {
  it("opens for nobody without a password, and for no role with another's", async () => {
    const server = await launchPostgres({ dataDir });
    try {
      const password = new URL(server.processUrls.web).searchParams.get("password") ?? "";
      const told = [as(server.url, "postgres", "wrong"), as(server.url, "postgres", password)];
      for (const url of told) expect(await refusal(url, "select 1")).toBe("28P01");
      const none = new Client({ connectionString: as(server.url, "postgres") });
      none.on("error", () => {});
      await expect(none.connect()).rejects.toThrow(/password/);
      expect(statSync(secretFile()).mode & 0o777).toBe(0o600);
      expect(readFileSync(secretFile(), "utf8")).not.toContain(password);
      expect(await run(findRunningDatabase(dataDir) ?? "", "select current_user as it")).toEqual([
        { it: "postgres" },
      ]);
    } finally {
      await server.stop();
    }
  });

  it("keeps places for the others when one role takes all it gets", async () => {
    const server = await launchPostgres({ dataDir });
    const taken: Client[] = [];
    const take = async (url: string) => {
      const client = new Client({ connectionString: url });
      client.on("error", () => {});
      await client.connect();
      taken.push(client);
    };
    try {
      const { web, trading, signer } = server.processUrls;
      const all = async () => {
        for (;;) await take(web);
      };
      await expect(all()).rejects.toMatchObject({ code: "53300" });
      for (let n = 0; n < 25; n += 1) await take(trading);
      for (let n = 0; n < 10; n += 1) await take(signer);
      expect(await refusal(trading, "set temp_file_limit = -1")).toBe("42501");
    } finally {
      await Promise.all(taken.map((client) => client.end()));
      await server.stop();
    }
  });

  it("gives the application's role nothing of the superuser's, and no way to resume trading", async () => {
    const host = await openDatabaseHost({
      dataDir,
      databaseUrl: undefined,
      databaseOwnerUrl: undefined,
    });
    try {
      expect(await refusal(host.urls.web, "update installation set trading_state = 'halted'")).toBe(
        null,
      );
      const passed = [];
      for (const [text, code] of ATTACKS) {
        const said = await refusal(host.urls.web, text);
        if (said !== code) passed.push([text, said]);
      }
      expect(passed).toEqual([]);
      expect(await run(host.urls.web, "select trading_state from installation")).toEqual([
        { trading_state: "halted" },
      ]);
      const resume = "update installation set trading_state = 'active'";
      expect(await refusal(host.ownerUrl, resume)).toBe(null);
    } finally {
      await host.close();
    }
  });

  const expectClosed = async (server: EmbeddedPostgres) => {
    expect(await refusal(as(server.url, "postgres", "wrong"), "select 1")).toBe("28P01");
    expect(await run(server.url, "select answer from kept")).toEqual([{ answer: 42 }]);
    expect(await run(server.processUrls.web, "select current_user as it")).toEqual([
      { it: "wheelhouse_app" },
    ]);
  };

  it.each([
    [
      "of an earlier version, which asked for no password",
      async (url: string) => {
        for (const role of ["wheelhouse_app", "postgres"])
          await run(url, `alter role ${role} password null`);
        writeFileSync(rules(), "local all all trust\n");
        rmSync(secretFile());
      },
    ],
    ["whose passwords were lost", async () => rmSync(secretFile())],
    ["with another folder's passwords", async () => writeFileSync(secretFile(), "another")],
  ])("with a folder %s, keeps its rows and asks from then on", async (_, change) => {
    const first = await launchPostgres({ dataDir });
    await run(first.url, "create table kept as select 42 as answer");
    await change(first.url);
    await first.stop();
    const second = await launchPostgres({ dataDir });
    try {
      await expectClosed(second);
    } finally {
      await second.stop();
    }
    const third = await launchPostgres({ dataDir });
    try {
      await expectClosed(third);
    } finally {
      await third.stop();
    }
  });
});
