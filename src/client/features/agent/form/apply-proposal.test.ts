import { describe, expect, it } from "vitest";
import { AGENT_REQUESTS } from "../../../../../test/recorded/agent-requests.ts";
import { splitProposal } from "../../../../assistant/agent-proposal.ts";
import { applyProposal } from "./apply-proposal.ts";
import { type AgentForm, newAgentForm } from "../agent-form.ts";
import { checkForm, draftOfForm } from "./check-form.ts";
import { describeChanges } from "./describe-changes.ts";

/** The form as the recordings write it down. */
function summary(form: AgentForm): string {
  const { agent, alerts, rules } = draftOfForm(form);
  const head = [
    agent.marketId,
    agent.interval,
    agent.slippagePercent,
    form.positionSizePercent,
  ].join(" ");
  const ruleTexts = rules.map(
    ({ action, conditions }) =>
      `${action}: ${conditions.map((each) => `${each.alertName}*${each.requiredCount}`).join(" ")}`,
  );
  return [head, alerts.map(({ name }) => name).join(", "), ruleTexts.join("; ")].join(" | ");
}

function outcomeOf(answer: string): string {
  const { proposal, isUnreadable } = splitProposal(answer);
  if (!proposal) return isUnreadable ? "unreadable" : "no proposal";
  const form = applyProposal(newAgentForm("practice"), proposal);
  const problem = checkForm(form);
  return problem === null ? summary(form) : `refused: ${problem.message}`;
}

describe("a proposal for a request in plain words", () => {
  it.each(AGENT_REQUESTS)("$request", ({ answer, expected }) => {
    expect(outcomeOf(answer)).toBe(expected);
  });

  it("is tested with thirty requests answered by hand", () => {
    expect(AGENT_REQUESTS.length).toBeGreaterThanOrEqual(30);
  });
});

it("fills the plan of a wish in words, and leaves it where none is proposed", () => {
  // "protect it with 3 % and take half at 5 %"
  const answer =
    '```wheelhouse-agent\n{"plan":{"stop":{"at":{"percent":3}},"targets":[{"at":{"percent":5},"close":50}]}}\n```';
  const { proposal } = splitProposal(answer);
  const form = applyProposal(newAgentForm("practice"), proposal ?? expect.fail("no proposal"));
  expect(form.plan).toEqual({
    stop: { at: { kind: "percent", bps: 300 } },
    targets: [{ at: { kind: "percent", bps: 500 }, closePercent: 50 }],
  });
  expect(applyProposal(form, { positionSizePercent: 10 }).plan).toBe(form.plan);
  expect(applyProposal(form, { plan: null }).plan).toBeNull();
});

const DAILY = { kind: "time-of-day", atUtc: "08:00" } as const;

describe("a proposal for an agent that exists", () => {
  const saved: AgentForm = {
    ...newAgentForm("practice"),
    alerts: [
      { key: "alert-1", id: "1", name: "Breakout", description: "", condition: DAILY },
      { key: "alert-2", id: "2", name: "exit", description: "", condition: null },
    ],
    rules: [
      {
        key: "rule-1",
        id: "r1",
        action: "OPEN_LONG",
        triggers: [{ alertKey: "alert-1", requiredCount: 2, count: 1 }],
      },
      {
        key: "rule-2",
        id: "r2",
        action: "CLOSE_LONG",
        triggers: [{ alertKey: "alert-2", requiredCount: 1 }],
      },
    ],
  };

  it("keeps the conditions of alerts it does not mention", () => {
    const next = applyProposal(saved, { alerts: [{ name: "BREAKOUT" }, { name: "third" }] });
    expect(next.alerts.map(({ condition }) => condition)).toEqual([DAILY, null, null]);
  });

  it("keeps an unchanged rule with its counter, and replaces the others", () => {
    const next = applyProposal(saved, {
      rules: [
        { action: "OPEN_LONG", conditions: [{ alert: "breakout", times: 2 }] },
        { action: "CLOSE_LONG", conditions: [{ alert: "exit", times: 3 }] },
      ],
    });
    expect(next.rules[0]).toEqual(saved.rules[0]);
    expect(next.rules.map(({ id }) => id)).toEqual(["r1", undefined]);
    expect(describeChanges(saved, next)).toEqual([
      { label: "Rule", before: "CLOSE_LONG when exit × 1", after: null },
      { label: "Rule", before: null, after: "CLOSE_LONG when exit × 3" },
    ]);
  });

  it("never removes alerts, and leaves rules alone when it names none", () => {
    const next = applyProposal(saved, { interval: "4h", alerts: [{ name: "rsi" }] });
    expect(next.rules).toEqual(saved.rules);
    expect(describeChanges(saved, next)).toEqual([
      { label: "Interval", before: "1h", after: "4h" },
      { label: "Alert", before: null, after: "rsi" },
    ]);
  });

  it("changes nothing when it equals the present settings", () => {
    const next = applyProposal(saved, { venue: "drift", asset: "SOL-PERP" });
    expect(describeChanges(saved, next)).toEqual([]);
  });
});
