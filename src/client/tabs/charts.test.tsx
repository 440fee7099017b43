import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chatIdOf } from "../../../test/ids.ts";
import { buildAgent } from "../../../test/shown-agent.ts";
import { parseOwner } from "../../domain/ids.ts";
import type { Agent } from "../../contract/agent.ts";
import type { ChartView } from "../features/chart/chart-view.ts";
import type { ChartPicture } from "../features/chart/picture.ts";
import { replaceFetch } from "../lib/api.ts";
import { session } from "../lib/session.ts";
import { TooltipProvider } from "../ui/tooltip-provider.tsx";
import ChartsTab from "./charts.tsx";
import { changeTabState } from "./tab-state.ts";

const pictures: ChartPicture[] = [];
const acts: string[] = [];
const made = { views: 0 };

// The test page has no canvas; what is drawn on a real one is seen by e2e/chart.spec.ts
vi.mock("../features/chart/chart-view.ts", () => ({
  createChartView(): ChartView {
    made.views += 1;
    return {
      show: (picture) => pictures.push(picture),
      moveCursor(candles) {
        acts.push(`cursor ${candles}`);
        return { time: pictures.at(-1)?.candles.at(-2)?.time ?? null, fromTime: null };
      },
      moveCursorTo: () => null,
      clearCursor: () => acts.push("clear"),
      scroll: (candles) => acts.push(`scroll ${candles}`),
      zoom: () => acts.push("zoom"),
      reset: () => acts.push("reset"),
      fit: () => acts.push("fit"),
      onCursor(listener) {
        listener({ time: null, fromTime: null });
        return () => {};
      },
      takeScreenshot: () => document.createElement("canvas"),
      remove: () => acts.push("remove"),
    };
  },
}));

const id = (digit: string) => digit.repeat(32);
const CHAT = chatIdOf("c");
const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");
const DAY = 86_400;
const TODAY = Date.UTC(2026, 10, 21) / 1000;

const AGENT = buildAgent({
  id: id("a"),
  chatId: CHAT,
  owner: OWNER,
  isFunded: true,
  autoTrade: "on",
});

const TRADE = {
  _id: id("1"),
  market: "SOL-PERP",
  size: "0.5",
  percentage: "100",
  total: "80",
  type: "market",
  side: "long",
  webhookSignal: "OPEN_LONG",
  timestamps: new Date((TODAY + 60) * 1000).toISOString(),
  status: "success",
};

const candlesOf = (close: number) =>
  [3, 2, 1, 0].map((ago) => ({
    time: TODAY - ago * DAY,
    open: 100,
    high: 180,
    low: 90,
    close,
    volume: 1000,
  }));

let asked: URLSearchParams[] = [];
let isDown = false;
let isEmpty = false;
let close = 120;
let held: Promise<void> | undefined;
let positionReads = 0;
let entry: object = {};

/** Answers like the server; an unexpected call fails the test that makes it. */
function serve(): void {
  replaceFetch(async (input) => {
    const url = new URL(input as string, "http://page.test");
    if (url.pathname === "/api/candles") {
      asked.push(url.searchParams);
      await held;
      return isDown
        ? Response.json({ code: "unavailable", message: "down" }, { status: 503 })
        : Response.json({ source: "practice market", candles: isEmpty ? [] : candlesOf(close) });
    }
    if (url.pathname === "/api/logs/get-all-by-chat-id") {
      return Response.json([TRADE]);
    }
    if (url.pathname === "/api/trade/get-drift-position") {
      positionReads += 1;
      const response = {
        position: "3.5",
        ...entry,
        portfolioValue: "500",
        pnl: "-1.25",
        positionValue: "60",
        available: true,
      };
      return Response.json({ response });
    }
    if (url.pathname.startsWith("/api/alerts/")) return Response.json([]);
    throw new Error(`unexpected ${url.pathname}`);
  });
}

function open(agent: Agent | null = null) {
  session.setState({ status: "signed-in", address: agent ? OWNER : "" });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <ChartsTab
          chatId={agent ? CHAT : ""}
          agent={agent}
          network="practice"
          onShowDecision={() => {}}
          onShowOnChart={() => {}}
        />
      </TooltipProvider>
    </QueryClientProvider>,
  );
}

const drawn = () => waitFor(() => pictures.at(-1) ?? expect.fail("nothing drawn"));

beforeEach(() => {
  pictures.length = 0;
  acts.length = 0;
  made.views = 0;
  asked = [];
  isDown = false;
  isEmpty = false;
  close = 120;
  held = undefined;
  positionReads = 0;
  entry = {};
  localStorage.clear();
  changeTabState("charts", { timeframe: "1D", kind: "candles", comparisons: [] });
  serve();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the chart", () => {
  it("shows daily SOL candles without a wallet", async () => {
    open();
    expect(screen.getByRole("status").textContent).toContain("Loading chart...");
    const picture = await drawn();
    expect(Object.fromEntries(asked[0] ?? [])).toEqual({
      network: "practice",
      symbol: "SOLUSDT",
      interval: "1d",
      limit: "365",
    });
    expect(picture).toMatchObject({ kind: "candles", trades: [], comparisons: [] });
    expect(screen.getByRole("heading", { name: "SOL/USD" })).toBeTruthy();
    expect(screen.getByText("$120.00")).toBeTruthy();
    expect(screen.getByText("Practice market")).toBeTruthy();
    expect(screen.queryByText("Loading chart...")).toBeNull();
  });

  it("opens at the agent's interval, and keeps what the user chooses for that agent", async () => {
    const first = open(AGENT);
    await drawn();
    expect(asked[0]?.get("interval")).toBe("1h");
    await userEvent.click(screen.getByRole("button", { name: "1D" }));
    await waitFor(() => expect(asked.at(-1)?.get("interval")).toBe("1d"));
    first.unmount();
    open(AGENT);
    expect(screen.getByRole("button", { name: "1D" }).getAttribute("aria-pressed")).toBe("true");
  });

  it("marks entry price and size of the open position, and none while flat", async () => {
    entry = { side: "short", entryPrice: "131.5", position: "-3.7" };
    open({ ...AGENT, interval: "4h" });
    const mark = { price: 131.5, tone: "down", text: "Short 3.70" };
    await waitFor(() => expect(pictures.at(-1)?.levels).toEqual([mark]));
  });

  it.each([
    [
      "stop, targets and liquidation of a position whose plan is kept",
      { liquidationPrice: "9.25", kept: "watched" },
      ["Long 3.50 at 131.5", "Trailing stop at 130", "Target 2 at 140", "Liquidation at 9.25"],
    ],
    [
      "no level of a plan that is not kept, and no liquidation where no price leads to it",
      { liquidationPrice: "none", kept: "none" },
      ["Long 3.50 at 131.5"],
    ],
  ])("draws %s", async (_name, { liquidationPrice, kept }, drawnLevels) => {
    const stop = { price: "130", by: "trail" };
    const plan = { kept, stop, targets: [{ target: 2, price: "140" }] };
    entry = { side: "long", entryPrice: "131.5", liquidationPrice, plan };
    open(AGENT);
    const texts = () => pictures.at(-1)?.levels.map(({ text, price }) => `${text} at ${price}`);
    await waitFor(() => expect(texts()).toEqual(drawnLevels));
  });

  it("carries the agent's trades and position", async () => {
    const { container } = open(AGENT);
    await waitFor(() => expect(pictures.at(-1)?.trades).toHaveLength(1));
    await waitFor(() => expect(container.textContent).toContain("Pos: 3.50 SOL"));
    expect(container.textContent).toContain("P&L: −1.25%");
    expect(container.textContent).toContain("$60.00");
  });

  it("keeps the old candles while another timeframe loads, and remembers the timeframe", async () => {
    open();
    await drawn();
    let release = () => {};
    held = new Promise((resolve) => (release = resolve));
    await userEvent.click(screen.getByRole("button", { name: "30m" }));
    expect(screen.getByText("Loading chart...")).toBeTruthy();
    expect(pictures.at(-1)?.key).toBe("practice SOLUSDT 1d 365");
    release();
    await waitFor(() => expect(pictures.at(-1)?.key).toBe("practice SOLUSDT 30m 300"));
    expect(pictures.at(-1)?.candleSeconds).toBe(1800);
    expect(screen.getByRole("button", { name: "30m" }).getAttribute("aria-pressed")).toBe("true");
    expect(localStorage.getItem("tab-state")).toContain('"timeframe":"30m"');
    expect(made.views).toBe(1);
  });

  it("switches between candles and line in the same chart", async () => {
    open();
    await drawn();
    await userEvent.click(screen.getByRole("button", { name: "Line" }));
    expect(pictures.at(-1)?.kind).toBe("line");
    await userEvent.click(screen.getByRole("button", { name: "Candles" }));
    expect(pictures.at(-1)?.kind).toBe("candles");
    expect(made.views).toBe(1);
  });

  it("adds a comparison asset once, as a chip that removes it", async () => {
    open();
    await drawn();
    await userEvent.click(screen.getByRole("button", { name: "Compare" }));
    await userEvent.click(await screen.findByRole("menuitem", { name: "ETH" }));
    await waitFor(() => expect(pictures.at(-1)?.comparisons[0]?.asset).toBe("ETH"));
    expect(asked.at(-1)?.get("symbol")).toBe("ETHUSDT");
    await userEvent.click(screen.getByRole("button", { name: "Compare" }));
    await screen.findByRole("menuitem", { name: "BTC" });
    expect(screen.queryByRole("menuitem", { name: "ETH" })).toBeNull();
    await userEvent.keyboard("{Escape}");
    await userEvent.click(screen.getByRole("button", { name: "Remove ETH" }));
    await waitFor(() => expect(pictures.at(-1)?.comparisons).toEqual([]));
  });

  it("refetches every 30 s and updates the drawing in place", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    open();
    const { key } = await drawn();
    close = 130;
    await vi.advanceTimersByTimeAsync(29_000);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1500);
    await waitFor(() => expect(screen.getByText("$130.00")).toBeTruthy());
    expect(pictures.at(-1)?.key).toBe(key);
  });
});

describe("the position beside the chart", () => {
  it("is read every 10 s", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    open(AGENT);
    await waitFor(() => expect(positionReads).toBe(1));
    await vi.advanceTimersByTimeAsync(9_000);
    expect(positionReads).toBe(1);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(positionReads).toBe(2);
  });

  it("has its candles read with it, so that price and P&L are of one moment", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    open(AGENT);
    await drawn();
    await waitFor(() => expect(positionReads).toBe(1));
    expect(asked).toHaveLength(1);
    close = 130;
    await vi.advanceTimersByTimeAsync(10_500);
    expect(positionReads).toBe(2);
    await waitFor(() => expect(screen.getByText("$130.00")).toBeTruthy());
    expect(asked).toHaveLength(2);
  });
});

describe("when candles cannot be read", () => {
  it("shows sample data that says so, without trades or a price, until a retry works", async () => {
    isDown = true;
    const { container } = open(AGENT);
    expect(await screen.findByText("Failed to load chart data")).toBeTruthy();
    expect(screen.getByText("Sample data - not market prices")).toBeTruthy();
    const sample = await drawn();
    expect(sample.candles).toHaveLength(200);
    expect(sample.trades).toEqual([]);
    expect(container.querySelector("header")?.textContent).not.toMatch(/^SOL\/USD\$/);
    isDown = false;
    await userEvent.click(screen.getByRole("button", { name: "Retry" }));
    await waitFor(() => expect(pictures.at(-1)?.candles).toHaveLength(4));
    expect(screen.queryByText("Sample data - not market prices")).toBeNull();
    expect(screen.queryByText("Failed to load chart data")).toBeNull();
  });

  it("says so when a market has no candles yet", async () => {
    isEmpty = true;
    const { container } = open();
    expect(await screen.findByText("No candles of this market yet")).toBeTruthy();
    expect(container.querySelector(".invisible")).toBeTruthy();
    expect(pictures).toEqual([]);
  });

  it("keeps the last good candles in grey", async () => {
    const { container } = open();
    await drawn();
    isDown = true;
    await userEvent.click(screen.getByRole("button", { name: "1W" }));
    expect(await screen.findByText("Failed to load chart data")).toBeTruthy();
    expect(screen.getByText("Showing 1D")).toBeTruthy();
    expect(container.querySelector(".grayscale")).toBeTruthy();
    expect(pictures.at(-1)?.key).toBe("practice SOLUSDT 1d 365");
    expect(screen.queryByText("Sample data - not market prices")).toBeNull();
  });
});

describe("keys", () => {
  it("work on the focused chart and read candles out", async () => {
    open();
    await drawn();
    screen.getByRole("application", { name: "SOL/USD price chart" }).focus();
    await userEvent.keyboard("{ArrowLeft}");
    expect(acts).toContain("cursor -1");
    expect(screen.getByText(/^20 Nov 2026, open 100.00, .* volume 1.0K$/)).toBeTruthy();
    await userEvent.keyboard("c");
    expect(pictures.at(-1)?.kind).toBe("line");
    await userEvent.keyboard("4");
    await waitFor(() => expect(asked.at(-1)?.get("interval")).toBe("1w"));
  });

  it("do nothing anywhere else", async () => {
    open();
    await drawn();
    screen.getByRole("button", { name: "1D" }).focus();
    await userEvent.keyboard("c4{ArrowLeft}");
    expect(pictures.at(-1)?.kind).toBe("candles");
    expect(acts).not.toContain("cursor -1");
    expect(asked).toHaveLength(1);
  });
});
