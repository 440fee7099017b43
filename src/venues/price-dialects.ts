import * as z from "zod/mini";
import type { Address } from "@solana/kit";
import type { SourceFault } from "../domain/agent-health.ts";
import { PRICE_DECIMALS } from "../domain/market.ts";
import type { Account } from "../solana/chain.ts";
import { PYTH_RECEIVER } from "../solana/programs/pyth-receiver.ts";
import { MINTS } from "../solana/programs/token.ts";
import { parsePythPrice, PYTH_FEEDS, pythFeedAccount, readPriceUpdate } from "./pyth-price.ts";

/** Best bid and ask of one asset in the quote token, six decimals, at the source's own time. */
export interface PriceReading {
  readonly asset: string;
  readonly bid: bigint;
  readonly ask: bigint;
  /** Unix milliseconds, from the source's clock; null from a source that tells no time. */
  readonly atMs: number | null;
  /** How long it may stand until the source publishes again, in milliseconds; absent: every answer has a newer time. */
  readonly standsMs?: number;
}

/** Names of the price sources, in the order in which they are shown; the chain's own prices are asked first. */
export const PRICE_SOURCE_NAMES = [
  "pyth-onchain",
  "pyth",
  "binance",
  "bybit",
  "coinbase",
  "kraken",
  "jupiter",
] as const;
export type PriceSourceName = (typeof PRICE_SOURCE_NAMES)[number];

/** Settings that hold a source's key. */
export type PriceKeySetting = "PYTH_API_KEY" | "JUPITER_API_KEY";

/** A configured source, the address on this machine that stands in for its own, and its key. */
export interface ConfiguredSource {
  readonly name: PriceSourceName;
  readonly origin?: string;
  readonly key?: string;
}

/** Assets that have live prices: those with at least two sources. */
export const PRICED_ASSETS = ["SOL", "BTC", "ETH", "JUP"] as const;
type PricedAsset = (typeof PRICED_ASSETS)[number];

/** A response does not have the documented form. */
export class UnreadablePriceError extends Error {
  override readonly name = "UnreadablePriceError";
}

/** One outside source of prices: how it is asked, how its answer reads, how it refuses and what mends that. */
interface Described {
  /** Name for users. */
  readonly label: string;
  /** Page where the terms of this interface stand. */
  readonly page: string;
  /** Setting of its key; a source with one is asked where the key is set, or where it is named in `PRICE_SOURCES`. */
  readonly key?: PriceKeySetting;
  /** Whether its own quotes are held against these prices, so that the signer does not ask it. */
  readonly isRouter?: true;
  /** Assets that it has no market of; absent: none. */
  readonly lacks?: readonly PricedAsset[];
  /** Pause between two rounds of requests in milliseconds; server and signer ask from one address. */
  readonly pauseMs: number;
}

/** Source that is asked over HTTP. */
export interface HttpDialect extends Described {
  readonly kind: "http";
  readonly origin: string;
  /** Paths that together have the prices of all assets. */
  readonly paths: readonly string[];
  readonly headers?: (key: string) => Readonly<Record<string, string>>;
  /** Returns the readings of a path's response. Throws `UnreadablePriceError` when one of them is unusable. */
  read(body: unknown, path: string): readonly PriceReading[];
  /** What its own statuses mean; others are in `REFUSALS`. */
  readonly refusals?: Readonly<Record<number, SourceFault>>;
  /** Words by which an answer is a refusal of too many requests, whatever its status. */
  readonly limitedWords?: RegExp;
}

/** Source that stands in accounts of the chain, read through the nodes of mainnet. */
export interface AccountsDialect extends Described {
  readonly kind: "accounts";
  readonly addresses: readonly Address[];
  /** Returns the readings of the accounts, in the order of the addresses. Throws `UnreadablePriceError`. */
  read(accounts: readonly (Account | null)[]): readonly PriceReading[];
}

export type PriceDialect = HttpDialect | AccountsDialect;

/** What a refusal means at any source. */
export const REFUSALS: Readonly<Record<number, SourceFault>> = {
  401: "key",
  418: "limited",
  429: "limited",
  451: "country",
};

/** Returns a decimal text as a price with six decimals, rounded down; null for zero and everything else. */
function toPrice(text: string): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,18}))?$/.exec(text);
  if (match === null) return null;
  const fraction = (match[2] ?? "").slice(0, PRICE_DECIMALS).padEnd(PRICE_DECIMALS, "0");
  const price = BigInt(`${match[1]}${fraction}`);
  return price === 0n ? null : price;
}

/** Returns the assets by the names of their markets at a source. */
const markets = (nameOf: (asset: PricedAsset) => string) =>
  new Map<string, PricedAsset>(PRICED_ASSETS.map((asset) => [nameOf(asset), asset]));

function readBook(
  assets: ReadonlyMap<string, string>,
  symbol: string,
  [bidText = "", askText = ""]: readonly (string | undefined)[],
  atMs: number | null,
): PriceReading {
  const asset = assets.get(symbol);
  const bid = toPrice(bidText);
  const ask = toPrice(askText);
  if (asset === undefined) throw new UnreadablePriceError(`Unknown market ${symbol.slice(0, 20)}`);
  if (bid === null || ask === null) throw new UnreadablePriceError(`No price of ${asset}`);
  return { asset, bid, ask, atMs };
}

function parse<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new UnreadablePriceError(`Unexpected form at ${parsed.error.issues[0]?.path.join(".")}`);
}

const time = z.int().check(z.positive());
const level = z.tuple([z.string()], z.unknown());
const levels = z.array(level).check(z.minLength(1));

const readPyth = (asset: string | undefined, given: unknown): PriceReading => {
  const read = parsePythPrice(given);
  if (asset === undefined || read === null || read.confidence >= read.price) {
    throw new UnreadablePriceError(`No price of ${asset ?? "an unknown feed"}`);
  }
  const { price: middle, confidence, publishedAtMs: atMs } = read;
  return { asset, bid: middle - confidence, ask: middle + confidence, atMs };
};

/**
 * Pyth's sponsored feeds on Solana: written every minute, and when the price moved by half a percent. Every account is
 * held to the receiver program, its feed and full verification.
 */
const pythOnChain: AccountsDialect = {
  kind: "accounts",
  label: "Pyth on chain",
  page: "https://docs.pyth.network/price-feeds/pro/sponsored-feeds",
  pauseMs: 5_000,
  addresses: PRICED_ASSETS.map((asset) => pythFeedAccount(PYTH_FEEDS[asset])),
  read: (accounts) =>
    PRICED_ASSETS.map((asset, at) => {
      const account = accounts[at] ?? null;
      if (account === null) throw new UnreadablePriceError(`No account with a price of ${asset}`);
      if (account.owner !== PYTH_RECEIVER) {
        throw new UnreadablePriceError(`Another program writes the price of ${asset}`);
      }
      const update = readPriceUpdate(account.data, PYTH_FEEDS[asset]);
      if (typeof update === "string") throw new UnreadablePriceError(`${update}: ${asset}`);
      return { ...readPyth(asset, update), standsMs: 90_000 };
    }),
};

const pythAnswer = z.object({ parsed: z.array(z.object({ id: z.string(), price: z.unknown() })) });
const PYTH_ASSETS = markets((asset) => PYTH_FEEDS[asset]);

/** Pyth's price service: one request for all assets; 30 requests are allowed in 10 seconds. Its confidence is half a spread. */
const pyth: HttpDialect = {
  kind: "http",
  label: "Pyth",
  page: "https://docs.pyth.network/price-feeds/pro/pyth-core-upgrade",
  key: "PYTH_API_KEY",
  origin: "https://hermes.pyth.network",
  paths: [
    `/v2/updates/price/latest?parsed=true&${[...PYTH_ASSETS.keys()].map((id) => `ids[]=${id}`).join("&")}`,
  ],
  headers: (key) => ({ authorization: `Bearer ${key}` }),
  pauseMs: 1_000,
  refusals: { 403: "key" },
  read: (body) =>
    parse(pythAnswer, body).parsed.map(({ id, price }) => readPyth(PYTH_ASSETS.get(id), price)),
};

const TETHER = markets((asset) => `${asset}USDT`);
const binanceAnswer = z.array(
  z.object({ symbol: z.string(), bidPrice: z.string(), askPrice: z.string(), closeTime: time }),
);

/** Binance spot: best bid and ask with the newest time of the last day's figures; 6,000 of weight are allowed a minute, this has 2. */
const binance: HttpDialect = {
  kind: "http",
  label: "Binance",
  page: "https://developers.binance.com/docs/binance-spot-api-docs/rest-api/market-data-endpoints",
  origin: "https://data-api.binance.vision",
  paths: [`/api/v3/ticker/24hr?symbols=${encodeURIComponent(JSON.stringify([...TETHER.keys()]))}`],
  pauseMs: 1_000,
  refusals: { 403: "limited" },
  read: (body) =>
    parse(binanceAnswer, body).map(({ symbol, bidPrice, askPrice, closeTime }) =>
      readBook(TETHER, symbol, [bidPrice, askPrice], closeTime),
    ),
};

const bybitAnswer = z.object({
  retCode: z.literal(0),
  result: z.object({ s: z.string(), b: levels, a: levels, ts: time }),
});

/** Bybit spot: the first level of each book; 600 requests are allowed in 5 seconds, beyond which it answers 403, too. */
const bybit: HttpDialect = {
  kind: "http",
  label: "Bybit",
  page: "https://bybit-exchange.github.io/docs/v5/rate-limit",
  origin: "https://api.bybit.com",
  paths: [...TETHER.keys()].map(
    (symbol) => `/v5/market/orderbook?category=spot&symbol=${symbol}&limit=1`,
  ),
  pauseMs: 400,
  refusals: { 403: "country" },
  limitedWords: /too frequent/i,
  read(body) {
    const { s, b, a, ts } = parse(bybitAnswer, body).result;
    return [readBook(TETHER, s, [b[0]?.[0], a[0]?.[0]], ts)];
  },
};

const DOLLAR = markets((asset) => `${asset}-USD`);
const coinbaseAnswer = z.object({ bids: levels, asks: levels, time: z.iso.datetime() });

/** Coinbase Exchange: the best level of each book, which does not name its market; 10 requests are allowed a second. */
const coinbase: HttpDialect = {
  kind: "http",
  label: "Coinbase",
  page: "https://docs.cdp.coinbase.com/exchange/rest-api/rate-limits",
  origin: "https://api.exchange.coinbase.com",
  paths: ["SOL-USD", "BTC-USD", "ETH-USD"].map((product) => `/products/${product}/book?level=1`),
  // Its market of JUP has had two names
  lacks: ["JUP"],
  pauseMs: 2_000,
  read(body, path) {
    const { bids, asks, time: at } = parse(coinbaseAnswer, body);
    const product = path.split("/")[2] ?? "";
    return [readBook(DOLLAR, product, [bids[0]?.[0], asks[0]?.[0]], Date.parse(at))];
  },
};

const KRAKEN_NAMES = { SOL: "SOLUSD", BTC: "XXBTZUSD", ETH: "XETHZUSD", JUP: "JUPUSD" } as const;
const KRAKEN = markets((asset) => KRAKEN_NAMES[asset]);
const krakenAnswer = z.object({
  error: z.array(z.string()).check(z.length(0)),
  result: z.record(z.string(), z.object({ a: level, b: level })),
});

/** Kraken spot: best bid and ask without a time; one request a second is allowed, and a refusal has status 200. */
const kraken: HttpDialect = {
  kind: "http",
  label: "Kraken",
  page: "https://docs.kraken.com/api/docs/rest-api/get-ticker-information",
  origin: "https://api.kraken.com",
  paths: [`/0/public/Ticker?pair=${[...KRAKEN.keys()].join(",")}`],
  pauseMs: 2_500,
  limitedWords: /too many requests|rate limit/i,
  read: (body) =>
    Object.entries(parse(krakenAnswer, body).result).map(([symbol, { a, b }]) =>
      readBook(KRAKEN, symbol, [b[0], a[0]], null),
    ),
};

const TOKENS = markets((asset) => MINTS[asset]);
const jupiterAnswer = z.record(z.string(), z.object({ usdPrice: z.number() }));

/** Jupiter's price of the tokens that are traded, from their last swaps; its requests count with those of the swap call. */
const jupiter: HttpDialect = {
  kind: "http",
  label: "Jupiter",
  page: "https://dev.jup.ag/docs/portal/rate-limits",
  key: "JUPITER_API_KEY",
  isRouter: true,
  origin: "https://api.jup.ag",
  paths: [`/price/v3?ids=${[...TOKENS.keys()].join(",")}`],
  headers: (key) => ({ "x-api-key": key }),
  pauseMs: 5_000,
  refusals: { 403: "key" },
  read: (body) =>
    Object.entries(parse(jupiterAnswer, body)).map(([mint, { usdPrice }]) => {
      const text = String(usdPrice);
      return readBook(TOKENS, mint, [text, text], null);
    }),
};

export const PRICE_DIALECTS: Readonly<Record<PriceSourceName, PriceDialect>> = {
  "pyth-onchain": pythOnChain,
  pyth,
  binance,
  bybit,
  coinbase,
  kraken,
  jupiter,
};

const FAULT_WORDS: Readonly<Record<Exclude<SourceFault, "key">, string>> = {
  unreachable: "does not answer",
  country: "refuses this country",
  limited: "refuses so many requests",
  refused: "refuses to answer",
  unreadable: "answers with what cannot be used",
  old: "gives no new price",
  ahead: "has a clock that is ahead",
  apart: "is far from the other sources",
};

/** Returns what is wrong with the source of a label, and what mends a refusal, in words. */
export function sayFault(label: string, fault: SourceFault): string {
  if (fault !== "key") return `${label} ${FAULT_WORDS[fault]}`;
  const key = Object.values(PRICE_DIALECTS).find((each) => each.label === label)?.key;
  return `${label} refused: it wants a key${key === undefined ? "" : ` (${key})`}`;
}
