import { existsSync, statSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve, dirname } from "node:path";
import type { Network } from "../domain/network.ts";
import type { PriorityFeePolicy } from "../solana/priority-fee.ts";
import { SECRET_LENGTH, type Environment, environment, type Role, ROLES } from "./environment.ts";
import { randomBytes, randomUUID } from "node:crypto";
import { makeFolder } from "./data-folder/make-folder.ts";

/** A setting is missing or wrong; the message is one line that starts with its name. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** How long a server behind a proxy waits until that has heard that it drains, in seconds. */
const DRAIN_SECONDS = 5;

type Env = Readonly<Record<string, string | undefined>>;

/** Settings of the process that holds the trading keys. */
export interface SignerConfig {
  readonly dataDir: string;
  readonly databaseUrl: string;
  readonly networks: readonly Network[];
  readonly rpcUrls: Readonly<Record<Exclude<Network, "practice">, readonly string[]>>;
  readonly tradingKeySecret: string;
  readonly retiredTradingKeySecrets: readonly string[];
}

/** Settings of a role's process, which never has the trading keys' secrets. Its parent has opened the database. */
export type ServerConfig = Omit<
  Config,
  "databaseUrl" | "databaseOwnerUrl" | "tradingKeySecret" | "retiredTradingKeySecrets"
> & { readonly databaseUrl: string };

export interface Config {
  readonly roles: readonly Role[];
  readonly port: number;
  readonly host: string;
  readonly publicUrl: string;
  readonly dataDir: string;
  /** Absent: start the embedded database in `dataDir`. */
  readonly databaseUrl: string | undefined;
  /** Absent: the role of `databaseUrl` owns the tables, or the database is the embedded one. */
  readonly databaseOwnerUrl: string | undefined;
  readonly networks: readonly Network[];
  readonly rpcUrls: Readonly<Record<Exclude<Network, "practice">, readonly string[]>>;
  readonly rpcRequestsPerSecond: number;
  readonly lookupTables: Readonly<Record<Exclude<Network, "practice">, string | undefined>>;
  readonly priorityFee: PriorityFeePolicy;
  readonly tradingKeySecret: string;
  readonly retiredTradingKeySecrets: readonly string[];
  readonly sessionSecret: string;
  readonly swapApiKey: string | undefined;
  readonly aiOrigins: readonly string[];
  readonly logLevel: Environment["LOG_LEVEL"];
  readonly trustedProxies: readonly string[];
  readonly drainSeconds: number;
  /** Absent: any sender with an agent's token. */
  readonly alertSenders: ReadonlySet<string> | undefined;
  readonly metricsToken: string | undefined;
  /** Private key that push services know this deployment by, in hex; kept in the data folder. */
  readonly pushSecret: string;
  /** Absent: no notices by e-mail. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | undefined;
}

/**
 * Returns the checked settings; throws `ConfigError` naming the first wrong one.
 *
 * When only the practice network is enabled, missing secrets are created and kept in the data folder; nothing is
 * created before all settings are valid.
 */
export function loadConfig(env: Env): Config {
  const given = parse(env);
  requireRealNetworkSettings(given, ["DELEGATE_SECRET", "SESSION_SECRET"]);
  const server = serverSettings(given);
  return { ...server, ...keySecrets(given, server.dataDir) };
}

/** Returns the checked settings without the trading keys' secrets, which are neither read nor needed. */
export function loadServerConfig(env: Env): ServerConfig {
  const given = parse(env);
  requireRealNetworkSettings(given, ["SESSION_SECRET"]);
  const { databaseOwnerUrl: _, ...settings } = serverSettings(given);
  return { ...settings, databaseUrl: openedUrl(given) };
}

export function loadSignerConfig(env: Env): SignerConfig {
  const given = parse(env);
  requireRealNetworkSettings(given, ["DELEGATE_SECRET"]);
  const dataDir = resolve(given.DATA_DIR);
  const databaseUrl = openedUrl(given);
  return { ...chainSettings(given), databaseUrl, dataDir, ...keySecrets(given, dataDir) };
}

/** Where the database is. */
export type DatabaseSettings = Pick<Config, "databaseUrl" | "databaseOwnerUrl" | "dataDir">;

/** Settings of the operator's commands. */
export type OperatorConfig = DatabaseSettings &
  Pick<
    Config,
    "networks" | "rpcUrls" | "rpcRequestsPerSecond" | "lookupTables" | "priorityFee" | "swapApiKey"
  > & {
    /** Returns the secrets of the trading keys; throws `ConfigError` when there are none. */
    readonly keySecrets: () => KeySecrets;
  };

type KeySecrets = Pick<Config, "tradingKeySecret" | "retiredTradingKeySecrets">;

/**
 * Returns the checked settings of the operator's commands, which may run under another account than the server: nothing
 * is created, since a secret of that account would be unreadable for the server.
 */
export function loadOperatorConfig(env: Env): OperatorConfig {
  const given = parse(env);
  const dataDir = resolve(given.DATA_DIR);
  return {
    dataDir,
    databaseOwnerUrl: given.DATABASE_OWNER_URL,
    ...chainSettings(given),
    ...clusterSettings(given),
    keySecrets: () => {
      requireRealNetworkSettings(given, ["DELEGATE_SECRET"]);
      const file = join(dataDir, "delegate.secret");
      if (given.DELEGATE_SECRET === undefined && !existsSync(file)) {
        throw new ConfigError(`DELEGATE_SECRET: not set, and there is no ${file} either.`);
      }
      return keySecrets(given, dataDir);
    },
  };
}

/** Returns the address of the database that the parent process opened. */
function openedUrl({ DATABASE_URL: url }: Environment): string {
  if (url === undefined) throw new ConfigError("DATABASE_URL: given by the main process.");
  return url;
}

const keySecrets = (given: Environment, dataDir: string): KeySecrets => ({
  retiredTradingKeySecrets: given.DELEGATE_SECRETS_RETIRED,
  tradingKeySecret: given.DELEGATE_SECRET ?? keptSecret(dataDir, "delegate.secret"),
});

const chainSettings = (given: Environment) => ({
  databaseUrl: given.DATABASE_URL,
  networks: [...new Set(given.NETWORKS)],
  rpcUrls: { devnet: given.RPC_URL_DEVNET, mainnet: given.RPC_URL_MAINNET },
});

const clusterSettings = (given: Environment) => ({
  rpcRequestsPerSecond: given.RPC_REQUESTS_PER_SECOND,
  lookupTables: { devnet: given.LOOKUP_TABLE_DEVNET, mainnet: given.LOOKUP_TABLE_MAINNET },
  priorityFee: {
    percentile: given.PRIORITY_FEE_PERCENTILE,
    capMicroLamports: BigInt(given.PRIORITY_FEE_CAP),
  },
  swapApiKey: given.JUPITER_API_KEY,
});

function serverSettings(
  given: Environment,
): Omit<Config, "tradingKeySecret" | "retiredTradingKeySecrets"> {
  const publicUrl =
    given.PUBLIC_URL?.replace(/\/$/, "") ?? `http://${bracketed(given.HOST)}:${given.PORT}`;
  requireEncryption(given, new URL(publicUrl));
  requireKnownSenders(given, new URL(publicUrl));
  const dataDir = resolve(given.DATA_DIR);
  requirePrivateFolder(dataDir);
  return {
    roles: ROLES.filter((role) => given.ROLES.includes(role)),
    port: given.PORT,
    host: given.HOST,
    publicUrl,
    dataDir,
    ...chainSettings(given),
    ...clusterSettings(given),
    databaseOwnerUrl: given.DATABASE_OWNER_URL,
    sessionSecret: given.SESSION_SECRET ?? keptSecret(dataDir, "session.secret"),
    aiOrigins: [...new Set(given.AI_ORIGINS.map((address) => new URL(address).origin))],
    logLevel: given.LOG_LEVEL,
    trustedProxies: given.TRUSTED_PROXIES,
    drainSeconds: given.DRAIN_SECONDS ?? (given.TRUSTED_PROXIES.length === 0 ? 0 : DRAIN_SECONDS),
    alertSenders: given.ALERT_SENDERS,
    metricsToken: given.METRICS_TOKEN,
    pushSecret: keptSecret(dataDir, "push.secret"),
    mail: mailSettings(given),
  };
}

function parse(env: Readonly<Record<string, string | undefined>>): Environment {
  // An empty variable counts as unset, because compose files and shells cannot express that otherwise
  const set = Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== "");
  const parsed = environment.safeParse(Object.fromEntries(set));
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0] ?? { path: [], message: "is wrong" };
  throw new ConfigError(`${String(path[0])}: ${message}.`);
}

function requireRealNetworkSettings(
  given: Environment,
  secrets: readonly ("DELEGATE_SECRET" | "SESSION_SECRET")[],
): void {
  const real = given.NETWORKS.filter((network) => network !== "practice");
  for (const network of real) {
    const name = network === "devnet" ? "RPC_URL_DEVNET" : "RPC_URL_MAINNET";
    if (given[name].length === 0)
      throw new ConfigError(`${name}: needed because NETWORKS has ${network}.`);
    for (const name of secrets) {
      if (given[name] === undefined) {
        throw new ConfigError(`${name}: needed because NETWORKS has ${network}.`);
      }
    }
  }
  if (given.DATABASE_URL === undefined && ROLES.some((role) => !given.ROLES.includes(role))) {
    throw new ConfigError("DATABASE_URL: needed because ROLES leaves the rest to another server.");
  }
  if (given.DATABASE_OWNER_URL !== undefined && given.DATABASE_URL === undefined) {
    throw new ConfigError("DATABASE_URL: needed because DATABASE_OWNER_URL is set.");
  }
  if (given.DELEGATE_SECRETS_RETIRED.includes(given.DELEGATE_SECRET ?? "")) {
    throw new ConfigError("DELEGATE_SECRETS_RETIRED: must not name DELEGATE_SECRET itself.");
  }
  if (given.DELEGATE_SECRET !== undefined && given.DELEGATE_SECRET === given.SESSION_SECRET) {
    throw new ConfigError("SESSION_SECRET: must differ from DELEGATE_SECRET.");
  }
}

function mailSettings({ SMTP_URL: smtpUrl, MAIL_FROM: from }: Environment): Config["mail"] {
  if (smtpUrl === undefined) return undefined;
  if (from === undefined) throw new ConfigError("MAIL_FROM: needed because SMTP_URL is set.");
  return { smtpUrl, from };
}

const LOOPBACK = /^(?:localhost|127\.[\d.]+|\[::1\])$/;

function requireEncryption(given: Environment, publicUrl: URL): void {
  const isSafe = publicUrl.protocol === "https:" || LOOPBACK.test(publicUrl.hostname);
  if (isSafe || given.ALLOW_PLAIN_HTTP === "yes") return;
  throw new ConfigError(
    `PUBLIC_URL: must be https, because ${publicUrl.origin} can be read by others on the way; ALLOW_PLAIN_HTTP=yes overrides this.`,
  );
}

/** This server speaks no TLS: behind https there is a proxy, and every alert comes from its address unless it is trusted. */
function requireKnownSenders(given: Environment, publicUrl: URL): void {
  if (given.ALERT_SENDERS === undefined || publicUrl.protocol !== "https:") return;
  if (given.TRUSTED_PROXIES.length > 0) return;
  throw new ConfigError(
    "TRUSTED_PROXIES: needed because ALERT_SENDERS is set, or every alert would come from the proxy's address.",
  );
}

const WRITABLE_BY_ALL = 0o002;

function requirePrivateFolder(dataDir: string): void {
  const mode = statSync(dataDir, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & WRITABLE_BY_ALL) === 0) return;
  throw new ConfigError(
    `DATA_DIR: every user of this machine may write to ${dataDir}; run chmod o-w on it.`,
  );
}

function keptSecret(dataDir: string, fileName: string): string {
  try {
    const kept = openSecret(join(dataDir, fileName));
    if (kept.length >= SECRET_LENGTH) return kept;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "not readable";
    throw new ConfigError(
      `DATA_DIR: cannot use ${dataDir} (${code}); it must be a folder this user may write to.`,
      { cause: error },
    );
  }
  throw new ConfigError(
    `DATA_DIR: ${join(dataDir, fileName)} is damaged; restore it from a backup.`,
  );
}

function bracketed(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Returns the secret of a file with mode 0600; a missing file is created with 32 random bytes as hex text. */
function openSecret(path: string): string {
  const kept = readIfThere(path);
  if (kept !== null) return kept;
  // Others may traverse the folder: under root the embedded database runs as another account
  makeFolder(dirname(path));
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx", flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    // Another server created the file first; its secret is used
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, "utf8").trim();
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
