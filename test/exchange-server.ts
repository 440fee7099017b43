import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Clock } from "../src/domain/clock.ts";
import { createPracticeMarket } from "../src/practice/practice-market.ts";
import { BYBIT_FUNDING } from "./recorded/price-answers.ts";

type Row = [openTimeMs: number, ...figures: string[]];

/** Fault of the test exchange, in effect until another is set. */
export type Misbehaviour =
  /** Returns no bar that closed after a time. */
  | { readonly kind: "late"; readonly sinceMs: number }
  /** Omits the bar that opened at a time. */
  | { readonly kind: "gap"; readonly openTimeMs: number }
  /** Returns a different close price for the bar that opened at a time. */
  | { readonly kind: "changed"; readonly openTimeMs: number }
  /** Multiplies every price by a factor. */
  | { readonly kind: "apart"; readonly factor: number }
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: number }
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "repeat" | "reorder" | "other times" | "no numbers" | "hang" | "break off" };

export interface ExchangeServer {
  /** URL that answers in Binance's format. */
  readonly binance: string;
  /** URL that answers in Bybit's format. */
  readonly bybit: string;
  /** Requests answered since the last time this was read. */
  requests(): number;
  misbehave(how: Misbehaviour | null): void;
  close(): Promise<void>;
}

const MINUTES: Readonly<Record<string, number>> = {
  "1m": 1,
  "15m": 15,
  "1h": 60,
  "1": 1,
  "15": 15,
  "60": 60,
};

const MINUTE_MS = 60_000;

/** A rate every eight hours, newest first, at most 200: -0.0002 to 0.0002 in turn. */
function fundingRows(symbol: string, fromMs: number, toMs: number) {
  const stepMs = 480 * MINUTE_MS;
  const last = Math.floor(toMs / stepMs);
  const count = Math.max(0, Math.min(200, last - Math.ceil(fromMs / stepMs) + 1));
  return Array.from({ length: count }, (_, at) => ({
    symbol,
    fundingRate: String((((last - at) % 5) - 2) / 10_000),
    fundingRateTimestamp: String((last - at) * stepMs),
  }));
}

/** Starts a real HTTP server with the candles of a made-up market in the form of two exchanges, open ones included. */
export async function startExchange(clock: Clock, seed?: number): Promise<ExchangeServer> {
  const market = createPracticeMarket(seed);
  let how: Misbehaviour | null = null;
  let requests = 0;

  function rowsOf(symbol: string, minutes: number, fromMs: number, toMs: number): Row[] {
    const lengthMs = minutes * MINUTE_MS;
    const rows: Row[] = [];
    const factor = how?.kind === "apart" ? how.factor : 1;
    const text = (figure: bigint) => String((Number(figure) / 1_000_000) * factor);
    let openTimeMs = Math.ceil(fromMs / lengthMs) * lengthMs;
    for (; openTimeMs <= toMs && openTimeMs < clock.now() && rows.length < 1_000;) {
      const closeTimeMs = openTimeMs + lengthMs;
      const span = { openTimeMs, closeTimeMs };
      const candle = market.candle(symbol.replace("USDT", ""), span, clock.now());
      if (candle !== undefined) {
        const { open, high, low, close, volume } = candle;
        rows.push([openTimeMs, text(open), text(high), text(low), text(close), String(volume)]);
      }
      openTimeMs = closeTimeMs;
    }
    return misbehaved(rows, how, lengthMs);
  }

  function answer(request: IncomingMessage, response: ServerResponse): void {
    requests += 1;
    if (how?.kind === "hang") return;
    if (how?.kind === "break off")
      return void response.writeHead(200).write("[[17", () => response.destroy());
    if (how?.kind === "status") {
      const { status, retryAfter } = how;
      response.writeHead(
        status,
        retryAfter === undefined ? {} : { "retry-after": `${retryAfter}` },
      );
      return void response.end("{}");
    }
    if (how?.kind === "text") return void response.end(how.text);
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://exchange.test");
    const figure = (...names: string[]) =>
      Number(names.map((name) => searchParams.get(name)).find((value) => value !== null));
    const rows = rowsOf(
      searchParams.get("symbol") ?? "",
      MINUTES[searchParams.get("interval") ?? ""] ?? 1,
      figure("startTime", "start"),
      figure("endTime", "end"),
    );
    response.setHeader("content-type", "application/json");
    if (pathname === "/v5/market/funding/history") {
      const [from, to] = [figure("startTime"), figure("endTime")];
      const list = fundingRows(searchParams.get("symbol") ?? "", from, Math.min(to, clock.now()));
      return void response.end(
        JSON.stringify({ ...BYBIT_FUNDING, result: { category: "linear", list } }),
      );
    }
    response.end(
      JSON.stringify(
        pathname.startsWith("/v5/")
          ? { retCode: 0, result: { list: rows.map((row) => row.map(String)).toReversed() } }
          : rows.map((row) => [...row, row[0] + 1, "0", 0, "0", "0", "0"]),
      ),
    );
  }

  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    binance: origin,
    bybit: origin,
    requests() {
      const count = requests;
      requests = 0;
      return count;
    },
    misbehave(next) {
      how = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

function misbehaved(rows: Row[], how: Misbehaviour | null, lengthMs: number): Row[] {
  switch (how?.kind) {
    case "late":
      return rows.filter(([openTimeMs]) => openTimeMs + lengthMs <= how.sinceMs);
    case "gap":
      return rows.filter(([openTimeMs]) => openTimeMs !== how.openTimeMs);
    case "changed":
      return rows.map((row) =>
        row[0] === how.openTimeMs ? ([row[0], row[1], row[2], row[3], row[3], row[5]] as Row) : row,
      );
    case "repeat":
      return rows.flatMap((row, at) => (at === rows.length - 1 ? [row, row] : [row]));
    case "reorder":
      return rows.toReversed();
    case "other times":
      return rows.map(([openTimeMs, ...figures]) => [openTimeMs - 7 * 86_400_000, ...figures]);
    case "no numbers":
      return rows.map(([openTimeMs]) => [openTimeMs, "NaN", "x", "", "-1", "0"]);
    default:
      return rows;
  }
}
