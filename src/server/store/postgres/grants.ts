import type { Client } from "pg";
import { inSession } from "./in-session.ts";
import { PROCESSES, type ProcessName, type ProcessUrls, readRole } from "./process-roles.ts";

/** What a process may do with a table, as GRANT names it: verbs, with columns where not all. */
type Rights = Partial<Readonly<Record<ProcessName, string>>>;

const CHANGED = "select, insert, update";

/** Facts of custody that the chain shows: who follows an owner's transaction records them. */
const OF_CUSTODY =
  "update (status, delegated, limits_market_id, sub_account_id, last_used_at, opening_due, fees_due)";

const BOOKED = "select, insert, update (held_fees, realised_fees)";

/** A built-in chain runs in each process that looks at it. */
const onChain = (rights: string): Rights => ({ web: rights, trading: rights, signer: rights });

/**
 * Every table of the schema, with the rights of each process. What is not listed is taken from its role at each start. No
 * process appends to the audit log but through `append_audit`, and triggers write with their owner's rights. Who may delete
 * from a table may also lock it against everybody, and so may who may update any column of it: processes delete through
 * `delete_rows`, and `update` is granted by columns. What no other process needs, the signer's own tables, it may lock.
 */
export const GRANTS: Readonly<Record<string, Rights>> = {
  agent_looks: { web: "select, update (key_state)", trading: CHANGED },
  agents: {
    // Neither of another owner nor of another chat
    web: `select, insert, update (network, venue, name, name_key, market_id, interval, slippage_bps,
      position_size_percent, max_signal_age_seconds, auto_trade, hypothesis_status, buy_report_prompt,
      sell_report_prompt, sub_account_id, webhook_token_version, updated_at, stopping_since, closed_by_stop, owner_limits,
      plan, leverage)`,
    trading: `select, update (auto_trade, sub_account_id, updated_at, stopping_since, closed_by_stop)`,
    signer: "select",
  },
  alert_events: { web: "select, insert", trading: "select, insert" },
  alerts: {
    web: "select, insert, update (name, name_key, description, condition)",
    trading: "select",
  },
  audit_log: { web: "select", trading: "select", signer: "select" },
  candle_blocks: { web: "select, insert, update", trading: "select, insert, update" },
  chats: { web: "select, insert, update (title, updated_at)" },
  condition_progress: { web: "select", trading: "select, insert, update (evaluated_to)" },
  connection_refresh_tokens: { web: "select, insert, update (replaced_at)" },
  connection_requests: { web: CHANGED },
  custody_transactions: {
    web: `select, insert, update (state, reason, signature, transaction, sent_at, settled_at)`,
    trading: "select, update (state, reason, signature, settled_at)",
  },
  decisions: { web: "select", trading: "select, insert, update (decided_at, facts, rule_id)" },
  equity_points: { web: "select, insert", trading: "select, insert" },
  exits: {
    web: "select, insert, update (state, ended_at, part, request_id)",
    trading: "select, insert, update",
  },
  faucet_uses: { web: "select, insert", trading: "select (seq, at)" },
  feed_troubles: { web: "select", trading: CHANGED },
  hypotheses: { web: "select, insert" },
  installation: {
    // Any role halts; a trigger leaves lifting to the owner, and nobody moves the time by which all are held
    web: "select, update (probed_at, trading_state)",
    trading: "select, update (trading_state)",
    signer: "select, update (trading_state)",
  },
  kysely_migration: {},
  kysely_migration_lock: {},
  lanes: {
    web: "select, insert, update (version, risk)",
    trading: `select, update (version, risk, fence, claimed_by, claimed_until, landed_slot, restored_at, restored_height,
      account_difference)`,
  },
  live_copies: { web: "select, insert" },
  ledger_entries: { web: BOOKED, trading: BOOKED },
  ledger_marks: { web: "select, insert, update", trading: "select, insert, update" },
  messages: { web: "select, insert" },
  multisigs: {
    web: `select, ${OF_CUSTODY}, insert (agent_id, multisig, vault, vault_index, create_key, delegate, members,
      threshold, status, sub_account_id, created_at)`,
    trading: `select, ${OF_CUSTODY}`,
    signer: "select",
  },
  notice_channels: {
    web: "select, insert, update (events, confirmed_at, removed_at)",
    trading: "select, update (busy_until, last_error)",
  },
  notice_codes: { web: "select, insert, update (tries)", trading: "select (seq, at)" },
  notice_events: { trading: "select, insert, update (is_spread)" },
  notices: { web: "select, insert, update (state, settled_at, last_error)", trading: CHANGED },
  oauth_clients: { web: "select, insert" },
  operator_orders: { signer: "select" },
  order_fills: { web: "select", trading: "select, insert" },
  order_tallies: { web: "select, insert", trading: "select (begins_at, state)" },
  order_transactions: { web: "select", trading: "select, insert, update (ended)" },
  orders: {
    // Plans orders and denies planned ones; what was signed and sent is the trading process's
    web: `select, insert (id, agent_id, event_id, exit_id, portion, plan_act, signal, leg, state, reason, intent, planned_at, settled_at),
      update (state, reason, settled_at)`,
    trading: `select, insert, update (state, reason, attempt, intent, transaction, signature,
      last_valid_block_height, blockhash_slot, submitted_at, settled_at, stop_rested_at, resting, exit_id,
      plan_act)`,
  },
  outside_looks: { web: "select", trading: CHANGED },
  owner_fees: { trading: "select, insert, update (lamports)" },
  // The signer verifies what was signed; triggers append what tightens
  owner_facts: {
    web: "select, insert (agent_id, kind, at, nonce, wallet, text, signature, parts)",
    trading: "select",
    signer: "select",
  },
  paper_accounts: onChain("select, insert, update"),
  paper_feed: { web: "select", trading: "select, insert, update", signer: "select" },
  paper_head: onChain("select, insert, update (version)"),
  paper_touched: onChain("select, insert"),
  paper_transactions: onChain("select, insert"),
  plan_looks: { web: "select", trading: "select, insert, update" },
  // A trigger leaves ending a plan to the owner's call
  plan_positions: {
    web: "select, insert, update (due_at, version, is_over)",
    trading: CHANGED,
    signer: "select",
  },
  pending_entries: { web: "select, insert", trading: "select, insert" },
  practice_accounts: onChain("select, insert, update"),
  practice_head: onChain("select, insert, update (version)"),
  practice_touched: onChain("select, insert"),
  practice_transactions: onChain("select, insert"),
  price_gaps: { web: "select", trading: "select, insert" },
  process_figures: { web: "select", trading: CHANGED },
  proposals: {
    web: "select, insert, update (state)",
    trading: "select (id, expires_at)",
  },
  quiet_hours: { web: CHANGED, trading: "select" },
  readiness_bars: { web: "select, insert, update (bar)" },
  read_tokens: {
    web: "select, insert, update (last_used_at, revoked_at, limited_at, token_hash, access_expires_at)",
    trading: "select (id, expires_at, revoked_at)",
  },
  reconcile_marks: { trading: "select, insert, update" },
  reconcile_rounds: { web: "select", trading: CHANGED },
  refresh_tokens: { web: "select, insert, update (replaced_at, replaced_by_hash)" },
  replaced_token_alerts: { web: "select, insert, update" },
  rule_conditions: { web: CHANGED, trading: "select, update (count)" },
  rules: { web: "select, insert, update (action, portion)", trading: "select" },
  sessions: {
    web: "select, insert, update (last_used_at, revoked_at)",
    trading: "select (id, expires_at)",
  },
  trade_log: {
    web: "select, insert, update (status, reason, at)",
    trading: `select, insert, update (status, reason, at, side, base_size, base_decimals, percentage, quote_total,
      quote_decimals, price, fee, signature)`,
  },
  traded_base: { web: "select", trading: "select" },
  // What limits the trading process: nobody but the signer removes a row, an old one either
  "signer.fees": { signer: `${CHANGED}, delete` },
  "signer.restored": { signer: "select, delete" },
  "signer.signatures": { signer: `${CHANGED}, delete` },
  "signer.held_switch": { signer: "select, insert, update" },
  "signer.held_terms": { signer: "select, insert, update" },
  trading_servers: { web: "select", trading: CHANGED },
  tried_variants: { web: "select, insert, update (is_kept_out_seen)" },
  unreadable_deliveries: { web: "select, insert, update" },
  upkeep_fills: { web: "select", trading: "select, insert" },
  used_nonces: { web: "insert", trading: "select" },
};

const APPEND_AUDIT = "append_audit(timestamptz, text, text, text, jsonb, text)";
const ALERT_EFFECTS = "alert_effects(uuid, bytea)";

const READ_TIME = "read_time()";
const END_BLOCKERS = "end_blockers()";
const DELETE_ROWS = "delete_rows(text, text[])";
const LIST_MIGRATIONS = "list_migrations()";

/** Functions that each process calls itself. */
const MAY_CALL: Readonly<Record<ProcessName, readonly string[]>> = {
  web: [APPEND_AUDIT, ALERT_EFFECTS, READ_TIME, DELETE_ROWS, LIST_MIGRATIONS],
  trading: [APPEND_AUDIT, ALERT_EFFECTS, READ_TIME, DELETE_ROWS, LIST_MIGRATIONS, END_BLOCKERS],
  signer: [READ_TIME],
};

/** Schemas of the product; in the second lies what the signer alone writes. */
const SCHEMAS = ["public", "signer"];

/** Returns the schemas of the tables a process has a right to. */
const schemasOf = (name: ProcessName): readonly string[] =>
  SCHEMAS.filter((schema) =>
    Object.entries(GRANTS).some(
      ([table, rights]) =>
        rights[name] !== undefined &&
        (table.includes(".") ? table.split(".")[0] : "public") === schema,
    ),
  );

/**
 * Grants each process's role what `GRANTS` lists on a migrated database, connected as the owner of its tables, and takes
 * everything else from these roles and from PUBLIC. Processes may share one role, which then has the rights of all.
 * Returns each process's role.
 */
export async function grantProcesses(
  ownerUrl: string,
  urls: ProcessUrls,
): Promise<ReadonlyMap<ProcessName, string>> {
  const roles = new Map<ProcessName, string>();
  for (const name of PROCESSES) roles.set(name, await readRole(urls[name]));
  await inSession(ownerUrl, async (client) => {
    const columns = await listColumns(client);
    const quoted = (name: ProcessName) => client.escapeIdentifier(roles.get(name) ?? "");
    const all = ["public", ...new Set(PROCESSES.map(quoted))].join(", ");
    const granted = PROCESSES.flatMap((name) => [
      `grant usage on schema ${schemasOf(name).join(", ")} to ${quoted(name)}`,
      ...Object.entries(GRANTS).flatMap(([table, { [name]: rights }]) =>
        rights === undefined
          ? []
          : [`grant ${byColumns(rights, columns.get(table))} on ${table} to ${quoted(name)}`],
      ),
      ...MAY_CALL[name].map((call) => `grant execute on function ${call} to ${quoted(name)}`),
    ]);
    await client.query(
      [
        "begin",
        "select pg_advisory_xact_lock(hashtextextended('wheelhouse-grants', 0))",
        ...(await listOwned(client)).map((object) => `revoke ${object} from ${all}`),
        ...granted,
        "commit",
      ].join(";\n"),
    );
  });
  return roles;
}

/** Returns the columns of each table, as GRANTS names it. */
async function listColumns(client: Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; columns: string }>(
    `
    select case nspname when 'public' then '' else nspname || '.' end || relname as name,
      string_agg(quote_ident(attname), ', ') as columns
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_attribute on attrelid = pg_class.oid
    where nspname = any($1) and relkind = 'r' and attnum > 0 and not attisdropped
    group by 1`,
    [SCHEMAS],
  );
  return new Map(rows.map((row) => [row.name, row.columns]));
}

const byColumns = (rights: string, columns = ""): string =>
  rights.replace(/\bupdate\b(?! \()/, `update (${columns})`);

/** Returns what is revoked first: the rights to everything that the owner has, as REVOKE names them. */
async function listOwned(client: Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ object: string }>(
    `
    select 'create, temporary on database ' || quote_ident(datname) as object from pg_database
    where datname = current_database() and pg_has_role(datdba, 'member')
    union all
    select 'create on schema ' || nspname from pg_namespace
    where nspname = any($1) and pg_has_role(nspowner, 'member')
    union all
    select case relkind when 'S' then 'all on sequence ' else 'all on table ' end || oid::regclass from pg_class
    where relnamespace = any($1::regnamespace[]) and relkind in ('r', 'p', 'v', 'm', 'S')
      and pg_has_role(relowner, 'member')
    union all
    select 'all on routine ' || oid::regprocedure from pg_proc
    where pronamespace = any($1::regnamespace[]) and pg_has_role(proowner, 'member')`,
    [SCHEMAS],
  );
  return rows.map(({ object }) => object);
}
