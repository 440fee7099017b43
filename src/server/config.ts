import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { isBuiltIn, type Network, type RealNetwork } from "../domain/network.ts";
import type { PriorityFeePolicy } from "../solana/compute-limit.ts";
import {
  ConfigError,
  DATABASE_SCHEME,
  SECRET_LENGTH,
  signersOwn,
  type Environment,
  environment,
  type Role,
  ROLES,
} from "./environment.ts";
import { createHash, createHmac } from "node:crypto";
import { hasSecretForm } from "./crypto/secret-strength.ts";
import {
  type ConfiguredSource,
  PRICE_DIALECTS,
  PRICE_SOURCE_NAMES,
} from "../venues/price-dialects.ts";
import { deriveNoticeKeys, type NoticeKeys } from "./notices/encrypt-target.ts";
import type { ProcessUrls } from "./store/postgres/process-roles.ts";
import {
  keptSecret,
  lookAtSecretFile,
  readSecretFile,
  type SecretFile,
  unusableFile,
} from "./secret-file.ts";

/** How long a server behind a proxy waits until that has heard that it drains, in seconds. */
const DRAIN_SECONDS = 5;

type Env = Readonly<Record<string, string | undefined>>;

/** Settings of the process that holds the trading keys. */
export interface SignerConfig {
  readonly dataDir: string;
  readonly publicUrl: string;
  readonly databaseUrl: string;
  readonly networks: readonly Network[];
  readonly rpcUrls: Readonly<Record<RealNetwork, readonly string[]>>;
  readonly rpcRequestsPerSecond: number;
  readonly priceSources: readonly ConfiguredSource[];
  readonly tradingKeySecret: string;
  readonly retiredTradingKeySecrets: readonly string[];
}

/** Settings of a role's process, which never has the trading keys' secrets. Its parent has opened the database. */
export type ServerConfig = Omit<
  Config,
  "databaseUrl" | "databaseOwnerUrl" | "processUrls" | "noticeKeys"
> & { readonly databaseUrl: string };

/** A signer that runs by itself. */
export interface LoneSigner {
  /** Folder of its sockets. */
  readonly folder: string;
  /** The words of its callers; a server of one role may have its own alone. */
  readonly words: Readonly<Partial<Record<Role, string>>>;
}

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
  /** Absent: the processes share the role of `databaseUrl`, or the database is the embedded one. */
  readonly processUrls?: Pick<ProcessUrls, "trading" | "signer"> | undefined;
  readonly networks: readonly Network[];
  /** Sources of the prices that paper and the swap venue go by. */
  readonly priceSources: readonly ConfiguredSource[];
  readonly rpcUrls: Readonly<Record<RealNetwork, readonly string[]>>;
  readonly rpcRequestsPerSecond: number;
  readonly lookupTables: Readonly<Record<RealNetwork, string | undefined>>;
  readonly priorityFee: PriorityFeePolicy;
  /** Not made from the secret of sessions where a file has them: a server that only trades then needs no such secret. */
  readonly noticeKeys: NoticeKeys;
  readonly swapApiKey: string | undefined;
  readonly aiOrigins: readonly string[];
  readonly logLevel: Environment["LOG_LEVEL"];
  readonly trustedProxies: readonly string[];
  readonly drainSeconds: number;
  /** Absent: any sender with an agent's token. */
  readonly alertSenders: ReadonlySet<string> | undefined;
  readonly metricsToken: string | undefined;
  /** Absent: no notices by e-mail. */
  readonly mail: { readonly smtpUrl: string; readonly from: string } | undefined;
}

/**
 * Returns the checked settings; throws `ConfigError` naming the first wrong one.
 *
 * When only built-in networks are enabled, missing secrets are created and kept in the data folder; nothing is
 * created before all settings are valid. The file of the trading keys' secrets is looked at and never opened.
 */
export function loadConfig(env: Env): Config & { readonly loneSigner: LoneSigner | undefined } {
  const given = parse(env);
  refuseKeysInEnvironment(env);
  const isLone = given.SIGNER_SOCKETS !== undefined;
  const keys = isLone ? [] : (["DELEGATE_SECRET_FILE"] as const);
  const asksForSessions = given.ROLES.includes("web") || given.NOTICE_KEYS_FILE === undefined;
  const sessions = asksForSessions ? (["SESSION_SECRET"] as const) : [];
  requireRealNetworkSettings(given, [...keys, ...sessions]);
  const signers = isLone ? signersOwn(given) : null;
  if (signers !== null) throw new ConfigError(signers);
  const loneSigner = loneSignerOf(given);
  if (given.DELEGATE_SECRET_FILE !== undefined) lookAtSecretFile(keyFileOf(given));
  requirePrivateFolder(resolve(given.DATA_DIR));
  const settings = serverSettings(given);
  const sessionSecret = asksForSessions ? loadSessionSecret(env, given) : "";
  return { ...settings, noticeKeys: noticeKeysOf(given, sessionSecret), loneSigner };
}

/** Returns the keys of notices, which servers share: those of a file, else made from the secret of sessions. */
function noticeKeysOf(given: Environment, sessionSecret: string): NoticeKeys {
  if (given.NOTICE_KEYS_FILE === undefined) {
    const push = Buffer.from(keptSecret(resolve(given.DATA_DIR), PUSH_FILE), "hex");
    return { ...deriveNoticeKeys(Buffer.from(sessionSecret)), push };
  }
  const file = { setting: "NOTICE_KEYS_FILE", path: resolve(given.NOTICE_KEYS_FILE) } as const;
  const lines = readSecretFile(file);
  const [targets, codes, push] = lines.map((line) => Buffer.from(line, "hex"));
  const areKeys = lines.length === 3 && lines.every((line) => /^[0-9a-f]{64}$/.test(line));
  if (areKeys && targets && codes && push) return { targets, codes, push };
  throw unusableFile(file, "must have three lines, each made with: openssl rand -hex 32");
}

/** Returns the secret of sessions, which of the roles' processes only that of pages has. */
export const loadSessionSecret = (env: Env, { SESSION_SECRET, DATA_DIR } = parse(env)): string =>
  SESSION_SECRET ?? keptSecret(resolve(DATA_DIR), SESSION_FILE);

/** Returns the checked settings without the secrets of trading keys and of sessions, which are not read. */
export function loadServerConfig(env: Env): ServerConfig {
  const given = parse(env);
  requireRealNetworkSettings(given, []);
  const { databaseOwnerUrl: _, processUrls: __, ...settings } = serverSettings(given);
  return { ...settings, databaseUrl: openedUrl(given) };
}

/** Name of the variable with the digest of a server's SESSION_SECRET, which the signer's own secret must differ from. */
const SESSION_DIGEST = "SESSION_SECRET_DIGEST";

/** Returns what the signer's process is told of the secret that it does not get. */
export const sessionDigest = (env: Env): Env => ({
  [SESSION_DIGEST]: digestOf(env["SESSION_SECRET"]?.trim() ?? ""),
});

const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

export function loadSignerConfig(env: Env): SignerConfig {
  const given = parse(env);
  requireRealNetworkSettings(given, ["DELEGATE_SECRET_FILE"]);
  const dataDir = resolve(given.DATA_DIR);
  const databaseUrl = openedUrl(given);
  if (given.DELEGATE_SECRET_FILE === undefined) keptSecret(dataDir, PRACTICE_KEY_FILE);
  const secrets = readKeyFile(keyFileOf(given));
  if (digestOf(secrets.tradingKeySecret) === env[SESSION_DIGEST]) {
    throw new ConfigError("SESSION_SECRET: must differ from the secret in DELEGATE_SECRET_FILE.");
  }
  return {
    ...chainSettings(given),
    publicUrl: publicUrlOf(given),
    databaseUrl,
    dataDir,
    ...secrets,
  };
}

/** Returns where a signer started by itself listens; throws `ConfigError` without a setting that a parent gives. */
export function loadLoneSigner(env: Env): LoneSigner & { readonly databaseUrl: string } {
  const given = parse(env);
  refuseKeysInEnvironment(env);
  requireWhole(given);
  const { DATABASE_URL: databaseUrl } = given;
  const signer = loneSignerOf(given);
  if (signer === undefined || databaseUrl === undefined) {
    throw new ConfigError("SIGNER_SOCKETS: needed by a signer on its own.");
  }
  if (given.PUBLIC_URL === undefined) {
    throw new ConfigError("PUBLIC_URL: needed by a signer on its own; owners' texts name it.");
  }
  return { ...signer, databaseUrl };
}

function loneSignerOf(given: Environment): LoneSigner | undefined {
  const { SIGNER_SOCKETS: folder, SIGNER_WORD_FILE: path } = given;
  if (folder === undefined || path === undefined) return undefined;
  const file = { setting: "SIGNER_WORD_FILE", path: resolve(path) } as const;
  const words = wordsOf(readSecretFile(file));
  if (words !== null) return { folder: resolve(folder), words };
  throw unusableFile(
    file,
    "must have one random secret; make one with: openssl rand -hex 32 (or callers' words, as in docs/signer.md)",
  );
}

/** Returns the words that a file has for callers, or that the one secret of all gives each; null when it has neither. */
function wordsOf(lines: readonly string[]): LoneSigner["words"] | null {
  const [secret = "", ...more] = lines;
  if (more.length === 0 && hasSecretForm(secret)) {
    const wordOf = (role: Role) => createHmac("sha256", secret).update(role).digest("hex");
    return Object.fromEntries(ROLES.map((role) => [role, wordOf(role)]));
  }
  const own = lines.map((line) => line.split(/\s+/));
  const isWord = ([role, word = "", ...rest]: readonly string[]) =>
    ROLES.some((each) => each === role) && hasSecretForm(word) && rest.length === 0;
  const areEachOnce = new Set(own.flat()).size === own.length * 2;
  return own.length > 0 && own.every(isWord) && areEachOnce ? Object.fromEntries(own) : null;
}

/** Where the database is. */
export type DatabaseSettings = Pick<
  Config,
  "databaseUrl" | "databaseOwnerUrl" | "processUrls" | "dataDir"
>;

/** Settings of the operator's commands. */
export type OperatorConfig = DatabaseSettings &
  Pick<
    Config,
    | "networks"
    | "priceSources"
    | "rpcUrls"
    | "rpcRequestsPerSecond"
    | "lookupTables"
    | "priorityFee"
    | "swapApiKey"
    | "mail"
  > & {
    /** Returns the secrets of the trading keys; throws `ConfigError` when there are none. */
    readonly keySecrets: () => KeySecrets;
  };

type KeySecrets = Pick<SignerConfig, "tradingKeySecret" | "retiredTradingKeySecrets">;

/**
 * Returns the checked settings of the operator's commands, which may run under another account than the server: nothing
 * is created, since a secret of that account would be unreadable for the server.
 */
export function loadOperatorConfig(env: Env): OperatorConfig {
  const given = parse(env);
  const dataDir = resolve(given.DATA_DIR);
  return {
    dataDir,
    ...databaseSettings(given),
    ...chainSettings(given),
    ...clusterSettings(given),
    mail: mailSettings(given),
    keySecrets: () => {
      refuseKeysInEnvironment(env);
      requireRealNetworkSettings(given, ["DELEGATE_SECRET_FILE"]);
      return readKeyFile(keyFileOf(given));
    },
  };
}

/** Returns the address of the database that the parent process opened. */
function openedUrl({ DATABASE_URL: url }: Environment): string {
  if (url === undefined) throw new ConfigError("DATABASE_URL: given by the main process.");
  return url;
}

/** File of the trading keys' secrets in the data folder, where none is named. */
const PRACTICE_KEY_FILE = "delegate.secret";

const keyFileOf = (given: Environment): SecretFile =>
  given.DELEGATE_SECRET_FILE === undefined
    ? { setting: "DATA_DIR", path: join(resolve(given.DATA_DIR), PRACTICE_KEY_FILE) }
    : { setting: "DELEGATE_SECRET_FILE", path: resolve(given.DELEGATE_SECRET_FILE) };

/** Returns the secrets of a file: the first line's makes keys, the other lines' made keys once, the newest first. */
function readKeyFile(file: SecretFile): KeySecrets {
  const [secret = "", ...retired] = readSecretFile(file);
  if (!hasSecretForm(secret) || retired.some((line) => line.length < SECRET_LENGTH)) {
    throw unusableFile(
      file,
      "must have one random secret a line, at least 32 digits of hex; make one with: openssl rand -hex 32",
    );
  }
  if (retired.includes(secret)) throw unusableFile(file, "repeats its first line");
  return { tradingKeySecret: secret, retiredTradingKeySecrets: retired };
}

/** Settings of earlier versions, and where what they said goes in the file. */
const FORMER = {
  DELEGATE_SECRET: "the first line",
  DELEGATE_SECRETS_RETIRED: "one further line each",
} as const;

/** An environment cannot be taken back: the processes of this account can read each other's as long as they run. */
function refuseKeysInEnvironment(env: Env): void {
  for (const [name, place] of Object.entries(FORMER)) {
    if ((env[name] ?? "").trim() === "") continue;
    throw new ConfigError(
      `${name}: unset it and keep it as ${place} of a file, named in DELEGATE_SECRET_FILE; to write it: (umask 077; echo "$${name}" | tr , '\\n' >> FILE).`,
    );
  }
}

/** Returns the address of the database for its owner, read once where it is in a file. */
function ownerUrlOf({ DATABASE_OWNER_URL: given, DATABASE_OWNER_FILE: path }: Environment) {
  if (path === undefined) return given;
  if (given !== undefined) {
    throw new ConfigError(
      "DATABASE_OWNER_URL: unset it, because DATABASE_OWNER_FILE names a file.",
    );
  }
  const file = { setting: "DATABASE_OWNER_FILE", path: resolve(path) } as const;
  const [url = "", ...more] = readSecretFile(file);
  if (DATABASE_SCHEME.test(url) && more.length === 0) return url;
  throw unusableFile(file, "must have one line, which starts with postgres:// or postgresql://");
}

const databaseSettings = (given: Environment) => ({
  databaseUrl: given.DATABASE_URL,
  databaseOwnerUrl: ownerUrlOf(given),
  processUrls:
    given.DATABASE_TRADING_URL === undefined || given.DATABASE_SIGNER_URL === undefined
      ? undefined
      : { trading: given.DATABASE_TRADING_URL, signer: given.DATABASE_SIGNER_URL },
});

/** Returns the sources of prices with their keys; those named, otherwise those that want none and those whose key is set. */
const priceSourcesOf = (given: Environment): readonly ConfiguredSource[] =>
  (given.PRICE_SOURCES ?? PRICE_SOURCE_NAMES.map((name) => ({ name }))).flatMap((source) => {
    const setting = PRICE_DIALECTS[source.name].key;
    const key = setting && given[setting];
    if (key !== undefined) return { ...source, key };
    return setting === undefined || given.PRICE_SOURCES !== undefined ? source : [];
  });

const chainSettings = (given: Environment) => ({
  networks: [...new Set(given.NETWORKS)],
  priceSources: priceSourcesOf(given),
  rpcUrls: { devnet: given.RPC_URL_DEVNET, mainnet: given.RPC_URL_MAINNET },
  rpcRequestsPerSecond: given.RPC_REQUESTS_PER_SECOND,
});

const clusterSettings = (given: Environment) => ({
  lookupTables: { devnet: given.LOOKUP_TABLE_DEVNET, mainnet: given.LOOKUP_TABLE_MAINNET },
  priorityFee: {
    percentile: given.PRIORITY_FEE_PERCENTILE,
    capMicroLamports: BigInt(given.PRIORITY_FEE_CAP),
  },
  swapApiKey: given.JUPITER_API_KEY,
});

const SESSION_FILE = "session.secret";
const PUSH_FILE = "push.secret";

/** Files in the data folder that the process of the role `web` reads. */
export const WEB_FILES = [SESSION_FILE];

const publicUrlOf = (given: Environment): string =>
  given.PUBLIC_URL?.replace(/\/$/, "") ?? `http://${bracketed(given.HOST)}:${given.PORT}`;

function serverSettings(given: Environment): Omit<Config, "noticeKeys"> {
  const publicUrl = publicUrlOf(given);
  requireEncryption(given, new URL(publicUrl));
  requireKnownSenders(given, new URL(publicUrl));
  const dataDir = resolve(given.DATA_DIR);
  return {
    roles: ROLES.filter((role) => given.ROLES.includes(role)),
    port: given.PORT,
    host: given.HOST,
    publicUrl,
    dataDir,
    ...databaseSettings(given),
    ...chainSettings(given),
    ...clusterSettings(given),
    aiOrigins: [...new Set(given.AI_ORIGINS.map((address) => new URL(address).origin))],
    logLevel: given.LOG_LEVEL,
    trustedProxies: given.TRUSTED_PROXIES,
    drainSeconds: given.DRAIN_SECONDS ?? (given.TRUSTED_PROXIES.length === 0 ? 0 : DRAIN_SECONDS),
    alertSenders: given.ALERT_SENDERS,
    metricsToken: given.METRICS_TOKEN,
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
  needed: readonly ("DELEGATE_SECRET_FILE" | "SESSION_SECRET")[],
): void {
  const real = given.NETWORKS.filter((network) => !isBuiltIn(network));
  for (const network of real) {
    const name = network === "devnet" ? "RPC_URL_DEVNET" : "RPC_URL_MAINNET";
    if (given[name].length === 0)
      throw new ConfigError(`${name}: needed because NETWORKS has ${network}.`);
    for (const name of needed) {
      if (given[name] === undefined) {
        throw new ConfigError(`${name}: needed because NETWORKS has ${network}.`);
      }
    }
  }
  if (given.DATABASE_URL === undefined && ROLES.some((role) => !given.ROLES.includes(role))) {
    throw new ConfigError("DATABASE_URL: needed because ROLES leaves the rest to another server.");
  }
  requireWhole(given);
}

/** Refuses a part of the settings that only work together. */
function requireWhole(given: Environment): void {
  for (const [name, needed] of TOGETHER) {
    const isGiven = needed === "DATABASE_OWNER_URL" && given.DATABASE_OWNER_FILE !== undefined;
    if (given[name] === undefined || given[needed] !== undefined || isGiven) continue;
    throw new ConfigError(`${needed}: needed because ${name} is set.`);
  }
}

/** Settings that need another. */
const TOGETHER = [
  ["SIGNER_WORD_FILE", "SIGNER_SOCKETS"],
  ["SIGNER_SOCKETS", "SIGNER_WORD_FILE"],
  ["SIGNER_SOCKETS", "DATABASE_URL"],
  ["DATABASE_OWNER_URL", "DATABASE_URL"],
  ["DATABASE_OWNER_FILE", "DATABASE_URL"],
  ["DATABASE_TRADING_URL", "DATABASE_SIGNER_URL"],
  ["DATABASE_SIGNER_URL", "DATABASE_TRADING_URL"],
  ["DATABASE_SIGNER_URL", "DATABASE_OWNER_URL"],
] as const;

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

const bracketed = (host: string): string => (host.includes(":") ? `[${host}]` : host);
