import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Clock } from "../src/domain/clock.ts";
import { createPracticeMarket } from "../src/practice/practice-market.ts";
import { PAPER_ASSETS } from "../src/server/market-data/prices/price-dialects.ts";
import { PYTH_FEEDS } from "../src/venues/pyth-price.ts";
import { startExchange } from "./exchange-server.ts";
import { BINANCE_MESSAGE, BYBIT_ANSWER, PYTH_ANSWER } from "./recorded/price-answers.ts";

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
  | "forbidden"
  | "unavailable for legal reasons"
  | "broken";

const STATUS: Readonly<Partial<Record<PriceFault, number>>> = {
  "too often": 429,
  forbidden: 403,
  "unavailable for legal reasons": 451,
  broken: 500,
};

const HOUR_MS = 3_600_000;

interface Truth {
  readonly price: number;
  readonly atMs: number;
}

/** One server that speaks all sources' forms over HTTP and WebSocket, at prices of a made-up market. */
export interface PriceServer {
  readonly origin: string;
  /** Requests and connections since the last time this was read. */
  requests(): number;
  misbehave(fault: PriceFault | null): void;
  /** Returns whether it answers nothing at present. */
  isSilent(): boolean;
  /** Fixes an asset's price in quote tokens; `null` returns to the market. */
  setPrice(asset: string, price: number | null): void;
  /** Resolves once so many connections in all were asked for. */
  hasSeen(connections: number): Promise<void>;
  /** Sends one message of each market to every connection; resolves once they were read or the connections ended. */
  push(): Promise<void>;
  close(): Promise<void>;
}

export async function startPriceServer(clock: Clock, seed = 7): Promise<PriceServer> {
  const market = createPracticeMarket(seed);
  const exchange = await startExchange(clock, seed);
  const fixed = new Map<string, number>();
  let fault: PriceFault | null = null;
  let frozenAtMs = 0;
  let requests = 0;

  const truthOf = (asset: string): Truth => {
    const nowMs = clock.now();
    const atMs = {
      "an hour old": nowMs - HOUR_MS,
      frozen: frozenAtMs,
      reordered: frozenAtMs - (nowMs - frozenAtMs),
      "a day ahead": nowMs + 24 * HOUR_MS,
      "a day behind": nowMs - 24 * HOUR_MS,
    }[fault as string];
    const price = fixed.get(asset) ?? Number(market.priceAt(asset, nowMs) ?? 0n) / 1e6;
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

  function binance(asset: string) {
    const { price, atMs } = truthOf(asset);
    const [b, a] = bookOf(price);
    const symbol = named(`${asset}USDT`);
    const data = { ...BINANCE_MESSAGE.data, s: symbol, E: atMs, b, a };
    const stream = `${symbol.toLowerCase()}@ticker`;
    return fault === "empty" ? { stream, data: { ...data, b: "", a: "" } } : { stream, data };
  }

  function bybit(symbol: string) {
    const { price, atMs } = truthOf(symbol.replace("USDT", ""));
    const [bid, ask] = bookOf(price);
    const book = fault === "empty" ? { a: [], b: [] } : { a: [[ask, "1"]], b: [[bid, "1"]] };
    return {
      ...BYBIT_ANSWER,
      result: { ...BYBIT_ANSWER.result, ...book, s: named(symbol), ts: atMs },
    };
  }

  function pyth(ids: readonly string[]) {
    const parsed = ids.map((id) => {
      const asset = PAPER_ASSETS.find((each) => PYTH_FEEDS[each] === id) ?? "";
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
    return null;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://prices.test");
    const body = bodyOf(url);
    if (body === null) {
      const candles = await fetch(`${exchange.binance}${url.pathname}${url.search}`);
      return void response.writeHead(candles.status).end(await candles.text());
    }
    requests += 1;
    if (fault === "slow") return;
    const status = fault === null ? undefined : STATUS[fault];
    if (status !== undefined) return void response.writeHead(status).end("{}");
    if (fault === "redirect")
      return void response.writeHead(302, { location: `${url.pathname}${url.search}&again` }).end();
    const text = textOfBody(body);
    if (fault === "half") return void response.write(text, () => response.destroy());
    response.end(text);
  }

  function textOfBody(body: object): string {
    const text = JSON.stringify(body);
    if (fault === "page") return "<!doctype html><title>Not available</title>";
    if (fault === "other form") return JSON.stringify({ data: body });
    if (fault === "half") return text.slice(0, text.length / 2);
    return fault === "huge" ? text.padEnd(3_000_000) : text;
  }

  const server = createServer((request, response) => void answer(request, response));
  const sockets = new WebSocketServer({ noServer: true });
  const upgraded = new Set<Duplex>();
  const onUpgrade = new EventEmitter();
  server.on("upgrade", (request, socket, head) => {
    requests += 1;
    upgraded.add(socket);
    socket.on("error", () => {});
    queueMicrotask(() => onUpgrade.emit("upgrade"));
    const status = fault === null ? undefined : STATUS[fault];
    if (fault === "slow") return;
    if (status !== undefined || fault === "redirect") {
      const line = status ?? 302;
      return void socket.end(`HTTP/1.1 ${line} No\r\ncontent-length: 0\r\nlocation: /x\r\n\r\n`);
    }
    sockets.handleUpgrade(request, socket, head, () => {});
  });
  const pushTo = async (socket: WebSocket): Promise<void> => {
    if (fault === "slow") return;
    const status = fault === null ? undefined : STATUS[fault];
    if (status !== undefined || fault === "redirect") return socket.terminate();
    const messages = PAPER_ASSETS.map((asset) => textOfBody(binance(asset)));
    const isRead = new AbortController();
    const { signal } = isRead;
    const read = Promise.race([
      once(socket, "pong", { signal }),
      once(socket, "close", { signal }),
    ]);
    // Half a frame: the header announces more than follows
    const raw = (socket as unknown as { readonly _socket: { write(bytes: Buffer): void } })._socket;
    if (fault === "half") {
      raw.write(Buffer.concat([Buffer.from([0x81, 0x7e, 0x10, 0x00]), Buffer.from("{")]));
      socket.terminate();
    } else for (const message of messages) socket.send(message);
    if (socket.readyState === socket.OPEN) socket.ping();
    await read.finally(() => isRead.abort());
  };
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
    async hasSeen(connections) {
      while (upgraded.size < connections) await once(onUpgrade, "upgrade");
    },
    push: async () => void (await Promise.all([...sockets.clients].map(pushTo))),
    async close() {
      for (const socket of upgraded) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await exchange.close();
    },
  };
}
