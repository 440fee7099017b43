import { describe, expect, it } from "vitest";
import { NO_COSTS } from "../../test/simulated.ts";
import { validateAgentDraft } from "../domain/agent-validation.ts";
import type { Market } from "../domain/market.ts";
import { findMarket, VENUE_PROFILES } from "../venues/profiles.ts";
import { isResetSignal } from "../domain/signal.ts";
import { createPracticeMarket } from "../practice/practice-market.ts";
import { barSpanAt, type Bar } from "./bar-times.ts";
import { simulate } from "./simulate.ts";
import type { TradeEnd } from "./simulation.ts";
import { type StrategyTemplate, templatesFor } from "./templates.ts";
import { NO_OWNER_LIMITS } from "../../test/owner-limits.ts";

const NOW_MS = Date.parse("2026-11-22T00:00:00Z");
const HOUR_MS = 3_600_000;
const WARM_UP = 400;
const DAYS = 90;

const practice = createPracticeMarket();

/** Hourly bars of the practice market, as its chart shows them. */
const bars: readonly Bar[] = Array.from({ length: DAYS * 24 + WARM_UP }, (_each, index) => {
  const span = barSpanAt(60, NOW_MS - (DAYS * 24 + WARM_UP - index) * HOUR_MS);
  const candle = practice.candle("SOL", span, NOW_MS);
  if (candle === undefined) throw new Error("The practice market trades SOL.");
  const { open, high, low, close, volume } = candle;
  const [o, h, l, c, v] = [open, high, low, close, volume].map((each) => Number(each) / 1e6);
  return { ...span, open: o ?? 0, high: h ?? 0, low: l ?? 0, close: c ?? 0, volume: v ?? 0 };
});

const market = (venue: "drift" | "jupiter", marketId: string): Market => {
  const found = findMarket(venue, marketId);
  if (found === undefined) throw new Error(`No market ${marketId}.`);
  return found;
};

const MARKETS = [market("drift", "SOL-PERP"), market("jupiter", "SOL")];

const cases = MARKETS.flatMap((traded) =>
  templatesFor(traded.kind).map(
    (template) => [`${template.name} on ${traded.marketId}`, template, traded] as const,
  ),
);

const validate = ({ alerts, rules }: StrategyTemplate, { venue, marketId }: Market) =>
  validateAgentDraft(
    {
      agent: { name: "Agent ** SOL-1h", marketId, interval: "1h", venue },
      alerts,
      rules,
    },
    VENUE_PROFILES,
  );

const run = (template: StrategyTemplate, traded: Market) =>
  simulate({
    agent: {
      market: traded,
      intervalMinutes: 60,
      positionSizePercent: template.positionSizePercent,
      plan: template.plan,
      slippageBps: 50,
      limits: NO_OWNER_LIMITS,
      dailyLimits: null,
      alerts: template.alerts.map((alert) => ({ ...alert, alertKey: alert.name })),
      rules: template.rules.map(({ action, conditions }, index) => ({
        ruleId: `${index}`,
        action,
        conditions: conditions.map(({ alertName, requiredCount }) => ({
          alertKey: alertName,
          requiredCount,
        })),
      })),
    },
    costs: NO_COSTS,
    startMoney: 1_000_000_000n,
    quoteDecimals: 6,
    bars,
    fromMs: NOW_MS - DAYS * 24 * HOUR_MS,
    firings: { kind: "conditions" },
  });

describe("templates", () => {
  it("are six for every kind of market, each with its weakness", () => {
    for (const { kind } of MARKETS) {
      const templates = templatesFor(kind);
      expect(new Set(templates.map(({ id }) => id)).size).toBe(6);
      for (const { idea, weakness } of templates) {
        for (const sentence of [idea, weakness]) expect(sentence).toMatch(/^[A-Z].{20,140}\.$/);
      }
    }
  });

  it.each(cases)("%s can be saved as it is", (_name, template, traded) => {
    expect(validate(template, traded)).toMatchObject({
      ok: true,
      dropped: { alerts: 0, rules: [] },
    });
  });

  it.each(cases)("%s fires and trades on the practice market", (_name, template, traded) => {
    const { fired, trades, orders } = run(template, traded);
    expect(Object.keys(fired).toSorted()).toEqual(
      template.alerts.map(({ name }) => name).toSorted(),
    );
    const ends = new Set(trades.map(({ endedBy }) => endedBy));
    expect(trades.filter(({ endedBy }) => endedBy !== "open").length).toBeGreaterThan(2);
    // The market reaches every part of its plan, and its rules close, too
    const { stop, targets, holdBars, adds } = template.plan;
    const parts: readonly (readonly [TradeEnd, boolean])[] = [
      ["stop", stop !== undefined && stop.trail === undefined],
      ["trail", stop?.trail !== undefined],
      ["break_even", stop?.breakEvenAfterBps !== undefined],
      ["target", targets !== undefined],
      ["hold", holdBars !== undefined],
      ["signal", adds === undefined],
    ];
    for (const [end, isPart] of parts) if (isPart) expect(ends).toContain(end);
    const filled = new Set(orders.filter(({ fill }) => fill !== null).map(({ signal }) => signal));
    const asked = template.rules.map(({ action }) => action).filter((each) => !isResetSignal(each));
    expect([...filled].toSorted()).toEqual([...new Set(asked)].toSorted());
    if (adds !== undefined) {
      // One of its positions was bought in all six parts
      const sizes = trades.map(({ baseSize }) => Number(baseSize));
      expect(Math.max(...sizes) / Math.min(...sizes)).toBeGreaterThan(5);
    }
    if (traded.kind === "spot") expect(trades.every(({ side }) => side === "long")).toBe(true);
  });
});
