import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { chatIdOf } from "../../../../../test/ids.ts";
import { buildAgent } from "../../../../../test/shown-agent.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { session } from "../../../lib/session.ts";
import NextDecision from "./next-decision.tsx";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");
const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 10, 21, 8, 47, 55);

session.setState({ status: "signed-in", address: OWNER });

let asked: URLSearchParams[] = [];
let condition: object | undefined;
let isDown = false;

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, shouldAdvanceTime: true });
  asked = [];
  isDown = false;
  condition = {
    kind: "comparisons",
    all: [
      { left: { kind: "price", field: "close" }, is: "above", right: { kind: "number", value: 3 } },
    ],
  };
  replaceFetch((input) => {
    const url = new URL(input as string, "http://page.test");
    if (url.pathname.startsWith("/api/alerts/")) {
      const alert = { _id: "b".repeat(32), name: "breakout", description: "" };
      return Promise.resolve(Response.json([{ ...alert, ...(condition && { condition }) }]));
    }
    asked.push(url.searchParams);
    if (isDown)
      return Promise.resolve(Response.json({ code: "unavailable", message: "" }, { status: 503 }));
    const minutes = Number(url.searchParams.get("intervalMinutes"));
    const [from, to] = ["from", "to"].map((name) => Number(url.searchParams.get(name)));
    const times: number[] = [];
    for (let at = from ?? 0; at < (to ?? 0); at += minutes * 60_000) times.push(at);
    // Closed hours at 2, the minutes of the open hour at 4
    const price = minutes === 1 ? 4 : 2;
    const column = times.map(() => price);
    const bars = {
      openTimeMs: times,
      open: column,
      high: column,
      low: column,
      close: column,
      volume: column,
    };
    return Promise.resolve(
      Response.json({
        source: "practice market",
        bars,
        gaps: [],
        contradictions: [],
        nextFromMs: null,
      }),
    );
  });
});
afterEach(() => {
  vi.useRealTimers();
});

function open(autoTrade: "on" | "off" = "on", isOpen = true) {
  const agent = buildAgent({
    id: "a".repeat(32),
    chatId: chatIdOf("c"),
    owner: OWNER,
    isFunded: true,
    autoTrade,
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <NextDecision agent={{ ...agent, interval: "1h" }} isOpen={isOpen}>
        <button type="button">Watch last week</button>
      </NextDecision>
    </QueryClientProvider>,
  );
}

it("counts down to the close of the bar", async () => {
  open();
  expect((await screen.findByRole("timer")).textContent).toBe("12:05");
  for (let second = 0; second < 6; second += 1) {
    await act(() => vi.advanceTimersByTimeAsync(1_000));
  }
  expect(screen.getByRole("timer").textContent).toMatch(/^11:5\d$/);
});

it("shows the open bar's figure beside the threshold, and whether it would fire", async () => {
  open();
  expect(await screen.findByText("close 4, fires above 3")).toBeDefined();
  expect(screen.getByText("Fires if the bar closes so")).toBeDefined();
  const closed = asked.find((each) => each.get("intervalMinutes") === "60");
  expect(Number(closed?.get("to"))).toBe(Math.floor(NOW / HOUR) * HOUR);
});

it("reads no candle until it is opened", async () => {
  open("on", false);
  await screen.findByRole("timer");
  expect(asked).toEqual([]);
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
    .click(screen.getByText(/^Decides in/));
  expect(await screen.findByText("close 4, fires above 3")).toBeDefined();
});

it("says when a schedule fires next", async () => {
  condition = { kind: "time-of-day", atUtc: "12:00" };
  open();
  expect(await screen.findByText("fires at 12:00 UTC")).toBeDefined();
  const [time] = screen.getByRole("list").querySelectorAll("time");
  expect(time?.dateTime).toBe("2026-11-21T12:00:00.000Z");
});

it("keeps the countdown and offers another try where bars cannot be read", async () => {
  isDown = true;
  open();
  expect(await screen.findByText("The bars could not be loaded.")).toBeDefined();
  expect(screen.getByRole("timer").textContent).toMatch(/^12:0\d$/);
  expect(screen.getByText("fires when close above 3")).toBeDefined();
  isDown = false;
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime.bind(vi) })
    .click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("close 4, fires above 3")).toBeDefined();
});

it.each([
  ["is off", "off", true],
  ["has no condition of its own", "on", false],
] as const)("is not shown while the agent %s", async (_, autoTrade, hasCondition) => {
  if (!hasCondition) condition = undefined;
  const { container } = open(autoTrade);
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(container.textContent).toBe("");
});
