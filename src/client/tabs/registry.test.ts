import { describe, expect, it } from "vitest";
import { closeTab, showTab, useOpenTabs } from "./open-tabs.ts";
import { FALLBACK_TAB_ID, findTab, TABS } from "./registry.ts";
import { act, renderHook } from "@testing-library/react";

describe("the tab registry", () => {
  it("lists every tab of the workspace under its label", () => {
    expect(TABS.map(({ id, label }) => `${id}: ${label}`)).toEqual([
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
  it("keep at least one and open what is shown", () => {
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
});
