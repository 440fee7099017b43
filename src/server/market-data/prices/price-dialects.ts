import * as z from "zod/mini";
import { PRICE_DECIMALS } from "../../../domain/market.ts";
import { parsePythPrice, PYTH_FEEDS } from "../../../venues/pyth-price.ts";

/** Best bid and ask of one asset in the quote token, six decimals, at the source's own time. */
export interface PriceReading {
  readonly asset: string;
  readonly bid: bigint;
  readonly ask: bigint;
  /** Unix milliseconds, from the source's clock. */
  readonly atMs: number;
}

/** Names of the price sources, in the order in which they are shown. */
export const PRICE_SOURCE_NAMES = ["pyth", "binance", "bybit"] as const;
export type PriceSourceName = (typeof PRICE_SOURCE_NAMES)[number];

/** A configured source, and the address on this machine that stands in for its own. */
export interface ConfiguredSource {
  readonly name: PriceSourceName;
  readonly origin?: string;
}

/** Assets that paper has prices of: those with at least two sources. */
export const PAPER_ASSETS = ["SOL", "BTC", "ETH", "JUP"] as const;

/** A response or message does not have the documented form. */
export class UnreadablePriceError extends Error {
  override readonly name = "UnreadablePriceError";
}

interface Described {
  /** Name for users. */
  readonly label: string;
  readonly origin: string;
}

/** Source that is asked over HTTP. */
export interface PolledDialect extends Described {
  readonly kind: "polled";
  /** Paths that together have the prices of all assets. */
  readonly paths: readonly string[];
  /** Pause between two rounds of requests in milliseconds. */
  readonly pauseMs: number;
  /** Returns the readings of a response. Throws `UnreadablePriceError` when one of them is unusable. */
  read(body: unknown): readonly PriceReading[];
}

/** Source that sends messages over a WebSocket. */
export interface StreamedDialect extends Described {
  readonly kind: "streamed";
  readonly path: string;
  read(message: unknown): readonly PriceReading[];
}

export type PriceDialect = PolledDialect | StreamedDialect;

const SYMBOLS: ReadonlyMap<string, string> = new Map(
  PAPER_ASSETS.map((asset) => [`${asset}USDT`, asset]),
);

/** Returns a decimal text as a price with six decimals, rounded down; null for zero and everything else. */
function toPrice(text: string): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,18}))?$/.exec(text);
  if (match === null) return null;
  const fraction = (match[2] ?? "").slice(0, PRICE_DECIMALS).padEnd(PRICE_DECIMALS, "0");
  const price = BigInt(`${match[1]}${fraction}`);
  return price === 0n ? null : price;
}

function readBook(
  symbol: string,
  bidText: string,
  askText: string,
  atMs: number,
): readonly PriceReading[] {
  const asset = SYMBOLS.get(symbol);
  const bid = toPrice(bidText);
  const ask = toPrice(askText);
  if (asset === undefined) throw new UnreadablePriceError(`Unknown market ${symbol.slice(0, 20)}`);
  if (bid === null || ask === null) throw new UnreadablePriceError(`No price of ${asset}`);
  return [{ asset, bid, ask, atMs }];
}

function parse<T>(schema: z.ZodMiniType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new UnreadablePriceError(`Unexpected form at ${parsed.error.issues[0]?.path.join(".")}`);
}

const time = z.int().check(z.positive());

const binanceMessage = z.object({
  stream: z.string(),
  data: z.object({
    e: z.literal("24hrTicker"),
    E: time,
    s: z.string(),
    b: z.string(),
    a: z.string(),
  }),
});

/** Binance spot, one message a second and market: the ticker has best bid, best ask and the time of the event. */
const binance: StreamedDialect = {
  kind: "streamed",
  label: "Binance",
  origin: "wss://data-stream.binance.vision",
  path: `/stream?streams=${[...SYMBOLS.keys()].map((symbol) => `${symbol.toLowerCase()}@ticker`).join("/")}`,
  read(message) {
    const { data } = parse(binanceMessage, message);
    return readBook(data.s, data.b, data.a, data.E);
  },
};

const bybitLevel = z.tuple([z.string(), z.string()]);
const bybitAnswer = z.object({
  retCode: z.literal(0),
  result: z.object({
    s: z.string(),
    b: z.array(bybitLevel).check(z.minLength(1)),
    a: z.array(bybitLevel).check(z.minLength(1)),
    ts: time,
  }),
});

/** Bybit spot: the first level of each book; 600 requests are allowed in 5 seconds. */
const bybit: PolledDialect = {
  kind: "polled",
  label: "Bybit",
  origin: "https://api.bybit.com",
  paths: [...SYMBOLS.keys()].map(
    (symbol) => `/v5/market/orderbook?category=spot&symbol=${symbol}&limit=1`,
  ),
  pauseMs: 400,
  read(body) {
    const { s, b, a, ts } = parse(bybitAnswer, body).result;
    return readBook(s, b[0]?.[0] ?? "", a[0]?.[0] ?? "", ts);
  },
};

const pythAnswer = z.object({ parsed: z.array(z.object({ id: z.string(), price: z.unknown() })) });

const PYTH_ASSETS = new Map(PAPER_ASSETS.map((asset) => [PYTH_FEEDS[asset], asset]));

/** Pyth's price service: one request for all assets; 30 requests are allowed in 10 seconds. Its confidence is half a spread. */
const pyth: PolledDialect = {
  kind: "polled",
  label: "Pyth",
  origin: "https://hermes.pyth.network",
  paths: [
    `/v2/updates/price/latest?parsed=true&${[...PYTH_ASSETS.keys()].map((id) => `ids[]=${id}`).join("&")}`,
  ],
  pauseMs: 400,
  read: (body) =>
    parse(pythAnswer, body).parsed.flatMap(({ id, price }) => {
      const asset = PYTH_ASSETS.get(id);
      const read = parsePythPrice(price);
      if (asset === undefined || read === null || read.confidence >= read.price) {
        throw new UnreadablePriceError(`No price of ${asset ?? "an unknown feed"}`);
      }
      const { price: middle, confidence, publishedAtMs: atMs } = read;
      return { asset, bid: middle - confidence, ask: middle + confidence, atMs };
    }),
};

export const PRICE_DIALECTS: Readonly<Record<PriceSourceName, PriceDialect>> = {
  pyth,
  binance,
  bybit,
};
