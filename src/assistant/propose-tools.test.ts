import { expect, it } from "vitest";
import { buildAgent } from "../../test/shown-agent.ts";
import { chatIdOf } from "../../test/ids.ts";
import { parseOwner } from "../domain/ids.ts";
import { proposeAgent, proposeChange } from "./propose-tools.ts";
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
