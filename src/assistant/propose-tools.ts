import * as z from "zod/mini";
import type { Agent } from "../contract/agent.ts";
import { type Alert, listAlerts } from "../contract/alerts.ts";
import { decimalText, onOff, ownerLimits } from "../contract/fields.ts";
import { createProposal, type ProposedAct } from "../contract/proposals.ts";
import { listRules, type Rule } from "../contract/rules.ts";
import type { CompleteDraft } from "../contract/save-agent.ts";
import type { AgentId } from "../domain/ids.ts";
import { nameKey } from "../domain/name-key.ts";
import type { Network } from "../domain/network.ts";
import { type AgentProposal, parseProposal } from "./agent-proposal.ts";
import { proposedMarket } from "./described-agent.ts";
import { anObject } from "./simulate-tools.ts";
import { agentField, agentOf, tool, type ToolContext, ToolFault } from "./tool.ts";

type DraftRule = CompleteDraft["rules"][number];

const nameField = z.string().check(z.minLength(1), z.maxLength(120));
const minutesField = {
  minutes: z._default(z.int().check(z.minimum(10), z.maximum(1_440)), 1_440),
};

const promptField = z.string().check(z.maxLength(10_000));

const ruleKey = ({ action, portion = 100, conditions }: DraftRule): string =>
  JSON.stringify([
    action,
    portion,
    ...conditions
      .map(({ alertName, requiredCount }) => `${nameKey(alertName)}\n${requiredCount}`)
      .toSorted(),
  ]);

/** Returns the first item of each name; names that differ in case alone are one. */
const firstOfEach = <Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] => {
  const keys = items.map((item) => nameKey(nameOf(item)));
  return items.filter((_item, at) => keys.indexOf(keys[at] ?? "") === at);
};

interface Before {
  readonly agent: Agent;
  readonly alerts: readonly Alert[];
  readonly rules: readonly Rule[];
}

/** Returns the alerts a proposal leaves: those it or its rules name are changed or added, the others stay. */
function draftAlerts({ alerts = [], rules = [] }: AgentProposal, before: readonly Alert[]) {
  const used = rules.flatMap(({ conditions }) => conditions.map(({ alert: name }) => ({ name })));
  const named: NonNullable<AgentProposal["alerts"]> = [
    ...firstOfEach(used, ({ name }) => name),
    ...alerts,
  ];
  const said = new Map(named.map((alert) => [nameKey(alert.name), alert]));
  const kept = before.map(({ id, name, description, condition }) => {
    const change = said.get(nameKey(name));
    said.delete(nameKey(name));
    return {
      id,
      name,
      description: change?.description ?? description,
      condition: change?.condition ?? condition ?? null,
    };
  });
  const added = [...said.values()].map(({ name, description = "", condition = null }) => ({
    name,
    description,
    condition,
  }));
  return [...kept, ...added];
}

/** Returns the rules a proposal leaves; one that stays as it is keeps its id and counters. */
function draftRules(proposed: AgentProposal["rules"], before: readonly Rule[]): DraftRule[] {
  const stored = before.map(({ id, action, portion, conditions }): DraftRule => ({
    id,
    action,
    ...(portion !== undefined && { portion }),
    conditions: conditions.map(({ alertName, requiredCount }) => ({ alertName, requiredCount })),
  }));
  if (proposed === undefined) return stored;
  return proposed.map(({ action, portion, conditions }) => {
    const rule: DraftRule = {
      action,
      ...(portion !== undefined && { portion }),
      conditions: firstOfEach(conditions, ({ alert }) => alert).map(({ alert, times }) => ({
        alertName: alert,
        requiredCount: times,
      })),
    };
    return stored.find((each) => ruleKey(each) === ruleKey(rule)) ?? rule;
  });
}

/** Returns the whole agent that a proposal asks for. */
function draftOf(
  proposal: AgentProposal,
  name: string,
  network: Network,
  before: Before | null,
): CompleteDraft {
  const agent = before?.agent ?? null;
  return {
    agent: {
      name,
      network,
      ...proposedMarket(proposal, agent),
      interval: proposal.interval ?? agent?.interval,
      slippagePercent: proposal.slippagePercent ?? agent?.slippagePercent,
      positionSizePercent: proposal.positionSizePercent ?? agent?.positionSizePercent,
      ...(proposal.plan !== undefined && { plan: proposal.plan }),
      ...(proposal.leverage !== undefined && { leverage: proposal.leverage }),
    },
    alerts: draftAlerts(proposal, before?.alerts ?? []),
    rules: draftRules(proposal.rules, before?.rules ?? []),
  };
}

interface Described {
  /** Agent that changes; null for a new one. */
  readonly agent: Agent | null;
  readonly name: string | undefined;
  readonly network: Network;
}

/** Returns what is stored for an agent that a model described: a new one, or the change of one. */
export async function proposalOf(
  call: ToolContext["call"],
  proposal: AgentProposal,
  { agent, name = agent?.name ?? nameOf(proposal), network }: Described,
) {
  if (agent === null) return { draft: draftOf(proposal, name, network, null) };
  const params = { agentId: agent.id };
  const [alerts, rules] = await Promise.all([
    call(listAlerts, { params }),
    call(listRules, { params }),
  ]);
  const draft = draftOf(proposal, name, agent.network, { agent, alerts, rules });
  return { agentId: agent.id, draft };
}

const nameOf = ({ name, asset, interval }: AgentProposal): string =>
  name ?? `Agent ** ${asset}-${interval}`;

function parsed(sent: unknown): AgentProposal {
  const proposal = parseProposal(sent);
  if (proposal !== null) return proposal;
  throw new ToolFault("This is no agent. list_indicators shows one in exampleAgent.");
}

const said = ({ id, expiresAt }: { readonly id: string; readonly expiresAt: string }) => ({
  proposal: id,
  expiresAt,
  state: "Proposed, not done: the owner has to approve it in the page with the wallet.",
});

export const proposeAgent = tool({
  name: "propose_agent",
  title: "Propose a new agent",
  description:
    "Stores a new agent for the owner to approve in the page with the wallet; nothing is created before. Simulate it first.",
  scope: "propose",
  args: z.strictObject({ name: nameField, agent: anObject, ...minutesField }),
  async run({ name, agent: described, minutes }, { call, network }: ToolContext) {
    const body = await proposalOf(call, parsed(described), { agent: null, name, network });
    return said(await call(createProposal, { body: { ...body, minutes } }));
  },
});

export const proposeChange = tool({
  name: "propose_change",
  title: "Propose a change of an agent",
  description:
    "Stores a change of an agent for the owner to approve in the page with the wallet; nothing changes before. " +
    "Alerts that are named change or are added, rules are the complete list.",
  scope: "propose",
  args: z.strictObject({
    ...agentField,
    change: anObject,
    name: z.optional(nameField),
    ...minutesField,
  }),
  async run({ agent: id, change, name, minutes }, context) {
    const { call, network } = context;
    const agent = await agentOf(context, id);
    const body = await proposalOf(call, parsed(change), { agent, name, network });
    return said(await call(createProposal, { body: { ...body, minutes } }));
  },
});

export const proposeAutoTrade = tool({
  name: "propose_auto_trade",
  title: "Propose to turn an agent on or off",
  description:
    "Stores that auto-trade be turned on or off, for the owner to approve in the page with the wallet; nothing changes before.",
  scope: "propose",
  args: z.strictObject({ ...agentField, autoTrade: onOff, ...minutesField }),
  run: ({ agent, autoTrade, minutes }, context) =>
    proposeAct(context, agent, { kind: "auto_trade", autoTrade }, minutes),
});

export const proposeLimits = tool({
  name: "propose_limits",
  title: "Propose an agent's limits",
  description:
    "Stores limits of an agent for the owner to approve in the page with the wallet; nothing changes before. All of them as they should be: what is left out is removed.",
  scope: "propose",
  args: z.strictObject({ ...agentField, limits: ownerLimits, ...minutesField }),
  run: ({ agent, limits, minutes }, context) =>
    proposeAct(context, agent, { kind: "limits", limits }, minutes),
});

export const proposePrompts = tool({
  name: "propose_prompts",
  title: "Propose the texts of hypotheses",
  description:
    "Stores the texts that hypotheses of buys and sells are written with, for the owner to approve in the page with the wallet.",
  scope: "propose",
  args: z.strictObject({
    ...agentField,
    buyReportPrompt: promptField,
    sellReportPrompt: promptField,
    ...minutesField,
  }),
  run: ({ agent, minutes, ...texts }, context) =>
    proposeAct(context, agent, { kind: "prompts", ...texts }, minutes),
});

const amountField = { amount: decimalText };

export const proposeDeposit = tool({
  name: "propose_deposit",
  title: "Propose a deposit",
  description:
    "Stores a deposit into an agent's vault, in whole quote units, for the owner to approve; the wallet signs the proposal and then the transaction.",
  scope: "propose",
  args: z.strictObject({ ...agentField, ...amountField, ...minutesField }),
  run: ({ agent, amount, minutes }, context) =>
    proposeAct(context, agent, { kind: "deposit", amount }, minutes),
});

export const proposeWithdrawal = tool({
  name: "propose_withdrawal",
  title: "Propose a withdrawal",
  description:
    "Stores a withdrawal from an agent that is off to its owner's wallet, in whole quote units, for the owner to approve; the wallet signs the proposal and then the transaction.",
  scope: "propose",
  args: z.strictObject({ ...agentField, ...amountField, ...minutesField }),
  run: ({ agent, amount, minutes }, context) =>
    proposeAct(context, agent, { kind: "withdraw", amount }, minutes),
});

export const proposeDeletion = tool({
  name: "propose_deletion",
  title: "Propose to delete an agent",
  description:
    "Stores the deletion of an agent that is off, for the owner to approve; what its vault holds comes back first, by transactions that the wallet signs.",
  scope: "propose",
  args: z.strictObject({ ...agentField, ...minutesField }),
  run: ({ agent, minutes }, context) => proposeAct(context, agent, { kind: "delete" }, minutes),
});

export const proposeStopAll = tool({
  name: "propose_stop_all",
  title: "Propose to stop all agents",
  description:
    "Stores that auto-trade of all the owner's agents be turned off and their positions closed, for the owner to approve with the wallet; nothing changes before.",
  scope: "propose",
  args: z.strictObject(minutesField),
  run: async ({ minutes }, { call }) =>
    said(await call(createProposal, { body: { act: { kind: "stop_all" }, minutes } })),
});

async function proposeAct(
  context: ToolContext,
  id: AgentId | undefined,
  act: ProposedAct,
  minutes: number,
) {
  const { id: agentId } = await agentOf(context, id);
  return said(await context.call(createProposal, { body: { agentId, act, minutes } }));
}
