import { describe, expect, it } from "vitest";
import { AGENT_REQUESTS } from "../../test/recorded/agent-requests.ts";
import { buildAgent } from "../../test/shown-agent.ts";
import { chatIdOf } from "../../test/ids.ts";
import type { Alert } from "../contract/alerts.ts";
import { ERRORS } from "../contract/errors.ts";
import type { Rule } from "../contract/rules.ts";
import { validateAgentDraft } from "../domain/agent-validation.ts";
import { parseOwner } from "../domain/ids.ts";
import { VENUE_PROFILES } from "../venues/profiles.ts";
import { type AgentProposal, splitProposal } from "./agent-proposal.ts";
import { proposalOf, proposeAgent, proposeChange } from "./propose-tools.ts";
import { runTool, type ToolContext } from "./tool.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");
const RULE = { action: "OPEN_LONG", conditions: [{ alert: "oversold", times: 1 }] };
const PLAN = { stop: { at: { percent: 3 } }, targets: [{ at: { percent: 5 }, close: 50 }] };

/** Returns the draft that a tool call stores. */
async function stored(run: (context: ToolContext) => Promise<unknown>) {
  const agent = buildAgent({ id: "a".repeat(32), chatId: chatIdOf("c"), owner: OWNER });
  let body: unknown;
  await run({
    agent,
    network: "practice",
    call: async (route: { readonly method: string }, asked: { readonly body?: unknown }) => {
      if (route.method === "GET") return [];
      ({ body } = asked);
      return { id: "p", expiresAt: "" };
    },
  } as unknown as ToolContext);
  return (body as { readonly draft: { readonly agent: object } }).draft.agent;
}

it("proposes the plan that was asked for, of a new agent and of one that is there", async () => {
  const agent = {
    venue: "drift",
    asset: "SOL",
    interval: "1h",
    alerts: [{ name: "oversold" }],
    rules: [RULE],
    plan: PLAN,
  };
  const plan = {
    stop: { at: { kind: "percent", bps: 300 } },
    targets: [{ at: { kind: "percent", bps: 500 }, closePercent: 50 }],
  };
  const made = await stored((context) => runTool(proposeAgent, { name: "New", agent }, context));
  expect(made).toMatchObject({ name: "New", plan });
  const change = { plan: PLAN };
  expect(await stored((context) => runTool(proposeChange, { change }, context))).toMatchObject({
    plan,
  });
});

it("leaves the plan of an agent alone where a change does not name one", async () => {
  const draft = await stored((context) => runTool(proposeChange, { change: {} }, context));
  expect(draft).not.toHaveProperty("plan");
});

/** What a page fills in where an answer leaves it open. */
const USUAL = { asset: "SOL", interval: "1h" };

/** Returns what an answer's block stores, as the recordings write it down. */
async function outcomeOf(answer: string): Promise<string> {
  const { proposal, isUnreadable } = splitProposal(answer);
  if (proposal === null) return isUnreadable ? "unreadable" : "no proposal";
  const described = { agent: null, name: undefined, network: "practice" } as const;
  const noCall = (() => Promise.reject(new Error("nothing is read"))) as ToolContext["call"];
  const { draft } = await proposalOf(noCall, { ...USUAL, ...proposal }, described);
  const checked = validateAgentDraft(draft, VENUE_PROFILES);
  if (!checked.ok) return `refused: ${checked.message ?? ERRORS[checked.reason].message}`;
  const { agent, alerts, rules } = draft;
  const { slippagePercent = "0.5", positionSizePercent = 100 } = agent;
  const rulesText = rules.map(
    ({ action, conditions }) =>
      `${action}: ${conditions.map((each) => `${each.alertName}*${each.requiredCount}`).join(" ")}`,
  );
  return [
    `${agent.marketId} ${agent.interval} ${slippagePercent} ${positionSizePercent}`,
    alerts.map(({ name }) => name).join(", "),
    rulesText.join("; "),
  ].join(" | ");
}

describe("a block of a model without tools, for a request in plain words", () => {
  it.each(AGENT_REQUESTS)("$request", async ({ answer, expected }) => {
    expect(await outcomeOf(answer)).toBe(expected);
  });

  it("is tested with thirty requests answered by hand", () => {
    expect(AGENT_REQUESTS.length).toBeGreaterThanOrEqual(30);
  });
});

describe("a described change of an agent", () => {
  const DAILY = { kind: "time-of-day", atUtc: "08:00" } as const;
  const alerts = [
    { id: "1", name: "Breakout", description: "", condition: DAILY },
    { id: "2", name: "exit", description: "" },
  ] as unknown as readonly Alert[];
  const condition = (alertName: string, requiredCount: number) => [{ alertName, requiredCount }];
  const rules = [
    { id: "r1", action: "OPEN_LONG", conditions: condition("Breakout", 2) },
    { id: "r2", action: "CLOSE_LONG", conditions: condition("exit", 1) },
  ] as unknown as readonly Rule[];

  const changed = async (proposal: AgentProposal) => {
    const answers: unknown[] = [alerts, rules];
    const call = (() => Promise.resolve(answers.shift())) as ToolContext["call"];
    const agent = buildAgent({ owner: OWNER, interval: "1h" });
    const described = { agent, name: undefined, network: "practice" } as const;
    return (await proposalOf(call, proposal, described)).draft;
  };

  it("keeps the ids and conditions of alerts it does not mention, and removes none", async () => {
    const { alerts: after, rules: kept } = await changed({
      interval: "4h",
      alerts: [{ name: "BREAKOUT" }, { name: "third" }],
    });
    expect(after).toEqual([
      { id: "1", name: "Breakout", description: "", condition: DAILY },
      { id: "2", name: "exit", description: "", condition: null },
      { name: "third", description: "", condition: null },
    ]);
    expect(kept.map(({ id }) => id)).toEqual(["r1", "r2"]);
  });

  it("keeps an unchanged rule with its counter, and replaces the others", async () => {
    const draft = await changed({
      rules: [
        { action: "OPEN_LONG", conditions: [{ alert: "breakout", times: 2 }] },
        { action: "CLOSE_LONG", conditions: [{ alert: "exit", times: 3 }] },
      ],
    });
    expect(draft.rules.map(({ id }) => id)).toEqual(["r1", undefined]);
    expect(draft.alerts).toHaveLength(2);
  });
});
