import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { describe, expect, it } from "vitest";
import { buildSimulation, NO_COSTS, wanderingBars } from "../../../../../test/simulated.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import { toColumns } from "../../../../strategy/bar-times.ts";
import { deviationOf } from "../../../../strategy/measures.ts";
import { seededRandom } from "../../../../strategy/random.ts";
import { reportOf } from "../../../../strategy/report.ts";
import { simulate } from "../../../../strategy/simulate.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { storedToken } from "../../../lib/stored.ts";
import { variantKey } from "../../../../assistant/run-simulation.ts";
import type { AgentReport, TriedVariant } from "../../../../assistant/simulate-agent.ts";
import { useJudged } from "./use-judged.ts";
import { session } from "../../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const TOKEN = `h.${btoa(JSON.stringify({ sub: OWNER, exp: Date.now() / 1000 + 600 }))}.s`;

const bars = wanderingBars(1_200, 2);
const { bars: _, ...input } = buildSimulation(
  bars,
  bars.map((__, at) => [at, at % 2 === 0 ? "OPEN_LONG" : "CLOSE_LONG"] as const),
);
const done: AgentReport = {
  network: "practice",
  request: { ...input, columns: toColumns(bars), seed: 1 },
  report: {
    ...reportOf(simulate({ ...input, bars }), 6, seededRandom(1)),
    inputHash: "",
    variant: variantKey(input.agent, input.firings),
  },
  known: {
    ...NO_COSTS,
    quoteSymbol: "USDC",
    quoteDecimals: 6,
    sources: { fee: "", spread: "", impact: "", funding: "", minimum: "" },
  },
  source: "practice market",
  contradictions: 0,
  barMinutes: 60,
};

interface Counted {
  readonly variants: readonly TriedVariant[];
}

/** A server that keeps what was counted; it refuses where told. */
function keep(isRefusing = false) {
  storedToken.write(TOKEN);
  const kept = new Map<string, number | null>();
  const seen = new Set<string>();
  replaceFetch((_input, init) => {
    if (isRefusing) {
      const refusal = { code: "validation_failed", message: "No" };
      return Promise.resolve(Response.json(refusal, { status: 422 }));
    }
    const { variants } = JSON.parse(init?.body as string) as Counted;
    for (const { variant, tStatistic, isKeptOutSeen } of variants) {
      kept.set(variant, tStatistic);
      if (isKeptOutSeen) seen.add(variant);
    }
    const known = [...kept.values()].filter((each) => each !== null);
    const variance = deviationOf(known) ** 2;
    return Promise.resolve(
      Response.json({ tries: kept.size, variance, isFull: false, looks: seen.size }),
    );
  });
}

/** Opens the result in a browser of its own. */
const open = () =>
  renderHook(() => useJudged(done), {
    wrapper: ({ children }: { readonly children: ReactNode }) => (
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    ),
  });

const grid = Array.from({ length: 400 }, (__, at) => ({
  variant: at.toString(16).padStart(32, "0"),
  tStatistic: (at % 9) - 4,
  isKeptOutSeen: at < 2,
}));

describe("a judged result", () => {
  it("counts a grid's variants, also in another browser after the tab was closed", async () => {
    keep();
    const first = open();
    await waitFor(() => expect(first.result.current.report.measures.deflatedSharpe).not.toBeNull());
    const before = first.result.current.report.measures.deflatedSharpe ?? 0;
    act(() => first.result.current.addTried(grid));
    const after = "After 400 variants tried on this market, the chance";
    const said = () => first.result.current.report.sentences.join(" ");
    await waitFor(() => expect(said()).toContain(after));
    expect(said()).toContain("looked at 2 times");
    const judged = first.result.current.report.measures.deflatedSharpe ?? 1;
    expect(judged).toBeLessThan(before);
    first.unmount();
    const second = open();
    await waitFor(() =>
      expect(second.result.current.report.measures.deflatedSharpe).toBeCloseTo(judged, 12),
    );
    expect(second.result.current.report.sentences.join(" ")).toContain(after);
    expect(second.result.current.report.sentences.join(" ")).toContain("looked at 2 times");
  });

  it("says nothing about luck while the number of tries is unknown", async () => {
    keep(true);
    const { result } = open();
    await waitFor(() =>
      expect(result.current.report.sentences.join(" ")).toContain("could not be"),
    );
    expect(result.current.report.measures.deflatedSharpe).toBeNull();
    expect(result.current.report.sentences.join(" ")).toContain("nothing is said about luck");
  });
});

describe("the digest of a variant", () => {
  const { agent } = input;
  const conditions = { kind: "conditions" } as const;
  const digest = (changes: object = {}) => variantKey({ ...agent, ...changes }, conditions);

  it("changes with every number that affects trading", () => {
    const alerts = agent.alerts.map((alert, at) =>
      at === 0 ? { ...alert, condition: { kind: "every-bars", bars: 4 } as const } : alert,
    );
    const [rule, ...others] = agent.rules;
    const twice = rule?.conditions.map((each) => ({ ...each, requiredCount: 2 })) ?? [];
    const variants = [
      {},
      { positionSizePercent: 50 },
      { slippageBps: 51 },
      { intervalMinutes: 30 },
      { limits: { ...agent.limits, tradesPerDay: 3 } },
      { alerts },
      { rules: [{ ...rule, conditions: twice }, ...others] },
      { rules: others },
    ];
    expect(new Set(variants.map(digest)).size).toBe(variants.length);
    expect(digest()).toMatch(/^[0-9a-f]{32}$/);
    expect(variantKey(agent, input.firings)).not.toBe(digest());
  });

  it("does not change with the names of alerts", () => {
    const named = (key: string) => `new ${key}`;
    const alerts = agent.alerts.map((alert) => ({ ...alert, alertKey: named(alert.alertKey) }));
    const rules = agent.rules.map((rule) => ({
      ...rule,
      ruleId: named(rule.ruleId),
      conditions: rule.conditions.map((each) => ({ ...each, alertKey: named(each.alertKey) })),
    }));
    expect(digest({ alerts, rules })).toBe(digest());
  });
});
