import { act, renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { navigate } from "wouter/use-browser-location";
import { shownTabs } from "./open-tabs.ts";
import { FALLBACK_TAB_ID, findTab, TABS } from "./registry.ts";

describe("the tab registry", () => {
  it("keeps id and label of each tab, because links use them, and allows further tabs", () => {
    const kept = TABS.slice(0, 10).map(({ id, label }) => `${id}: ${label}`);
    expect(kept).toEqual([
      "portfolio: Portfolio",
      "charts: Chart",
      "trade-log: Trade Log",
      "manage-funds: Manage Funds",
      "backtesting: Backtest",
      "github: Code",
      "simulation: Simulate",
      "performance: Performance",
      "ssh: SSH",
      "causal-factor-graphs: Causal Factor Graphs",
    ]);
    expect(findTab(FALLBACK_TAB_ID)?.label).toBe("Chart");
  });
});

describe("the open tabs", () => {
  beforeEach(() => {
    localStorage.clear();
    act(() => navigate("/chat/1"));
  });

  /** Returns the tabs as a visit begins; other files of the worker have opened some. */
  function beginVisit(): Promise<typeof import("./open-tabs.ts")> {
    vi.resetModules();
    return import("./open-tabs.ts");
  }

  it.each([
    ["the last one used", "trade-log", "trade-log"],
    ["the portfolio, the home of the workspace", "portfolio", "portfolio"],
    ["the portfolio for a newcomer", null, "portfolio"],
    ["the chart where the last one has nothing in it", "ssh", "charts"],
    ["the portfolio where the last one is no tab any more", "gone", "portfolio"],
  ])("start a visit with %s", async (_name, last, active) => {
    if (last !== null) localStorage.setItem("workspace-tab", last);
    const tabs = await beginVisit();
    const { result } = renderHook(() => tabs.useOpenTabs());
    expect(result.current.active).toBe(active);
    act(() => tabs.showTab("portfolio"));
    expect(localStorage.getItem("workspace-tab")).toBe("portfolio");
  });

  it.each([
    ["three for a newcomer", null, ["portfolio", "charts", "trade-log"]],
    [
      "eight for a browser that has connected a wallet",
      { walletType: "practice", walletAddress: "A" },
      [
        "portfolio",
        "charts",
        "trade-log",
        "manage-funds",
        "backtesting",
        "github",
        "simulation",
        "performance",
      ],
    ],
  ] as const)("are %s", async (_name, wallet, open) => {
    if (wallet) {
      localStorage.setItem("wallet-storage", JSON.stringify({ version: 1, value: wallet }));
    }
    const tabs = await beginVisit();
    const { result } = renderHook(() => tabs.useOpenTabs());
    expect(result.current.open).toEqual(open);
  });

  it("stay three for a newcomer who connects a wallet and comes again", async () => {
    localStorage.clear();
    for (const _visit of ["before the wallet is connected", "after it"]) {
      vi.resetModules();
      const tabs = await import("./open-tabs.ts");
      const { result } = renderHook(() => tabs.useOpenTabs());
      expect(result.current.open).toEqual(["portfolio", "charts", "trade-log"]);
      localStorage.setItem(
        "wallet-storage",
        JSON.stringify({ version: 1, value: { walletType: "practice", walletAddress: "A" } }),
      );
    }
  });

  it("are each described where they are offered", () => {
    const hidden = TABS.filter(({ isOpenAtFirst }) => isOpenAtFirst !== "always");
    expect(hidden.filter(({ note }) => note === undefined)).toEqual([]);
  });

  it("keep at least one tab and include the shown one", async () => {
    const { closeTab, showTab, useOpenTabs } = await beginVisit();
    const { result } = renderHook(() => useOpenTabs());
    expect(result.current.active).toBe("portfolio");
    act(() => TABS.forEach(({ id }) => closeTab(id)));
    expect(result.current.open).toHaveLength(1);
    act(() => showTab("ssh"));
    expect(result.current.open).toContain("ssh");
    expect(result.current.active).toBe("ssh");
    act(() => showTab("no-such-tab"));
    expect(result.current.active).toBe("ssh");
  });

  it("show at least one tab, with and without an agent", () => {
    expect(shownTabs(["portfolio", "manage-funds"], true)).toEqual(["portfolio", "manage-funds"]);
    expect(shownTabs(["portfolio", "manage-funds"], false)).toEqual(["portfolio"]);
    expect(shownTabs(["manage-funds"], false)).toEqual(["charts"]);
  });

  it("put the active tab into the address, which opens it elsewhere", async () => {
    const { closeTab, showTab, useOpenTabs } = await beginVisit();
    const { result } = renderHook(() => useOpenTabs());
    act(() => showTab("trade-log"));
    expect(location.pathname + location.search).toBe("/chat/1?tab=trade-log");
    act(() => closeTab("trade-log"));
    expect(location.search).not.toContain("trade-log");
    act(() => navigate("/chat/1?tab=trade-log"));
    expect(result.current.active).toBe("trade-log");
    expect(result.current.open).toContain("trade-log");
    act(() => navigate("/chat/1?tab=nonsense"));
    expect(result.current.active).toBe("charts");
  });
});
