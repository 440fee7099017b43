import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../src/domain/clock.ts";
import { createPracticeMarket } from "../src/practice/practice-market.ts";
import { PRICED_ASSETS } from "../src/venues/price-dialects.ts";
import { assetOf, JUPITER_INSTANCE } from "../src/venues/jupiter/instance.ts";
import { PYTH_RECEIVER, priceUpdateLayout } from "../src/solana/programs/pyth-receiver.ts";
import { PYTH_FEEDS } from "../src/venues/pyth-price.ts";
import { type Account, type Chain, ChainUnavailableError } from "../src/solana/chain.ts";
import { TOKEN_PROGRAM } from "../src/solana/programs/token.ts";
import { hexToBytes } from "@noble/hashes/utils.js";
import { startExchange } from "./exchange-server.ts";
import {
  BINANCE_TICKER,
  BYBIT_ANSWER,
  COINBASE_BOOK,
  JUPITER_PRICE,
  KRAKEN_TICKER,
  PYTH_ANSWER,
} from "./recorded/price-answers.ts";

/** What a price server does instead of telling the truth. */
export type PriceFault =
  | "not a number"
  | "negative"
  | "zero"
  | "exponent"
  | "thousandfold"
  | "an hour old"
  | "frozen"
  | "reordered"
  | "a day ahead"
  | "a day behind"
  | "renamed"
  | "crossed"
  | "wide"
  | "empty"
  | "page"
  | "other form"
  | "huge"
  | "slow"
  | "half"
  | "redirect"
  | "too often"
  | "too often with 200"
  | "too frequent"
  | "unauthorized"
  | "forbidden"
  | "unavailable for legal reasons"
  | "broken";

const STATUS: Readonly<Partial<Record<PriceFault, number>>> = {
  "too often": 429,
  "too frequent": 403,
  unauthorized: 401,
  forbidden: 403,
  "unavailable for legal reasons": 451,
  broken: 500,
};

const TRANSPORT: ReadonlySet<PriceFault> = new Set(["huge", "slow", "redirect"]);

const HOUR_MS = 3_600_000;

interface Truth {
  readonly price: number;
  readonly atMs: number;
}

/** One server that speaks all sources' forms, at prices of a made-up market. */
export interface PriceServer {
  readonly origin: string;
  /** Requests since the last time this was read. */
  requests(): number;
  misbehave(fault: PriceFault | null): void;
  /** Returns whether it answers nothing at present. */
  isSilent(): boolean;
  /** Fixes an asset's price in quote tokens; `null` returns to the market. */
  setPrice(asset: string, price: number | null): void;
  /** Answers as a node does that has Pyth's accounts. */
  readonly accounts: Chain["accounts"];
  /** Header of the newest request. */
  header(name: string): string | undefined;
  close(): Promise<void>;
}

export async function startPriceServer(clock: Clock, seed = 7): Promise<PriceServer> {
  const market = createPracticeMarket(seed);
  const exchange = await startExchange(clock, seed);
  const fixed = new Map<string, number>();
  let fault: PriceFault | null = null;
  let frozenAtMs = 0;
  let requests = 0;
  let headers: IncomingMessage["headers"] = {};

  const truthOf = (asset: string): Truth => {
    const nowMs = clock.now();
    const atMs = {
      "an hour old": nowMs - HOUR_MS,
      frozen: frozenAtMs,
      reordered: frozenAtMs - (nowMs - frozenAtMs),
      "a day ahead": nowMs + 24 * HOUR_MS,
      "a day behind": nowMs - 24 * HOUR_MS,
    }[fault as string];
    const soldAtMs = fault === "frozen" ? frozenAtMs : nowMs;
    const price = fixed.get(asset) ?? Number(market.priceAt(asset, soldAtMs) ?? 0n) / 1e6;
    return { price: fault === "thousandfold" ? price * 1_000 : price, atMs: atMs ?? nowMs };
  };
  const half = () => (fault === "wide" ? 0.4 : 0.0001);
  const textOf = (figure: number): string => {
    switch (fault) {
      case "not a number":
        return "NaN";
      case "negative":
        return `-${figure.toFixed(6)}`;
      case "zero":
        return "0.00000000";
      case "exponent":
        return figure.toExponential();
      default:
        return figure.toFixed(6);
    }
  };
  const bookOf = (price: number): readonly [bid: string, ask: string] => {
    const sides = [textOf(price * (1 - half())), textOf(price * (1 + half()))] as const;
    return fault === "crossed" ? [sides[1], sides[0]] : sides;
  };
  const named = (symbol: string) => (fault === "renamed" ? symbol.replace("USDT", "USDQ") : symbol);

  const levelsOf = (price: string) => (fault === "empty" ? [] : [[price, "1", "1"]]);

  const binance = (symbols: readonly string[]) =>
    symbols.map((symbol) => {
      const { price, atMs } = truthOf(symbol.replace("USDT", ""));
      const [bid, ask] = bookOf(price);
      const prices =
        fault === "empty" ? { bidPrice: "", askPrice: "" } : { bidPrice: bid, askPrice: ask };
      return { ...BINANCE_TICKER, ...prices, symbol: named(symbol), closeTime: atMs };
    });

  function coinbase(product: string) {
    const { price, atMs } = truthOf(product.replace("-USD", ""));
    const [bid, ask] = bookOf(price);
    const time = new Date(atMs).toISOString();
    return { ...COINBASE_BOOK, bids: levelsOf(bid), asks: levelsOf(ask), time };
  }

  function kraken() {
    const pairs = Object.entries({
      SOL: "SOLUSD",
      BTC: "XXBTZUSD",
      ETH: "XETHZUSD",
      JUP: "JUPUSD",
    });
    const ticker = pairs.map(([asset, pair]) => {
      const [bid, ask] = bookOf(truthOf(asset).price);
      const sides =
        fault === "empty" ? { a: [], b: [] } : { a: [ask, "1", "1"], b: [bid, "1", "1"] };
      return [fault === "renamed" ? `${pair}X` : pair, { ...KRAKEN_TICKER, ...sides }];
    });
    return { error: [], result: Object.fromEntries(ticker) as object };
  }

  function jupiter(mints: readonly string[]) {
    const tokens = mints.map((mint) => {
      const asset = PRICED_ASSETS.find((each) => assetOf(JUPITER_INSTANCE, each).mint === mint);
      const text = textOf(truthOf(asset ?? "").price);
      const usdPrice = fault === "empty" ? null : text === "NaN" ? text : Number(text);
      return [fault === "renamed" ? `${mint}x` : mint, { ...JUPITER_PRICE, usdPrice }];
    });
    return Object.fromEntries(tokens) as object;
  }

  /** The account of a feed: what is wrong with a text elsewhere is wrong with its bytes here. */
  function feedOf(asset: (typeof PRICED_ASSETS)[number]): Account | null {
    const { price, atMs } = truthOf(asset);
    const owner = fault === "page" ? TOKEN_PROGRAM : PYTH_RECEIVER;
    const feed = hexToBytes(PYTH_FEEDS[fault === "renamed" ? "BTC" : asset]);
    const digits = BigInt(Math.round(price * 1e8));
    const written = priceUpdateLayout.encode({
      ...priceUpdateLayout.zero(),
      verificationLevel: fault === "not a number" ? 0 : 1,
      feedId: fault === "renamed" && asset === "BTC" ? feed.toReversed() : feed,
      price: fault === "negative" ? -digits : fault === "zero" ? 0n : digits,
      conf: fault === "crossed" ? digits * 2n : BigInt(Math.round(price * half() * 1e8)),
      exponent: fault === "exponent" ? 40 : -8,
      publishTime: BigInt(Math.floor(atMs / 1_000)),
    });
    if (fault === "other form") written.reverse();
    const data = fault === "half" ? written.slice(0, 60) : written;
    if (fault === "empty") return null;
    return { address: owner, owner, lamports: 1n, data, executable: false } as unknown as Account;
  }

  function bybit(symbol: string) {
    const { price, atMs } = truthOf(symbol.replace("USDT", ""));
    const [bid, ask] = bookOf(price);
    const book = { a: levelsOf(ask), b: levelsOf(bid) };
    return {
      ...BYBIT_ANSWER,
      result: { ...BYBIT_ANSWER.result, ...book, s: named(symbol), ts: atMs },
    };
  }

  function pyth(ids: readonly string[]) {
    const parsed = ids.map((id) => {
      const asset = PRICED_ASSETS.find((each) => PYTH_FEEDS[each] === id) ?? "";
      const { price, atMs } = truthOf(asset);
      const digits = String(Math.round(price * 1e8));
      const text = fault === null || ["wide", "crossed"].includes(fault) ? digits : undefined;
      const recorded = PYTH_ANSWER.parsed[0];
      return {
        ...recorded,
        id: fault === "renamed" ? id.replace(/^../, "00") : id,
        price: {
          price: text ?? (fault === "thousandfold" || isTimely() ? digits : textOf(price)),
          conf: fault === "crossed" ? `${digits}0` : String(Math.round(price * half() * 1e8)),
          expo: -8,
          publish_time: Math.floor(atMs / 1_000),
        },
      };
    });
    return { ...PYTH_ANSWER, parsed: fault === "empty" ? [] : parsed };
  }
  /** The fault is one of times, markets or transport, so that the figures are right. */
  const isTimely = () => !["not a number", "negative", "zero", "exponent"].includes(fault ?? "");

  function bodyOf({ pathname, searchParams }: URL): object | null {
    if (pathname === "/v2/updates/price/latest") return pyth(searchParams.getAll("ids[]"));
    if (pathname === "/v5/market/orderbook") return bybit(searchParams.get("symbol") ?? "");
    if (pathname === "/api/v3/ticker/24hr") {
      return binance(JSON.parse(searchParams.get("symbols") ?? "[]") as string[]);
    }
    if (pathname === "/0/public/Ticker") return kraken();
    if (pathname === "/price/v3") return jupiter((searchParams.get("ids") ?? "").split(","));
    const [, products, product, book] = pathname.split("/");
    return products === "products" && book === "book" ? coinbase(product ?? "") : null;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://prices.test");
    const body = bodyOf(url);
    if (body === null) {
      const candles = await fetch(`${exchange.binance}${url.pathname}${url.search}`);
      return void response.writeHead(candles.status).end(await candles.text());
    }
    requests += 1;
    ({ headers } = request);
    if (fault === "slow") return;
    const status = fault === null ? undefined : STATUS[fault];
    if (status !== undefined) {
      const text = fault === "too frequent" ? "access too frequent" : "{}";
      return void response.writeHead(status).end(text);
    }
    if (fault === "redirect")
      return void response.writeHead(302, { location: `${url.pathname}${url.search}&again` }).end();
    const text = textOfBody(body);
    if (fault === "half") return void response.write(text, () => response.destroy());
    response.end(text);
  }

  function textOfBody(body: object): string {
    const text = JSON.stringify(body);
    if (fault === "too often with 200") {
      return JSON.stringify({ error: ["EGeneral:Too many requests"] });
    }
    if (fault === "page") return "<!doctype html><title>Not available</title>";
    if (fault === "other form") return JSON.stringify({ data: body });
    if (fault === "half") return text.slice(0, text.length / 2);
    return fault === "huge" ? text.padEnd(3_000_000) : text;
  }

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests() {
      const count = requests;
      requests = 0;
      return count;
    },
    misbehave(next) {
      fault = next;
      frozenAtMs = clock.now();
    },
    isSilent: () => fault === "slow",
    setPrice(asset, price) {
      if (price === null) fixed.delete(asset);
      else fixed.set(asset, price);
    },
    async accounts() {
      requests += 1;
      const isAway = fault !== null && (TRANSPORT.has(fault) || STATUS[fault] !== undefined);
      if (isAway) throw new ChainUnavailableError("The node does not answer");
      return { slot: 1n, accounts: PRICED_ASSETS.map(feedOf) };
    },
    header: (name) => headers[name]?.toString(),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await exchange.close();
    },
  };
}
