import { setTimeout as sleep } from "node:timers/promises";
import { parseOrderId, SERVER_ID } from "../../domain/ids.ts";
import { isBuiltIn, type RealNetwork } from "../../domain/network.ts";
import { parseAddress } from "../../solana/encoding/address-codec.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { loadOperatorConfig, type OperatorConfig, type DatabaseSettings } from "../config.ts";
import { ConfigError } from "../environment.ts";
import { createCustodyKeys, type CustodyKeys } from "../custody/account/custody-keys.ts";
import { formatSol } from "../custody/account/custody-limits.ts";
import {
  findAgents,
  listKeys,
  revokeKeys,
  rotateKeys,
  sweepFeePayer,
} from "../custody/operate-keys.ts";
import { OperationError } from "../custody/land-transaction.ts";
import { ensureSharedTable } from "../custody/shared-table.ts";
import type { Db } from "../store/postgres/db.ts";
import { openDatabase } from "../store/postgres/pool.ts";
import { openDatabaseHost, unusableUrl } from "./open-database-host.ts";
import { RestoreRefusedError, loadTables } from "../store/backup/load-tables.ts";
import { NoBackupError } from "../store/backup/read-tables.ts";
import { LaunchError } from "../store/launch/account.ts";
import { NewerDatabaseError, migrateDatabase } from "../store/postgres/migrate.ts";
import { traceOrder } from "../trading/trace-order.ts";
import type { Address } from "@solana/kit";
import { readLook, saveLook } from "../store/health/outside-looks.ts";
import { lookAround, tellFindings } from "./doctor.ts";
import type { NetworkRuntime } from "../networks.ts";
import { getText, postJson } from "./http-client.ts";
import { sharedOf } from "./look-at-chain.ts";
import { openCluster } from "./open-networks.ts";
import { existsSync } from "node:fs";
import type { TradingState } from "../../domain/trading-state.ts";
import { createKillSwitch } from "../data-folder/kill-switch.ts";
import { openOperatorKey } from "../data-folder/operator-key.ts";
import {
  findRunningDatabase,
  hasDatabase,
  launchPostgres,
} from "../store/launch/launch-postgres.ts";
import { setTradingState } from "../store/operator/trading-state.ts";
import { randomBytes } from "node:crypto";
import { afterRestore } from "../restore/after-restore.ts";
import { checkBackup, readBackup, writeBackup } from "../restore/backup-file.ts";
import { readIdentity } from "../restore/database-identity.ts";
import { isDatabaseUnavailable, isServerError } from "../store/postgres/unavailable.ts";

type Say = (line: string) => void;

const KEEPS = ["--keep-sessions", "--keep-webhook-tokens"];

/** Writes a backup; works beside running servers, also on the embedded database, which is started when it is stopped. */
export async function backUp(
  config: DatabaseSettings,
  args: readonly string[],
  nowMs: number,
  say: Say,
): Promise<void> {
  const { path } = parse("backup", args, []);
  const write = async (url: string) => {
    const onProgress = (rows: number) => say(`${count(rows)} rows…`);
    const { rows, bytes } = await writeBackup(url, path, { nowMs, onProgress });
    say(`${path}: ${count(rows)} rows, ${count(bytes)} bytes, whole and on the disk.`);
    say(
      "No secret is in it: keep DELEGATE_SECRET_FILE and SESSION_SECRET, or DATA_DIR/*.secret, too.",
    );
  };
  return onPresentDatabase(config, write);
}

/** Runs work with the URL of the database that is there, also beside a server that runs on the embedded one. */
async function onPresentDatabase(
  config: DatabaseSettings,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const running = config.databaseUrl === undefined ? findRunningDatabase(config.dataDir) : null;
  if (running !== null) return work(running);
  requireDatabase(config);
  return onOwnDatabase(config, work);
}

/** Refuses a folder without a database: whoever named the wrong one would otherwise get a new, empty one. */
function requireDatabase({ databaseUrl, dataDir }: DatabaseSettings): void {
  if (databaseUrl !== undefined || hasDatabase(dataDir)) return;
  throw new OperationError(`DATA_DIR: there is no database in ${dataDir}.`);
}

/**
 * Replaces the database by a backup, without a server: sessions end and webhook tokens are replaced as `after-restore`
 * does, agents wait for the chain, and trading is halted until the operator resumes it.
 */
async function restore(
  config: DatabaseSettings,
  args: readonly string[],
  nowMs: number,
  say: Say,
): Promise<void> {
  const { path, flags } = parse("restore", args, ["--replace", ...KEEPS]);
  await checkBackup(path);
  await onOwnDatabase(config, async (url) => {
    const replaces = flags.includes("--replace");
    // The present tables, if only to see whether anything is in them; a newer version's are replaced as well
    await migrateDatabase(url).catch((error: unknown) => {
      if (!(replaces && error instanceof NewerDatabaseError)) throw error;
    });
    const parts = readBackup(path, (rows) => say(`${count(rows)} rows…`));
    await loadTables(url, parts, { replaces });
  });
  await goOn(config, flags, nowMs, say);
}

/** Goes on with a database that was restored or copied by other means. */
async function goOnAfterRestore(
  config: DatabaseSettings,
  flags: readonly string[],
  nowMs: number,
  say: Say,
): Promise<void> {
  refuseUnknown("after-restore", flags, KEEPS);
  requireDatabase(config);
  await goOn(config, flags, nowMs, say);
}

/** Halts, because agents that owners turned off and limits they tightened since the copy are as they were. */
async function goOn(
  config: DatabaseSettings,
  flags: readonly string[],
  nowMs: number,
  say: Say,
): Promise<void> {
  await onHost(config, async (db) => {
    await setTradingState(db, "halted", nowMs);
    const { sessions, webhookTokens } = await afterRestore(db, {
      identity: await readIdentity(db, config),
      random: randomBytes,
      now: nowMs,
      keepsSessions: flags.includes("--keep-sessions"),
      keepsWebhookTokens: flags.includes("--keep-webhook-tokens"),
    });
    say(`${sessions} sessions ended, ${webhookTokens} webhook tokens replaced.`);
    say(
      "Trading is halted. Agents that owners turned off since the copy was made are on again: start the server, look at what it found, tell the owners, then: operate resume",
    );
  });
}

async function onUrl(url: string, work: (db: Db) => Promise<void>): Promise<void> {
  const { db, close } = openDatabase({ url, maxConnections: 3 });
  await work(db).finally(close);
}

/** Runs work on the database as a server would open it; the embedded one is started for the moment. */
async function onHost(config: DatabaseSettings, work: (db: Db) => Promise<void>): Promise<void> {
  const host = await openDatabaseHost(config);
  await onUrl(host.ownerUrl, work).finally(host.close);
}

/** Runs work with the owner's URL; an embedded database is held for it, which fails while a server has it. */
async function onOwnDatabase(
  { databaseUrl, databaseOwnerUrl, dataDir }: DatabaseSettings,
  work: (url: string) => Promise<void>,
): Promise<void> {
  if (databaseUrl !== undefined) {
    return work(databaseOwnerUrl ?? databaseUrl).catch((error: unknown) => {
      throw isOfDatabase(error) ? unusableUrl(error, databaseOwnerUrl) : error;
    });
  }
  const embedded = await launchPostgres({ dataDir });
  try {
    await work(embedded.url);
  } finally {
    await embedded.stop();
  }
}

const isOfDatabase = (error: unknown): boolean =>
  isServerError(error) || isDatabaseUnavailable(error);

function parse(command: string, args: readonly string[], known: readonly string[]) {
  const flags = args.filter((arg) => arg.startsWith("--"));
  refuseUnknown(command, flags, known);
  const [path, ...more] = args.filter((arg) => !arg.startsWith("--"));
  if (path === undefined || more.length > 0) {
    throw new OperationError(`${command}: name one file.`);
  }
  return { path, flags };
}

function refuseUnknown(command: string, flags: readonly string[], known: readonly string[]): void {
  const unknown = flags.find((flag) => !known.includes(flag));
  if (unknown !== undefined) throw new OperationError(`${command}: ${unknown} is not known.`);
}

const count = (figure: number): string => figure.toLocaleString("en-US");

/** Command of `operate` and the state it sets. */
const SWITCH_COMMANDS: Readonly<Record<string, TradingState>> = {
  halt: "halted",
  reduce: "reducing",
  resume: "active",
};

const DONE: Readonly<Record<TradingState, string>> = {
  halted: "Halted in the database: within two seconds no server sends an order.",
  reducing: "Reduced in the database: within two seconds every server only closes.",
  active: "Resumed in the database.",
};

const UNSIGNED =
  "Not signed: operator.key is not in DATA_DIR or cannot be read. A signer that has operator.pub lifts nothing without it.";

const FILE_SAYS: Readonly<Record<TradingState, string>> = {
  halted: "The file HALT halts",
  reducing: "The file REDUCE, or that the folder cannot be read, reduces",
  active: "No file stops trading on",
};

/**
 * Sets the trading state of all servers of the database and prints the state of the data folder's switch files; the
 * stricter one applies.
 *
 * Works beside a running server, also on its embedded database, which it neither starts nor migrates.
 */
export async function switchTrading(
  config: DatabaseSettings,
  state: TradingState,
  atMs: number,
  say: (line: string) => void,
): Promise<void> {
  // A server that only trades names web's role without its password
  const configured = config.databaseOwnerUrl ?? config.processUrls?.trading ?? config.databaseUrl;
  const url = configured ?? findRunningDatabase(config.dataDir);
  if (url === null) requireDatabase(config);
  const sign = openOperatorKey(config.dataDir);
  const set = (db: Db) => setTradingState(db, state, atMs, sign);
  try {
    await (url === null ? onHost(config, set) : onUrl(url, set));
  } catch (error) {
    const told = isServerError(error)
      ? unusableUrl(error, config.databaseOwnerUrl).message
      : `The database does not answer (${(error as Error).message.split("\n", 1)[0] ?? ""}).`;
    throw new OperationError(
      `${told} A file HALT or REDUCE in each server's DATA_DIR works without it.`,
      { cause: error },
    );
  }
  say(DONE[state]);
  if (sign === null && state !== "halted") say(UNSIGNED);
  // Reading the switch of a folder that is not there would make it, for another account than the server's
  const file = existsSync(config.dataDir) ? createKillSwitch(config.dataDir, say)() : "active";
  say(`${FILE_SAYS[file]} the servers that use ${config.dataDir}.`);
}

const USAGE = `node dist/server/operate.js <command>

  halt | reduce | resume                stop all orders, only close, or trade again, on every server
  lookup-table <network>                create or extend the shared lookup table
  keys                                  list the agents' trading keys
  rotate-keys <agent id>... | --all     give agents new trading keys
  revoke-keys <agent id>... | --all     sign nothing more for these agents
  doctor                                look once at everything outside, and say what mends it
  trace <order id>                      print an order's whole life
  backup <file>                         write everything in the database to a file
  restore <file> [--replace] [--keep-sessions] [--keep-webhook-tokens]
                                        replace the database by a backup
  after-restore [--keep-sessions] [--keep-webhook-tokens]
                                        go on with a database that was restored otherwise
`;

const clock = { now: () => Date.now() };
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const wait = (ms: number): Promise<unknown> => sleep(ms);

function keysOf(config: OperatorConfig): CustodyKeys {
  const { tradingKeySecret, retiredTradingKeySecrets } = config.keySecrets();
  return createCustodyKeys(
    Buffer.from(tradingKeySecret),
    retiredTradingKeySecrets.map((secret) => Buffer.from(secret)),
  );
}

function requireReal(config: OperatorConfig, name: string | undefined): RealNetwork {
  const network = config.networks.find((each) => each === name);
  if (network !== undefined && isBuiltIn(network)) {
    throw new OperationError("A built-in chain has its lookup table from the start.");
  }
  if (network === undefined) {
    throw new OperationError(`lookup-table: name one of NETWORKS (${config.networks.join(", ")}).`);
  }
  return network;
}

async function keepTable(config: OperatorConfig, name: string | undefined): Promise<void> {
  const network = requireReal(config, name);
  const cluster = await openCluster(network, { config, clock });
  const { feePayer } = keysOf(config);
  const present = config.lookupTables[network];
  const setting = `LOOKUP_TABLE_${network.toUpperCase()}`;
  const { table, isNew, added } = await ensureSharedTable(
    { chain: cluster.chain, sleep: wait, priorityFee: config.priorityFee },
    feePayer,
    present === undefined ? undefined : parseAddress(present),
    await sharedOf(cluster, (venue, { message }) => say(`${venue} is left out: ${message}.`)),
    (created) => say(`Created ${created}. Set ${setting}=${created}, also if what follows fails.`),
  );
  say(`${added.length} addresses added to ${table}.`);
  if (isNew) say(`Set ${setting}=${table} and start the server again.`);
}

/** A database of one's own is neither migrated nor are its roles changed: the signer's role may list its keys. */
async function withStore(config: OperatorConfig, work: (deps: { db: Db }) => Promise<void>) {
  const onStore = (db: Db) => work({ db });
  if (config.databaseUrl !== undefined) {
    return onOwnDatabase(config, (url) => onUrl(url, onStore));
  }
  requireDatabase(config);
  await onHost(config, onStore);
}

const named = (ids: readonly string[]): readonly string[] | "all" => {
  if (ids.length === 1 && ids[0] === "--all") return "all";
  if (ids.length === 0) throw new OperationError("Name agents, or say --all.");
  return ids;
};

async function rotate(config: OperatorConfig, ids: readonly string[]): Promise<void> {
  const keys = keysOf(config);
  await withStore(config, async ({ db }) => {
    const deps = { db, keys, clock };
    const count = await rotateKeys(deps, await findAgents(deps, named(ids)));
    say(`${count} agents have new trading keys. Their owners have to approve them.`);
  });
  for (const network of config.networks) {
    if (isBuiltIn(network) || keys.formerFeePayers.length === 0) continue;
    const { chain } = await openCluster(network, { config, clock });
    for (const former of keys.formerFeePayers) {
      const deps = { chain, sleep: wait, priorityFee: config.priorityFee };
      const lamports = await sweepFeePayer(deps, former, keys.feePayer.address);
      say(`${formatSol(lamports)} came from ${former.address} to ${keys.feePayer.address}.`);
    }
  }
}

async function trace(config: OperatorConfig, asked: string | undefined): Promise<void> {
  if (asked === undefined) throw new OperationError("trace: name an order.");
  await withStore(config, async ({ db }) => {
    const lines = SERVER_ID.test(asked) ? await traceOrder(db, parseOrderId(asked)) : null;
    if (lines === null) throw new OperationError(`${asked} is no order in this database.`);
    for (const line of lines) say(line);
  });
}

/** Looks at everything outside, prints what works and what mends the rest, and stores it for servers and owners. */
async function examine(config: OperatorConfig): Promise<void> {
  const networks: NetworkRuntime[] = [];
  for (const network of config.networks.filter((each) => !isBuiltIn(each))) {
    // What is wrong with one that does not open is said of its nodes
    const opened = await openCluster(network, { config, clock }).catch(() => null);
    if (opened !== null) networks.push(opened);
  }
  const look = async (db: Db | string | null) => {
    const stored = typeof db === "string" ? null : db;
    const found = stored && (await readLook(stored).catch(() => null));
    const findings = await lookAround({
      config,
      db,
      clock,
      networks: new Map(networks.map((each) => [each.network, each])),
      last: found?.findings ?? [],
      isRead: true,
      feePayer: feePayerOf(config),
      get: getText,
      post: postJson,
    });
    const { lines, isWell } = tellFindings(findings, clock.now());
    for (const line of lines) say(line);
    if (!isWell) process.exitCode = 1;
    await (stored && saveLook(stored, findings))?.catch(() =>
      say("Servers are not told: the database did not store it."),
    );
  };
  if (config.databaseUrl === undefined && !hasDatabase(config.dataDir)) return look(null);
  return onPresentDatabase(config, (url) => onUrl(url, look)).catch((error: unknown) => {
    if (error instanceof LaunchError) return look(error.message);
    throw error;
  });
}

/** The file of the keys may belong to the signer alone. */
function feePayerOf(config: OperatorConfig): Address | null {
  try {
    return keysOf(config).feePayer.address;
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

async function run([command, ...rest]: readonly string[]): Promise<void> {
  const config = loadOperatorConfig(process.env);
  const state = SWITCH_COMMANDS[command ?? ""];
  if (state !== undefined) return switchTrading(config, state, clock.now(), say);
  switch (command) {
    case "lookup-table":
      return keepTable(config, rest[0]);
    case "keys":
      return withStore(config, async ({ db }) => {
        for (const key of await listKeys({ db, keys: keysOf(config), clock })) {
          say(`${key.agentId}  ${key.state.padEnd(9)}  ${key.tradingKey}  owner ${key.owner}`);
        }
      });
    case "rotate-keys":
      return rotate(config, rest);
    case "revoke-keys":
      return withStore(config, async ({ db }) => {
        const agents = await findAgents({ db }, named(rest));
        const count = await revokeKeys({ db, clock }, agents);
        say(`${count} keys withdrawn. Their owners were told to revoke them on chain.`);
      });
    case "doctor":
      return examine(config);
    case "trace":
      return trace(config, rest[0]);
    case "after-restore":
      return goOnAfterRestore(config, rest, clock.now(), say);
    case "backup":
      return backUp(config, rest, clock.now(), say);
    case "restore":
      return restore(config, rest, clock.now(), say);
    default:
      throw new OperationError(USAGE);
  }
}

function sentenceOf(error: unknown): string {
  const isForUser =
    error instanceof OperationError ||
    error instanceof RestoreRefusedError ||
    error instanceof NoBackupError ||
    error instanceof ConfigError ||
    error instanceof LaunchError ||
    error instanceof NewerDatabaseError ||
    error instanceof ChainUnavailableError;
  return isForUser ? error.message : String((error as Error).stack ?? error);
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${sentenceOf(error)}\n`);
  process.exitCode = 1;
});
