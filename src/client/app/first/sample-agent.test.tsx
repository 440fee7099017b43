import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { NO_COSTS } from "../../../../test/simulated.ts";
import { seededRandom } from "../../../strategy/random.ts";
import { replaceFetch } from "../../lib/api.ts";
import SampleAgent from "./sample-agent.tsx";

const STEP_MS = 30 * 60_000;

/** The worker's own code, run in the test's thread. */
class WorkerHere extends EventTarget {
  constructor() {
    super();
    vi.stubGlobal("postMessage", (data: unknown) =>
      this.dispatchEvent(new MessageEvent("message", { data })),
    );
  }
  postMessage(data: unknown): void {
    globalThis.dispatchEvent(new MessageEvent("message", { data }));
  }
  terminate(): void {}
}

beforeEach(async () => {
  vi.stubGlobal("Worker", WorkerHere);
  await import("../../workers/simulate.ts");
});

/** Candles of a random walk between two times. */
function candles(fromMs: number, toMs: number) {
  const random = seededRandom(7);
  let price = 140;
  const opens: number[] = [];
  const closes: number[] = [];
  const times: number[] = [];
  for (let atMs = fromMs; atMs + STEP_MS <= toMs; atMs += STEP_MS) {
    times.push(atMs);
    opens.push(price);
    price *= 1 + (random() - 0.5) / 50;
    closes.push(price);
  }
  return {
    openTimeMs: times,
    open: opens,
    close: closes,
    high: opens.map((open, at) => Math.max(open, closes[at] ?? 0)),
    low: opens.map((open, at) => Math.min(open, closes[at] ?? 0)),
    volume: opens.map(() => 1),
  };
}

/** Shows the sample on a server with these candles, and returns how the server was asked. */
function show(bars: typeof candles) {
  const asked: string[] = [];
  replaceFetch((input) => {
    const url = new URL(input as string, "http://page.test");
    asked.push(url.pathname);
    const time = (name: string) => Number(url.searchParams.get(name));
    if (url.pathname === "/api/candles/history") {
      return Promise.resolve(
        Response.json({
          source: "practice market",
          bars: bars(time("from"), time("to")),
          gaps: [],
          contradictions: [],
          nextFromMs: null,
        }),
      );
    }
    return Promise.resolve(
      Response.json({
        ...NO_COSTS,
        minBaseSize: "1",
        baseStep: "1",
        quoteSymbol: "USDC",
        quoteDecimals: 6,
        sources: { fee: "", spread: "", impact: "", funding: "", minimum: "" },
      }),
    );
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <SampleAgent network="practice" />
    </QueryClientProvider>,
  );
  return asked;
}

it("shows what the simulation traded and why, from public calls only, and says it is invented", async () => {
  const asked = show(candles);
  expect(screen.getByText("Practice, invented prices")).toBeDefined();
  const list = await screen.findByRole("list", { name: "Last trades of the sample agent" });
  const [latest] = within(list).getAllByRole("listitem");
  expect(latest?.textContent).toMatch(/^(Bought|Sold short) \d+\.\d\d SOL at \$\d+\.\d\d/);
  await userEvent.click(within(list).getAllByText("Why")[0] as HTMLElement);
  expect(latest?.textContent).toMatch(/Alert “trend (up|down)” fired\. EMA 20 crosses/);
  expect(new Set(asked)).toEqual(new Set(["/api/candles/history", "/api/trading-costs"]));
});

it("says that there are no candles instead of showing a result of nothing", async () => {
  show(() => candles(0, 0));
  expect(await screen.findByText(/No candles came for this market/)).toBeDefined();
  expect(screen.queryByText("Trades")).toBeNull();
});

it("offers to try again where the candles do not load", async () => {
  show(() => {
    throw new TypeError("Failed to fetch");
  });
  expect(await screen.findByText("The sample agent could not be loaded.")).toBeDefined();
  expect(screen.queryByText("Trades")).toBeNull();
});
