import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../../../test/database.ts";
import { processUrls } from "../../../../test/database-server.ts";
import { loadConfig } from "../../config.ts";
import { openDatabaseHost } from "../../main/open-database-host.ts";
import { backUp, switchTrading } from "../../main/operate.ts";
import { GRANTS, grantProcesses } from "./grants.ts";
import { inSession } from "./in-session.ts";
import { endBlockers } from "./installation.ts";
import { PROCESSES, type ProcessName } from "./process-roles.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  // Rights to the database itself are not copied from the template
  await grantProcesses(database.url, processUrls(database.url));
  await database.pool.query("update installation set trading_state = 'halted'");
});

afterAll(() => database.drop());

/** Runs a statement as a process; returns the code it is refused with, or null. */
const refusal = (name: ProcessName, text: string): Promise<string | null> =>
  inSession(processUrls(database.url)[name], async (client) => {
    await client.query(text);
    return null;
  }).catch((error: { code?: string; message: string }) => error.code ?? error.message);

/** What somebody who took over any process tries. */
const OF_ANYBODY: readonly string[] = [
  "update audit_log set wallet = 'somebody else'",
  "delete from audit_log",
  "truncate audit_log",
  "insert into audit_log (at, action) values (now(), 'signed_in')",
  "alter table audit_log disable trigger all",
  "select append_audit(now(), null, 'database_restored', null, null)",
  "select append_audit(now(), 'w', 'delegate_replaced', 'a', null)",
  `select append_audit(now(), 'w', 'custody_flagged', 'a', '{"kind":"key"}')`,
  "delete from orders; delete from ledger_entries",
  "update ledger_entries set amount = 0",
  "update agents set owner = 'mine'",
  "update multisigs set delegate = 'mine'",
  "update multisigs set vault = 'mine'",
  "update multisigs set key_revoked_at = null",
  "delete from multisigs",
  "update installation set trading_state = 'active'",
  "update installation set latest_at = now() + interval '1 day'",
  "create temporary table installation (trading_state text)",
  "update owner_facts set parts = '{}'",
  "delete from owner_facts",
  "insert into owner_facts (agent_id, kind, trading_key) values ('a', 'key_withdrawn', 'k')",
  "delete from signer.held_terms",
  "delete from signer.held_switch",
  "insert into operator_orders (n, state) values (1, 'active')",
  "delete from operator_orders",
  "create table signer.another (a int)",
  "delete from practice_accounts",
  "select * from kysely_migration",
  "set role postgres",
  "set session authorization postgres",
  "set session_replication_role = replica",
  "alter role current_user superuser",
  "create role another superuser",
  "copy (select 1) to program 'cat'",
  "select pg_read_file('/etc/passwd')",
  "create table another (a int)",
  "create function another() returns int language sql as 'select 1'",
  "create or replace function keep_halt() returns trigger language plpgsql as 'begin return new; end'",
  "alter function append_audit(timestamptz, text, text, text, jsonb, text) security invoker",
  "create schema another",
  "select add_traded_base('a', 'SOL-PERP', 1)",
  "select drop_upkeep('a', 's')",
  "update traded_base set net = 0",
  "select nextval('orders_seq_seq')",
  "alter default privileges grant all on tables to public; create table another (a int)",
];

/** What each process may not do though another may. */
const OF_EACH: Readonly<Record<ProcessName, readonly string[]>> = {
  web: [
    "select * from signer.held_terms",
    "insert into signer.held_terms (agent_id) values ('a')",
    "update signer.held_terms set is_off = false",
    "update signer.held_switch set state = 'active'",
    "update agents set id = 'another'",
    "update agents set chat_id = 'another'",
    "update multisigs set members = '{}'",
    "insert into multisigs (agent_id, key_revoked_at) values ('a', null)",
    "insert into multisigs (agent_id, delegated) values ('a', true)",
    `select append_audit(now(), 'w', 'custody_flagged', 'a', '{"kind":"powers","key":""}')`,
    `select append_audit(now(), 'w', 'custody_flagged', 'a', '{"kind":"foreign_trade","key":""}')`,
    "update orders set signature = 'mine'",
    "update orders set transaction = ''",
    "update orders set intent = '{}'",
    "update orders set attempt = 0",
    "insert into orders (id, signature) values ('o', 'mine')",
    "delete from orders",
    "delete from trade_log",
    "update trade_log set price = 1",
    "insert into decisions (order_id) values ('o')",
    "insert into order_fills (order_id) values ('o')",
    "insert into order_transactions (order_id) values ('o')",
    "insert into owner_fees (owner) values ('w')",
    "update lanes set fence = 0",
    "update lanes set claimed_by = null",
    "update lanes set account_difference = null",
    "update lanes set restored_at = null",
    "insert into reconcile_marks (agent_id) values ('a')",
    "insert into agent_looks (agent_id) values ('a')",
    "insert into process_figures (worker) values ('w')",
    "insert into notice_events (owner) values ('w')",
    "insert into upkeep_fills (agent_id) values ('a')",
    "delete from sessions",
    "update sessions set wallet = 'mine'",
    "update installation set identity = null",
  ],
  trading: [
    "select * from signer.held_terms",
    "update signer.held_terms set terms = '{}'",
    "insert into owner_facts (agent_id, kind) values ('a', 'signed')",
    "select wallet from sessions",
    "select * from sessions",
    "update sessions set wallet = 'mine'",
    "insert into sessions (id) values ('s')",
    "select * from refresh_tokens",
    "insert into refresh_tokens (token_hash) values ('h')",
    "select token_hash from read_tokens",
    "insert into read_tokens (id) values ('t')",
    "select * from messages",
    "select * from chats",
    "select * from hypotheses",
    "select address_key from notice_codes",
    "insert into notice_codes (channel_id) values ('c')",
    "update notice_channels set target = ''",
    "insert into notice_channels (id) values ('c')",
    "update agents set market_id = 'BTC-PERP'",
    "update agents set slippage_bps = 500",
    "update agents set owner_limits = '{}'",
    "update agents set position_size_percent = 100",
    "update agents set webhook_token_version = 1",
    "insert into agents (id) values ('a')",
    "delete from agents",
    "insert into multisigs (agent_id) values ('a')",
    "insert into alerts (id) values ('a')",
    "update rules set action = 'OPEN_LONG'",
    "insert into rule_conditions (rule_id) values ('r')",
    "insert into custody_transactions (id) values ('t')",
    "update custody_transactions set message = ''",
    "insert into tried_variants (wallet) values ('w')",
    "select append_audit(now(), 'w', 'signed_in', 's', null)",
    "select append_audit(now(), 'w', 'limits_set', 'a', null)",
    "select append_audit(now(), 'w', 'agent_deleted', 'a', null)",
    `select append_audit(now(), 'w', 'custody_flagged', 'a', '{"kind":"powers_accepted","key":""}')`,
    `select append_audit(now(), 'w', 'custody_flagged', 'a', '{"kind":"foreign_trade_accepted","key":""}')`,
  ],
  signer: [
    "insert into owner_facts (agent_id, kind) values ('a', 'signed')",
    "select * from sessions",
    "select * from orders",
    "insert into orders (id) values ('o')",
    "update orders set state = 'filled'",
    "update agents set slippage_bps = 500",
    "update agents set auto_trade = 'on'",
    "update multisigs set status = 'active'",
    "insert into agents (id) values ('a')",
    "select * from notice_channels",
    "select * from custody_transactions",
    "select * from messages",
    "select * from trade_log",
    "select * from lanes",
    "select * from alerts",
    "insert into decisions (order_id) values ('o')",
    "select append_audit(now(), 'w', 'signed_in', 's', null)",
    `select append_audit(now(), 'w', 'custody_flagged', 'a', '{"kind":"powers_accepted","key":""}')`,
    "update installation set probed_at = now()",
  ],
};

describe("the processes' roles", () => {
  it("are granted rights by name on every table", async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      `select case nspname when 'public' then '' else nspname || '.' end || relname as name
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind in ('r', 'p', 'v', 'm') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(GRANTS).toSorted());
  });

  it.each(PROCESSES)("refuse what %s has no right to", async (name) => {
    const attempts = [...OF_ANYBODY, ...OF_EACH[name]];
    const passed = [];
    for (const text of attempts) {
      const said = await refusal(name, text);
      if (said !== "42501") passed.push([text, said]);
    }
    expect(passed).toEqual([]);
  });

  it("lock no table that others need", async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace",
    );
    const locked = [];
    for (const name of ["web", "trading", "signer"] as const) {
      const ofSigner = name === "signer" ? [] : ["signer.held_terms", "signer.signatures"];
      for (const table of [...rows.map((row) => row.name), ...ofSigner]) {
        for (const mode of ["share", "access exclusive"]) {
          const said = await refusal(name, `begin; lock table ${table} in ${mode} mode; rollback`);
          if (said !== "42501") locked.push([name, table, mode, said]);
        }
      }
    }
    expect(locked).toEqual([]);
  });

  it.each([
    [
      "a row",
      "update installation set probed_at = now()",
      "update installation set trading_state = 'halted'",
    ],
    ["a lock", "select pg_advisory_lock(7)", "select pg_advisory_xact_lock(7)"],
  ])("of which web keeps no other waiting for %s", async (_, taken, wanted) => {
    const thief = await database.as("web").pool.connect();
    const lost = new Promise((resolve) => thief.on("error", resolve));
    await thief.query(`begin; ${taken}`);
    const waiting = refusal("trading", wanted);
    await expect.poll(() => endBlockers(database.as("trading").db), { timeout: 60_000 }).toBe(1);
    expect(await waiting).toBe(null);
    await lost;
    thief.release(true);
    expect(await refusal("web", "select end_blockers()")).toBe("42501");
  });

  it("delete by a function that knows whose rows are whose", async () => {
    const gone = "select delete_rows('agents', array['nobody'])";
    expect(await refusal("web", gone)).toBe(null);
    expect(await refusal("trading", gone)).toBe("42501");
    expect(await refusal("signer", gone)).toBe("42501");
    expect(await refusal("trading", "select delete_rows('pending_entries', array['0'])")).toBe(
      null,
    );
    expect(await refusal("web", "select delete_rows('audit_log', array['0'])")).toBe("42501");
  });

  it("let each process record what is its own", async () => {
    const own: readonly (readonly [ProcessName, string])[] = [
      ["web", "select append_audit(now(), 'w', 'signed_in', 's', null)"],
      [
        "web",
        `select append_audit(now(), 'w', 'custody_flagged', 'a', '{"kind":"powers_accepted","key":"k"}')`,
      ],
      [
        "trading",
        `select append_audit(now(), 'w', 'custody_flagged', 'a', '{"kind":"powers","key":"k"}')`,
      ],
      ["trading", "select append_audit(now(), 'w', 'custody_confirmed', 't', null)"],
    ];
    for (const [name, text] of own) expect([text, await refusal(name, text)]).toEqual([text, null]);
  });

  it("run every function that has its owner's rights in the owner's schema, and no other function", async () => {
    const { rows } = await database.pool.query<{ text: string }>(
      `select oid::regprocedure::text as text from pg_proc where pronamespace in ('public'::regnamespace, 'signer'::regnamespace)
        and prosecdef and not 'search_path=public, pg_temp' = any(coalesce(proconfig, '{}'))
      union all
      select role || ' ' || pg_proc.oid::regprocedure from pg_proc, unnest($1::text[]) as role
      where pronamespace in ('public'::regnamespace, 'signer'::regnamespace) and has_function_privilege(role, pg_proc.oid, 'execute')
        and proname not in ('append_audit', 'alert_effects', 'read_time', 'delete_rows', 'list_migrations', 'end_blockers')`,
      [PROCESSES.map((name) => `test_${name}`)],
    );
    expect(rows).toEqual([]);
  });

  it("do not lift a halt through a table of their own that comes before the real one", async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      "select current_database() as name",
    );
    await database.pool.query(`grant temporary on database ${rows[0]?.name ?? ""} to test_web`);
    const said = await refusal(
      "web",
      `create temporary table installation (trading_state text);
      update public.installation set trading_state = 'active'`,
    );
    expect(said).toBe("42501");
    await grantProcesses(database.url, processUrls(database.url));
  });

  it("lose at the next start what was granted otherwise, to them or to everybody", async () => {
    await database.pool.query(`
      grant update (slippage_bps) on agents to test_trading;
      grant select on sessions to public;
      grant create on schema public to public`);
    expect(await refusal("trading", "select * from sessions")).toBe(null);
    await grantProcesses(database.url, processUrls(database.url));
    for (const text of [
      "update agents set slippage_bps = 500",
      "select * from sessions",
      "create table another (a int)",
    ]) {
      expect([text, await refusal("trading", text)]).toEqual([text, "42501"]);
    }
  });

  it.each(PROCESSES)(
    "of which %s halts by the operator's command, and is told that it may not resume or back up",
    async (name) => {
      await database.pool.query("update installation set trading_state = 'active'");
      const config = loadConfig({
        DATA_DIR: join(tmpdir(), "none"),
        DATABASE_URL: processUrls(database.url)[name],
      });
      const said: string[] = [];
      await switchTrading(config, "halted", 0, (line) => said.push(line));
      expect(said[0]).toMatch(/^Halted in the database/);
      const { rows } = await database.pool.query(
        "select trading_state, action, detail from installation, audit_log order by seq desc limit 1",
      );
      expect(rows).toEqual([
        { trading_state: "halted", action: "trading_state_set", detail: { state: "halted" } },
      ]);
      await expect(switchTrading(config, "active", 0, () => {})).rejects.toThrow(
        `DATABASE_URL: its role may not do this (permission denied for table operator_orders). The address of the tables' owner is missing: DATABASE_OWNER_FILE or DATABASE_OWNER_URL, which wheelhouse-operate hands on.`,
      );
      await expect(backUp(config, [join(tmpdir(), `${name}.backup`)], 0, () => {})).rejects.toThrow(
        /^DATABASE_URL: its role may not do this \(permission denied for /,
      );
    },
  );

  it("are refused at the start where two of three addresses have the same one", async () => {
    const { web, trading } = processUrls(database.url);
    const config = {
      dataDir: "",
      databaseUrl: web,
      databaseOwnerUrl: database.url,
      processUrls: { trading, signer: trading },
    };
    await expect(openDatabaseHost(config)).rejects.toThrow(
      /^DATABASE_SIGNER_URL: its role.* three/,
    );
    await grantProcesses(database.url, processUrls(database.url));
  });

  it("are held to their rights without the signer's password, which a signer by itself keeps", async () => {
    const urls = processUrls(database.url);
    const config = (signer: string) => ({
      dataDir: "",
      databaseUrl: urls.web,
      databaseOwnerUrl: database.url,
      processUrls: {
        trading: urls.trading,
        signer: signer.replace(/&?password=[^&]*|:secret(?=@)/, ""),
      },
    });
    await database.pool.query("revoke select on agents from test_signer");
    await openDatabaseHost(config(urls.signer));
    expect(await refusal("signer", "select * from agents")).toBe(null);
  });

  it("have the rights of all where the processes share one", async () => {
    const { web } = processUrls(database.url);
    await grantProcesses(database.url, { web, trading: web, signer: web });
    expect(await refusal("web", "select * from refresh_tokens")).toBe(null);
    expect(await refusal("web", "update orders set signature = null")).toBe(null);
    expect(await refusal("web", "delete from audit_log")).toBe("42501");
    await grantProcesses(database.url, processUrls(database.url));
    expect(await refusal("web", "update orders set signature = null")).toBe("42501");
  });
});
