import type { Decision } from "../../../../contract/decisions.ts";
import { describe, expect, it } from "vitest";
import { eventIdOf } from "../../../../../test/ids.ts";
import { layOut } from "./graph-layout.ts";
import { graphOf } from "./graph-model.ts";

const AT = "2026-11-21T08:00:00.000Z";

const alertOf = (digit: string, alertName: string, count: number, requiredCount: number) => ({
  eventId: eventIdOf(digit),
  alertName,
  at: AT,
  origin: "webhook" as const,
  count,
  requiredCount,
});

const counter = (alertName: string, count: number, requiredCount: number) => ({
  alertId: alertName,
  alertName,
  count,
  requiredCount,
});

const decided = (parts: Partial<Decision>): Decision => ({
  id: "1",
  kind: "order",
  at: AT,
  market: "SOL-PERP",
  signal: "OPEN_LONG",
  askedBy: "alert",
  alerts: [],
  rules: [],
  checks: [],
  fills: [],
  outcome: { state: "denied" },
  ...parts,
});

const dipAndVolume = decided({
  ruleId: "r",
  alerts: [alertOf("1", "dip", 1, 2), alertOf("2", "volume", 1, 1), alertOf("3", "dip", 2, 2)],
  rules: [
    {
      ruleId: "r",
      action: "OPEN_LONG",
      kind: "fired",
      counters: [counter("dip", 2, 2), counter("volume", 1, 1)],
    },
  ],
  checks: [
    { name: "venue", reason: "venue_unavailable", hasPassed: true },
    {
      name: "orders_a_minute",
      reason: "too_many_orders",
      hasPassed: false,
      figure: "6",
      limit: "6",
      unit: "orders",
    },
  ],
  outcome: { state: "denied", reason: "too_many_orders" },
});

/** Stages as `label: headline`, and what leads to what. */
const drawn = (decision: Decision) => {
  const { layers, edges } = graphOf(decision);
  return {
    stages: layers.map((nodes) => nodes.map(({ label, headline }) => `${label}: ${headline}`)),
    edges: edges.map(({ from, to, tone }) => `${from} > ${to} ${tone}`),
  };
};

describe("the graph of a decision", () => {
  it("leads from every alert through the rule to the check that failed", () => {
    expect(drawn(dipAndVolume)).toEqual({
      stages: [
        ["Alert: dip", "Alert: volume"],
        ["Rule complete: Open long"],
        ["Check failed: Orders within a minute"],
        ["Outcome: Denied"],
      ],
      edges: [
        "alert-dip > rule-r neutral",
        "alert-volume > rule-r neutral",
        "rule-r > checks neutral",
        "checks > outcome down",
      ],
    });
  });

  it("ends at the rules for an alert that only counted, and says when no rule uses the alert", () => {
    const alert = {
      eventId: eventIdOf("1"),
      alertName: "dip",
      at: AT,
      origin: "condition" as const,
    };
    const counted = decided({
      kind: "alert",
      alert,
      rules: [
        { ruleId: "r", action: "OPEN_LONG", kind: "counted", counters: [counter("dip", 1, 2)] },
      ],
      outcome: { state: "accepted" },
    });
    expect(drawn(counted).stages).toEqual([
      ["Alert: dip"],
      ["Rule counting: Open long"],
      ["Came of it: No order"],
    ]);
    const alone = drawn({ ...counted, rules: [] });
    expect(alone.edges).toEqual(["alert > outcome neutral"]);
  });

  it("begins with the owner where no alert caused the order", () => {
    expect(drawn(decided({ askedBy: "owner", signal: "CLOSE_LONG" })).stages[0]).toEqual([
      "Asked by: You",
    ]);
  });

  it.each([360, 520, 900, 1600])("overlaps nothing within %i pixels", (available) => {
    const many = decided({
      ...dipAndVolume,
      alerts: ["a", "b", "c", "d", "e"].map((name) => alertOf(name, name, 1, 1)),
    });
    const { boxes, width, height } = layOut(graphOf(many), available);
    expect(width).toBeLessThanOrEqual(available);
    const all = [...boxes.values()];
    for (const [at, one] of all.entries()) {
      expect(one.x >= 0 && one.y >= 0 && one.x + one.width <= width + 0.01).toBe(true);
      expect(one.y + one.height).toBeLessThanOrEqual(height);
      for (const other of all.slice(at + 1)) {
        const isApart =
          one.x + one.width <= other.x ||
          other.x + other.width <= one.x ||
          one.y + one.height <= other.y ||
          other.y + other.height <= one.y;
        expect(isApart).toBe(true);
      }
    }
  });
});
