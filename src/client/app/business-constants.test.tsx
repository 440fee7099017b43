import { getPosition } from "../../contract/trade.ts";
import { listUserPositions } from "../../contract/wallet-trades.ts";
import { read } from "../queries/read.ts";
import { focusManager, QueryClient, QueryObserver } from "@tanstack/react-query";
import { act, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { agentIdOf, chatIdOf } from "../../../test/ids.ts";
import { MAX_REQUIRED_COUNT } from "../../domain/agent-draft.ts";
import { parseOwner } from "../../domain/ids.ts";
import {
  INTERVAL_PRESETS,
  MAX_INTERVAL_MINUTES,
  MIN_INTERVAL_MINUTES,
} from "../../domain/interval.ts";
import {
  DEFAULT_SLIPPAGE_BPS,
  MAX_SLIPPAGE_BPS,
  MIN_SLIPPAGE_BPS,
  SLIPPAGE_PRESETS_BPS,
} from "../../domain/slippage.ts";
import {
  delegationLamports,
  EXIT_UNIT_PRICE_MICRO_LAMPORTS,
  OWNER_UNIT_PRICE_MICRO_LAMPORTS,
  quoteDust,
  SET_UP_WALLET_LAMPORTS,
  VAULT_FUNDING_LAMPORTS,
  VAULT_MIN_LAMPORTS,
  VAULT_RESERVE_LAMPORTS,
  WALLET_LAMPORTS,
} from "../../server/custody/account/custody-limits.ts";
import { COMPARISON_ASSETS, HUE_STEP } from "../features/chart/comparison.ts";
import { CANDLE_COLOURS } from "../features/chart/palette.ts";
import { DEFAULT_TIMEFRAME_ID, TIMEFRAME_IDS, timeframeOf } from "../features/chart/timeframe.ts";
import { CHAT_COLOURS } from "../lib/chat-colour.ts";
import { AUTH_RETRY_MS, AUTH_TRIES } from "../features/account/authenticate.ts";
import { shortenAddress } from "../lib/format.ts";
import { HEALTH_CHECK_MS } from "../lib/health.ts";
import { storedLayout } from "../lib/stored.ts";
import { candlesQuery } from "../queries/candles.ts";
import { tradeLogQuery } from "../queries/trade-log.ts";
import { TRANSACTION_POLL_MS } from "../queries/transactions.ts";
import { SWIPE_PX, TOAST_HOTKEY } from "../ui/toaster.tsx";
import { TOOLTIP_DELAY_MS, TooltipProvider, Tooltip } from "../ui/tooltip-provider.tsx";
import {
  AFTER_ACCOUNT_CHANGE_MS,
  AFTER_CONNECT_MS,
  RECONNECT_MS,
  START_UP_MS,
} from "./session-controller.ts";
import {
  CHAT_MIN,
  KEYBOARD_STEP,
  LAYOUT_SAVE_MS,
  MAIN_DEFAULT,
  MAIN_MIN,
  saveLayout,
  stepLayout,
} from "../lib/split-layout.ts";

beforeEach(() => {
  vi.useFakeTimers();
  localStorage.clear();
});

afterEach(() => {
  vi.useRealTimers();
  focusManager.setFocused(undefined);
});

describe("the constants of the workspace", () => {
  it("have the specified values", () => {
    expect({
      AUTH_TRIES,
      AUTH_RETRY_MS,
      AFTER_CONNECT_MS,
      RECONNECT_MS,
      AFTER_ACCOUNT_CHANGE_MS,
      START_UP_MS,
      HEALTH_CHECK_MS,
      TOOLTIP_DELAY_MS,
      SWIPE_PX,
      TOAST_HOTKEY,
      MAIN_DEFAULT,
      MAIN_MIN,
      CHAT_MIN,
      KEYBOARD_STEP,
      LAYOUT_SAVE_MS,
      colours: new Set(CHAT_COLOURS).size,
      DEFAULT_TIMEFRAME_ID,
      COMPARISON_ASSETS: COMPARISON_ASSETS.join(),
      address: shortenAddress("ABCDEFGHIJKLMNOP"),
    }).toEqual({
      AUTH_TRIES: 3,
      AUTH_RETRY_MS: 1000,
      AFTER_CONNECT_MS: 1000,
      RECONNECT_MS: 500,
      AFTER_ACCOUNT_CHANGE_MS: 500,
      START_UP_MS: 500,
      HEALTH_CHECK_MS: 30_000,
      TOOLTIP_DELAY_MS: 700,
      SWIPE_PX: 50,
      TOAST_HOTKEY: "F8",
      MAIN_DEFAULT: 65,
      MAIN_MIN: 30,
      CHAT_MIN: 20,
      KEYBOARD_STEP: 10,
      LAYOUT_SAVE_MS: 100,
      colours: 16,
      DEFAULT_TIMEFRAME_ID: "1D",
      COMPARISON_ASSETS: "BTC,ETH,ADA,DOT,AVAX",
      address: "ABCD...MNOP",
    });
  });

  it("save a layout once, 100 ms after the last change", () => {
    saveLayout({ main: 50, chat: 50 });
    vi.advanceTimersByTime(99);
    saveLayout({ main: 60, chat: 40 });
    vi.advanceTimersByTime(99);
    expect(storedLayout.read()).toBeNull();
    vi.advanceTimersByTime(1);
    expect(storedLayout.read()).toEqual({ main: 60, chat: 40 });
  });

  it("move the bar by 10% and no further than the minimums", () => {
    expect(stepLayout(65, -KEYBOARD_STEP)).toEqual({ main: 55, chat: 45 });
    expect(stepLayout(35, -KEYBOARD_STEP)).toEqual({ main: 30, chat: 70 });
    expect(stepLayout(75, KEYBOARD_STEP)).toEqual({ main: 80, chat: 20 });
  });

  it("show a tooltip after 700 ms, not before", () => {
    render(
      <TooltipProvider>
        <Tooltip label="New Chat">
          <button type="button">+</button>
        </Tooltip>
      </TooltipProvider>,
    );
    fireEvent.pointerOver(screen.getByText("+"));
    act(() => void vi.advanceTimersByTime(699));
    expect(screen.queryByRole("tooltip")).toBeNull();
    act(() => void vi.advanceTimersByTime(1));
    expect(screen.getByRole("tooltip").textContent).toBe("New Chat");
  });
});

describe("polling", () => {
  const candles = candlesQuery({
    network: "practice",
    symbol: "SOLUSDT",
    interval: "1d",
    limit: 365,
  });
  const owner = parseOwner("A".repeat(44));

  async function countFetches(options: object, ms: number): Promise<readonly number[]> {
    let count = 0;
    const client = new QueryClient();
    const stop = new QueryObserver(client, {
      ...(options as { queryKey: readonly string[] }),
      queryFn: () => Promise.resolve(++count),
    }).subscribe(() => {});
    const counts = [];
    for (const wait of [0, ms - 1, 1]) {
      await vi.advanceTimersByTimeAsync(wait);
      counts.push(count);
    }
    stop();
    client.clear();
    return counts;
  }

  it.each([
    ["the trade log", tradeLogQuery(owner, chatIdOf("0"), "trades"), 3000],
    [
      "the header's position",
      read(owner, getPosition, { query: { agentId: agentIdOf("0") } }),
      5000,
    ],
    ["the wallet's positions", read(owner, listUserPositions, { query: { owner } }), 10_000],
    ["the candles", candles, 30_000],
  ])("%s", async (_, options, ms) => {
    expect(await countFetches(options, ms)).toEqual([1, 1, 2]);
  });

  it("stops while the page is hidden", async () => {
    focusManager.setFocused(false);
    expect(await countFetches(tradeLogQuery(owner, chatIdOf("0"), "trades"), 60_000)).toEqual([
      1, 1, 1,
    ]);
  });

  it("keeps the log for 5 minutes, trusts it for 2 s and tries 3 times, 1 s doubling to 30 s", () => {
    const { staleTime, gcTime, retry, retryDelay } = tradeLogQuery(owner, chatIdOf("0"), "trades");
    expect([staleTime, gcTime, retry]).toEqual([2000, 300_000, 3]);
    const delay = retryDelay as (attempt: number) => number;
    expect([0, 1, 2, 9].map(delay)).toEqual([1000, 2000, 4000, 30_000]);
  });

  it("includes an open transaction every second", () => {
    expect(TRANSACTION_POLL_MS).toBe(1000);
  });
});

describe("the constants of agents and money", () => {
  it("have the specified values", () => {
    expect(INTERVAL_PRESETS.join()).toBe("30m,45m,1h,2h,3h,4h,6h,1d,1w");
    expect([MIN_INTERVAL_MINUTES, MAX_INTERVAL_MINUTES]).toEqual([28, 10_080]);
    expect([...SLIPPAGE_PRESETS_BPS]).toEqual([10, 50]);
    expect([MIN_SLIPPAGE_BPS, DEFAULT_SLIPPAGE_BPS, MAX_SLIPPAGE_BPS]).toEqual([1, 50, 500]);
    expect(MAX_REQUIRED_COUNT).toBe(60);
    expect(HUE_STEP).toBe(57);
    expect(CANDLE_COLOURS).toEqual({ up: "#26a69a", down: "#ef5350" });
  });

  it("ask for the specified candles", () => {
    const asked = TIMEFRAME_IDS.map((timeframe) => {
      const { interval, limit } = timeframeOf(timeframe);
      return `${timeframe}: ${limit} of ${interval}`;
    });
    expect(asked).toEqual([
      "30m: 300 of 30m",
      "1h: 200 of 1h",
      "1D: 365 of 1d",
      "1W: 52 of 1w",
      "1M: 120 of 1M",
      "3M: 90 of 1d",
    ]);
  });

  it("are exact for every lamport", () => {
    const sol = (hundredths: bigint) => hundredths * 10_000_000n;
    expect(SET_UP_WALLET_LAMPORTS).toBe(sol(20n));
    expect(VAULT_FUNDING_LAMPORTS).toBe(sol(10n));
    expect(VAULT_MIN_LAMPORTS).toBe(sol(5n));
    expect(WALLET_LAMPORTS).toBe(sol(1n));
    expect(VAULT_RESERVE_LAMPORTS).toBe(1_000_000n);
    expect(delegationLamports(0n, 0n)).toBe(35_000_000n);
    expect([OWNER_UNIT_PRICE_MICRO_LAMPORTS, EXIT_UNIT_PRICE_MICRO_LAMPORTS]).toEqual([
      5_000n,
      20_000n,
    ]);
    expect(quoteDust(6)).toBe(10_000n);
  });
});
