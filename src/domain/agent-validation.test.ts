import { describe, expect, it } from "vitest";
import type { AlertCondition } from "./condition/condition.ts";
import type { CompleteDraft, RuleDraft } from "./agent-draft.ts";
import { VENUE_PROFILES } from "../venues/profiles.ts";
import { validateAgentDraft } from "./agent-validation.ts";

const rule = (action: RuleDraft["action"], ...names: (string | [string, number])[]): RuleDraft => ({
  action,
  conditions: names.map((name) =>
    typeof name === "string" ? { alertName: name } : { alertName: name[0], requiredCount: name[1] },
  ),
});

function buildDraft(
  parts: Partial<CompleteDraft> = {},
  agent: Partial<CompleteDraft["agent"]> = {},
): CompleteDraft {
  return {
    agent: {
      name: "Agent ** SOL-1h",
      marketId: "SOL-PERP",
      interval: "1h",
      venue: "drift",
      ...agent,
    },
    alerts: [{ name: "up" }, { name: "down" }],
    rules: [rule("OPEN_LONG", "up"), rule("CLOSE_LONG", "down")],
    ...parts,
  };
}

const DEAR: AlertCondition = {
  kind: "comparisons",
  all: Array.from({ length: 4 }, () => ({
    left: { kind: "price", field: "close" },
    is: "above",
    right: { kind: "indicator", name: "SMA", output: "value", parameters: [500] },
  })),
};
const TWO_NUMBERS = {
  kind: "comparisons",
  all: [
    {
      left: { kind: "number", value: 1 },
      is: "crosses-above",
      right: { kind: "number", value: 2 },
    },
  ],
} as const;

const reasonOf = (draft: CompleteDraft) => {
  const result = validateAgentDraft(draft, VENUE_PROFILES);
  return result.ok ? "ok" : `${result.reason} at ${result.field}`;
};

describe("validateAgentDraft", () => {
  it("returns trimmed names, completed counts and the matching market", () => {
    const result = validateAgentDraft(
      buildDraft(
        { alerts: [{ name: " Up " }], rules: [rule("OPEN_LONG", "UP")] },
        { slippagePercent: "0.5" },
      ),
      VENUE_PROFILES,
    );
    expect(result).toMatchObject({
      ok: true,
      dropped: { alerts: 0, rules: [] },
      value: {
        agent: {
          name: "Agent ** SOL-1h",
          market: { marketId: "SOL-PERP" },
          interval: { minutes: 60 },
          slippageBps: 50,
        },
        alerts: [{ name: "Up", nameKey: "up" }],
        rules: [
          {
            action: "OPEN_LONG",
            conditions: [{ alertName: "UP", alertNameKey: "up", requiredCount: 1 }],
          },
        ],
      },
    });
  });

  it.each<[string, CompleteDraft, string]>([
    ["no alert with a name", buildDraft({ alerts: [{ name: " " }] }), "alerts_missing at alerts"],
    [
      "triggers without an action",
      buildDraft({ rules: [rule("", "up")] }),
      "rule_action_missing at rules.0.action",
    ],
    [
      "a condition that compares two numbers",
      buildDraft({ alerts: [{ name: "up" }, { name: "down", condition: TWO_NUMBERS }] }),
      "condition_invalid at alerts.1.condition.all.0.right",
    ],
    [
      "conditions that are too dear together",
      buildDraft({
        alerts: Array.from({ length: 100 }, (_, at) => ({ name: `a${at}`, condition: DEAR })),
        rules: [rule("OPEN_LONG", "a1")],
      }),
      "condition_invalid at alerts",
    ],
    ["no asset", buildDraft({}, { marketId: "" }), "agent_incomplete at agent.marketId"],
    ["no name", buildDraft({}, { name: " " }), "agent_incomplete at agent.name"],
    ["no venue", buildDraft({}, { venue: "" }), "venue_missing at agent.venue"],
    ["no horizon", buildDraft({}, { interval: "" }), "interval_missing at agent.interval"],
    ["27 minutes", buildDraft({}, { interval: "27m" }), "interval_out_of_range at agent.interval"],
    [
      "28.5 minutes",
      buildDraft({}, { interval: "28.5m" }),
      "interval_out_of_range at agent.interval",
    ],
    [
      "equal names",
      buildDraft({ alerts: [{ name: "Buy" }, { name: " buy " }], rules: [] }),
      "alert_name_duplicate at alerts.1.name",
    ],
    [
      "two resets of opens",
      buildDraft({ rules: [rule("RESET_OPEN_LONG", "up"), rule("RESET_OPEN_LONG", "down")] }),
      "rule_conflict at rules.1.action",
    ],
    [
      "two resets of closes",
      buildDraft({ rules: [rule("RESET_CLOSE_LONG", "up"), rule("RESET_CLOSE_LONG", "down")] }),
      "rule_conflict at rules.1.action",
    ],
    [
      "both sides at once",
      buildDraft({
        rules: [
          rule("OPEN_LONG", ["up", 1], ["down", 2]),
          rule("OPEN_SHORT", ["down", 2], ["UP", 1]),
        ],
      }),
      "rule_sides_conflict at rules.1.action",
    ],
    [
      "an invisible character",
      buildDraft({ alerts: [{ name: "u\u200bp" }], rules: [] }),
      "alert_name_invalid at alerts.0.name",
    ],
    [
      "an unknown alert",
      buildDraft({ rules: [rule("OPEN_LONG", "sideways")] }),
      "alert_unknown at rules.0.conditions.0.alertName",
    ],
    [
      "an alert named twice",
      buildDraft({ rules: [rule("OPEN_LONG", "up", "UP")] }),
      "validation_failed at rules.0.conditions.1.alertName",
    ],
    [
      "a count of 61",
      buildDraft({ rules: [rule("OPEN_LONG", ["up", 61])] }),
      "validation_failed at rules.0.conditions.0.requiredCount",
    ],
    [
      "an unknown market",
      buildDraft({}, { marketId: "DOGE2-PERP" }),
      "market_unknown at agent.marketId",
    ],
    ["a stock on drift", buildDraft({}, { marketId: "AAPLx" }), "market_unknown at agent.marketId"],
    [
      "a short on jupiter",
      buildDraft({ rules: [rule("OPEN_SHORT", "up")] }, { venue: "jupiter", marketId: "SOL" }),
      "short_needs_perpetuals at rules.0.action",
    ],
    [
      "slippage beyond 5",
      buildDraft({}, { slippagePercent: "5.01" }),
      "slippage_out_of_range at agent.slippagePercent",
    ],
  ])("refuses %s", (_name, draft, expected) => {
    expect(reasonOf(draft)).toBe(expected);
  });

  it("reports the first of two problems", () => {
    const everythingWrong = buildDraft(
      { alerts: [{ name: "" }], rules: [rule("", "up")] },
      { name: "", marketId: "", venue: "", interval: "" },
    );
    expect(reasonOf(everythingWrong)).toBe("alerts_missing at alerts");
    expect(reasonOf({ ...everythingWrong, alerts: [{ name: "a" }, { name: "A" }] })).toContain(
      "rule_action_missing",
    );
    expect(
      reasonOf({ ...everythingWrong, alerts: [{ name: "a" }, { name: "A" }], rules: [] }),
    ).toContain("agent_incomplete");
  });

  it("allows both sides to open on different counts of the same alerts", () => {
    expect(
      reasonOf(
        buildDraft({ rules: [rule("OPEN_LONG", ["up", 1]), rule("OPEN_SHORT", ["up", 2])] }),
      ),
    ).toBe("ok");
  });

  it("reads the horizon from a generated name when none is given", () => {
    expect(reasonOf(buildDraft({}, { interval: undefined }))).toBe("ok");
    expect(reasonOf(buildDraft({}, { interval: undefined, name: "Mine" }))).toContain(
      "interval_missing",
    );
  });

  it("reports what it leaves out", () => {
    const result = validateAgentDraft(
      buildDraft({
        alerts: [{ name: "up" }, { name: " " }],
        rules: [rule("OPEN_LONG"), rule(""), rule("CLOSE_LONG", "up")],
      }),
      VENUE_PROFILES,
    );
    expect(result).toMatchObject({
      ok: true,
      dropped: {
        alerts: 1,
        rules: [
          { index: 0, reason: "no_conditions" },
          { index: 1, reason: "no_action" },
        ],
      },
    });
  });
});
