import * as z from "zod/mini";
import { BUILT_IN_NETWORKS, NETWORKS } from "../domain/network.ts";
import { MAX_UNIT_PRICE_MICRO_LAMPORTS } from "../solana/compute-limit.ts";
import { readAlertSenders } from "./alert-sources/alert-senders.ts";
import { PRICE_DIALECTS, PRICE_SOURCE_NAMES } from "../venues/price-dialects.ts";
import { hasSecretForm } from "./crypto/secret-strength.ts";

/** A setting is missing or wrong; the message is one line that starts with its name. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Role of a process: `web` answers pages and webhooks, `trading` evaluates conditions and trades. */
export const ROLES = ["web", "trading"] as const;
export type Role = (typeof ROLES)[number];

/** Minimum length of a kept or replaced secret in characters. */
export const SECRET_LENGTH = 32;

/** Splits a comma-separated setting. */
const list = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Origins of the providers in the page's menu, `client/lib/ai/ai-settings.ts`. */
const OFFERED_AI_ORIGINS =
  "https://api.openai.com,https://api.anthropic.com,https://generativelanguage.googleapis.com,http://localhost:11434,http://localhost:1234";

/** Comma-separated roles; all of them when absent. */
const roleList = z.pipe(
  z.pipe(z._default(z.string(), ROLES.join(",")), z.transform(list)),
  z
    .array(
      z.enum(ROLES, {
        error: ({ input }) =>
          input === "people"
            ? "people is called web now; write web instead"
            : `must be a comma-separated list of ${ROLES.join(", ")}`,
      }),
    )
    .check(z.minLength(1, "must name at least one role")),
);

/** A secret in hex. */
const secret = z.optional(
  z
    .string()
    .check(
      z.refine(
        hasSecretForm,
        "must be random, at least 32 digits of hex; make one with: openssl rand -hex 32",
      ),
    ),
);

/** An address in base58. */
const lookupTable = z.optional(
  z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, "must be an address in base58")),
);

const between = (least: number, most: number) =>
  z
    .int("must be a whole number")
    .check(
      z.gte(least, `must be from ${least} to ${most}`),
      z.lte(most, `must be from ${least} to ${most}`),
    );

/** An integer setting between two inclusive bounds. */
const wholeNumber = (name: string, least: number, most: number) =>
  z.pipe(z.pipe(z._default(z.string(), name), z.transform(Number)), between(least, most));

/** The same without a default. */
const optionalNumber = (least: number, most: number) =>
  z.optional(z.pipe(z.pipe(z.string(), z.transform(Number)), between(least, most)));

/** What the address of a database begins with. */
export const DATABASE_SCHEME = /^postgres(ql)?:\/\//;

const databaseUrl = z.optional(
  z.string().check(z.regex(DATABASE_SCHEME, "must start with postgres:// or postgresql://")),
);

/** Comma-separated http or https addresses. */
const addressList = z.pipe(
  z.pipe(z._default(z.string(), ""), z.transform(list)),
  z.array(
    z.url({ protocol: /^https?$/, error: "must be http or https addresses, comma-separated" }),
  ),
);

/** An address on this machine, without a path. */
const LOOPBACK_ORIGIN = /^https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/;

const priceSource = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) => {
      const [name, ...origin] = text.split("=");
      return origin.length === 0 ? { name } : { name, origin: origin.join("=") };
    }),
  ),
  z
    .object({
      name: z.enum(PRICE_SOURCE_NAMES, `must be some of ${PRICE_SOURCE_NAMES.join(", ")}`),
      origin: z.exactOptional(
        z
          .string()
          .check(z.regex(LOOPBACK_ORIGIN, "may replace an address by one of this machine only")),
      ),
    })
    .check(
      z.refine(
        ({ name, origin }) => origin === undefined || PRICE_DIALECTS[name].kind === "http",
        "gives an address to prices that stand on the chain",
      ),
    ),
);

/** Comma-separated price sources, each once. */
const priceSources = z.pipe(
  z.pipe(z.string(), z.transform(list)),
  z.array(priceSource).check(
    z.minLength(1, "must name at least one source"),
    z.refine((all) => new Set(all.map(({ name }) => name)).size === all.length, "names one twice"),
  ),
);

/** Every environment variable the server reads. */
export const environment = z.object({
  /** What this server does, comma-separated: web, trading. Each is a process of its own; several of each may share a database. */
  ROLES: roleList,
  /** Port of the page, the calls and the webhooks; 0 takes any free one. */
  PORT: wholeNumber("4600", 0, 65_535),
  /** Address to listen on. Anything but loopback lets other machines in. */
  HOST: z._default(z.string(), "127.0.0.1"),
  /** The address people and webhook senders use, without a path; default `http://HOST:PORT`. */
  PUBLIC_URL: z.optional(
    z
      .url({ protocol: /^https?$/, error: "must be an http or https address" })
      .check(z.refine(isOrigin, "must not have a path, a query or a user name")),
  ),
  /** `yes` lets the page be served without TLS to other machines, whose users can then be robbed of their sessions. */
  ALLOW_PLAIN_HTTP: z.optional(z.enum(["yes", "no"], "must be yes or no")),
  /** Folder of the embedded database, the practice chain's secrets and the log of the database. */
  DATA_DIR: z._default(z.string(), "./data"),
  /** PostgreSQL 15 or newer; absent: the embedded one in `DATA_DIR`. */
  DATABASE_URL: databaseUrl,
  /** The same database for the role that owns its tables: DATABASE_URL's own then cannot rewrite the audit log. */
  DATABASE_OWNER_URL: databaseUrl,
  /** File with that address instead, which no environment holds then; not needed once the server has started. */
  DATABASE_OWNER_FILE: z.optional(z.string()),
  /** The same database for the process that trades, as a role of its own; absent: DATABASE_URL's role. */
  DATABASE_TRADING_URL: databaseUrl,
  /**
   * The same database for the process that holds the trading keys, as a role of its own; absent: DATABASE_URL's role. It
   * only names that role, without a password, where the signer runs by itself.
   */
  DATABASE_SIGNER_URL: databaseUrl,
  /** Enabled networks, comma-separated: practice, paper, devnet, mainnet; absent: the two with play money. */
  NETWORKS: z.pipe(
    z.pipe(z._default(z.string(), BUILT_IN_NETWORKS.join(",")), z.transform(list)),
    z
      .array(z.enum(NETWORKS, `must be a comma-separated list of ${NETWORKS.join(", ")}`))
      .check(z.minLength(1, "must name at least one network")),
  ),
  /**
   * Sources of the prices that paper and the swap venue go by, comma-separated, as the README names them; absent: those
   * that want no key, and those whose key is set. A name may be followed by an address on this machine that replays
   * recorded prices and candles in the source's place: `bybit=http://127.0.0.1:9000`.
   */
  PRICE_SOURCES: z.optional(priceSources),
  /** Key for Pyth's price service, sent to no other address; absent: it is asked only where it is named above. */
  PYTH_API_KEY: z.optional(z.string()),
  /** Addresses of Solana devnet RPC servers, tried in order; needed when devnet is enabled. */
  RPC_URL_DEVNET: addressList,
  /** Addresses of Solana mainnet RPC servers, tried in order; needed when mainnet is enabled. */
  RPC_URL_MAINNET: addressList,
  /** Requests a second each real network's nodes are asked, several at once after a quiet time; exits go beyond it. */
  RPC_REQUESTS_PER_SECOND: wholeNumber("10", 1, 10_000),
  /** The deployment's lookup table on devnet, as `operate lookup-table devnet` prints it. */
  LOOKUP_TABLE_DEVNET: lookupTable,
  /** The deployment's lookup table on mainnet, as `operate lookup-table mainnet` prints it. */
  LOOKUP_TABLE_MAINNET: lookupTable,
  /** Owners' transactions and orders offer as much as this share of the recent blocks asked for; 1 to 100. */
  PRIORITY_FEE_PERCENTILE: wholeNumber("75", 1, 100),
  /** Most micro-lamports per compute unit they offer for that; the fixed prices stay the least. */
  PRIORITY_FEE_CAP: wholeNumber("100000", 0, Number(MAX_UNIT_PRICE_MICRO_LAMPORTS)),
  /**
   * File with the seed of every agent's trading key: losing it strands the keys, leaking it lets others trade. On
   * further lines those it replaced, newest first: they say what was made with them, and sign nothing.
   */
  DELEGATE_SECRET_FILE: z.optional(z.string()),
  /**
   * Folder with the sockets of a signer that runs by itself, under an account of its own; absent: the server starts
   * one of its own.
   */
  SIGNER_SOCKETS: z.optional(z.string()),
  /**
   * File with one secret that this signer and its servers share, from which each caller's word is made; or with the words
   * themselves, `web WORD` and `trading WORD`, of which a server of one role has its own alone.
   */
  SIGNER_WORD_FILE: z.optional(z.string()),
  /**
   * File with the three keys of notices that servers share without SESSION_SECRET or DATA_DIR in common, one a line in
   * hex: of channels' targets, of e-mail addresses' codes, of push. Absent: made from those two.
   */
  NOTICE_KEYS_FILE: z.optional(z.string()),
  /** Signs session tokens and webhook tokens. Changing it signs everybody out and voids alert texts. */
  SESSION_SECRET: secret,
  /** Key for the router's swaps and prices, sent to no other address; absent: its free tier, without its prices. */
  JUPITER_API_KEY: z.optional(z.string()),
  /** Origins of AI providers the page may call with the user's own key, comma-separated; absent: all that it offers. */
  AI_ORIGINS: z.pipe(
    z.pipe(z._default(z.string(), OFFERED_AI_ORIGINS), z.transform(list)),
    z.array(
      z
        .url({ protocol: /^https?$/, error: "must be http or https addresses, comma-separated" })
        .check(z.refine(isOrigin, "must not have a path, a query or a user name")),
    ),
  ),
  /** How much the server says: fatal, error, warn, info, debug, trace or silent. */
  LOG_LEVEL: z._default(
    z.enum(
      ["fatal", "error", "warn", "info", "debug", "trace", "silent"],
      "must be fatal, error, warn, info, debug, trace or silent",
    ),
    "info",
  ),
  /** Addresses of reverse proxies whose X-Forwarded-For is believed, comma-separated; default none. */
  TRUSTED_PROXIES: z.pipe(z._default(z.string(), ""), z.transform(list)),
  /** Seconds a server told to stop still takes calls while its readiness says no; default 5 behind a named proxy, else 0. */
  DRAIN_SECONDS: optionalNumber(0, 20),
  /** Addresses that may send alerts, comma-separated, `tradingview` for those it publishes; absent: everybody with a token. */
  ALERT_SENDERS: z.pipe(
    z.pipe(
      z.pipe(z._default(z.string(), ""), z.transform(list)),
      z
        .array(z.string())
        .check(
          z.refine((names) => readAlertSenders(names) !== null, "must be tradingview or addresses"),
        ),
    ),
    z.transform((names) =>
      names.length === 0 ? undefined : (readAlertSenders(names) ?? undefined),
    ),
  ),
  /** Mail server for notices, as smtp://user:password@host:port or smtps://…; absent: notices by e-mail are not offered. */
  SMTP_URL: z.optional(
    z.string().check(z.regex(/^smtps?:\/\//, "must start with smtp:// or smtps://")),
  ),
  /** Sender of those mails; needed when SMTP_URL is set. */
  MAIL_FROM: z.optional(z.string().check(z.regex(/@/, "must be an e-mail address"))),
  /** Bearer token for scrapers of `/metrics`; absent: only this machine gets an answer. */
  METRICS_TOKEN: z.optional(z.string().check(z.minLength(16, "must have at least 16 characters"))),
});

/** Returns why a setting does not belong to a server whose signer runs by itself; null where none is that signer's. */
export function signersOwn({
  DELEGATE_SECRET_FILE: keys,
  DATABASE_SIGNER_URL: address,
}: Environment): string | null {
  if (keys !== undefined) {
    return "DELEGATE_SECRET_FILE: unset it, because the signer at SIGNER_SOCKETS has that file.";
  }
  const { password, searchParams } = new URL(address ?? "postgres:");
  return password === "" && !searchParams.has("password")
    ? null
    : "DATABASE_SIGNER_URL: leave its password out, because the signer at SIGNER_SOCKETS alone has it.";
}

/** Names of every setting, for the lists people read. */
export const SETTING_NAMES: readonly string[] = Object.keys(environment.shape);

export type Environment = z.infer<typeof environment>;

function isOrigin(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, href } = new URL(address);
  return href === `${origin}/`;
}
