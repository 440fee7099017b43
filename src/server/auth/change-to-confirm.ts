import type { AlertCondition } from "../../domain/condition/condition.ts";
import type { CustodyIntent } from "../../domain/custody-intent.ts";
import { validateAgentDraft, validateAgentFields } from "../../domain/agent-validation.ts";
import type { CompleteDraft } from "../../contract/save-agent.ts";
import type { SentOwnerLimits } from "../../contract/fields.ts";
import { channelOf, type NewChannel } from "../../contract/notice-channels/list.ts";
import type { approveConnection } from "../../contract/connections.ts";
import type { AssistantScope, createReadToken } from "../../contract/read-tokens.ts";
import type { sendTestAlert } from "../../contract/agent-webhook.ts";
import type { ProposedAct } from "../../contract/proposals.ts";
import type { goLive } from "../../contract/readiness.ts";
import type { RequestOf, Route, SignedChange } from "../../contract/route.ts";
import { type OwnerAddress, parseAgentId } from "../../domain/ids.ts";
import { quoteName } from "../../domain/name-key.ts";
import type { NoticeKind } from "../../domain/notice.ts";
import { loosenedLimits, type OwnerLimits, toOwnerLimits } from "../../domain/owner-limits.ts";
import type { PinnedTerms } from "../../domain/owner-text.ts";
import type { Signal } from "../../domain/signal.ts";
import { planText, loosenedPlan } from "../../domain/plan/plan-words.ts";
import type { Plan } from "../../domain/plan/plan.ts";
import { formatSlippagePercent, parseSlippagePercent } from "../../domain/slippage.ts";
import { VENUE_PROFILES } from "../../venues/profiles.ts";
import {
  allOf,
  alertNamed,
  asSent,
  exchangedRules,
  changedAlerts,
  changedSetUp,
  readSetUp,
  requireFit,
  setUpText,
  withoutAlert,
} from "../agents/set-up-words.ts";
import { belowBarOf } from "../agents/go-live.ts";
import { approvalOf } from "../agents/proposal-words.ts";
import { findProposal } from "../agents/proposals.ts";
import { type AgentRecord, findAgent, listAgentsOf } from "../store/agents/agents.ts";
import { findSignedKey, storedTerms } from "../store/agents/owner-facts.ts";
import { findAgentIdOfRule } from "../store/alerts/rules.ts";
import { findRequest } from "../store/auth/connections.ts";
import { listLiveTokens } from "../store/auth/read-tokens.ts";
import { hasOpenDeposit } from "../store/custody/custody.ts";
import { listChannels } from "../store/notices/notice-channels.ts";
import type { Db } from "../store/postgres/db.ts";
import { returnsTo } from "./connection-clients.ts";
import { CONNECTION_DAYS } from "./connections.ts";
import { requestObjectId, type RequestParts } from "./request-object-id.ts";
import { ownerLimitName, ownerLimitSize } from "../../domain/owner-limit-words.ts";

type Field = string | number | undefined;

interface SentDraft {
  readonly slippagePercent?: Field;
  readonly positionSizePercent?: Field;
  readonly maxSignalAgeSeconds?: Field;
  readonly plan?: Plan | null | undefined;
  readonly leverage?: number | undefined;
}

interface SentAlert {
  readonly name: string;
  readonly condition?: AlertCondition | null;
}

interface SentRule {
  readonly action: Signal;
  readonly portion?: number | undefined;
  readonly conditions: readonly { readonly alertName: string; readonly requiredCount: number }[];
}

/** A call of a wallet whose bearer token is not enough where the call changes or reveals what matters. */
export interface Asked {
  readonly db: Db;
  readonly route: Route;
  readonly parts: RequestParts;
  readonly wallet: OwnerAddress;
  readonly now: number;
}

type Words = (asked: Asked) => string | null | Promise<string | null>;

/** A change for the owner's wallet to sign. */
export interface AskedChange {
  /** What the call does, in one sentence. */
  readonly change: string;
  /** What the agent's signer is held to from then on; null where the signature changes nothing of that. */
  readonly pinned: PinnedTerms | null;
}

/** Returns what the owner's wallet signs for a call; null when a bearer token is enough. */
export async function changeToConfirm(asked: Asked): Promise<AskedChange | null> {
  const { bearer } = asked.route;
  if (bearer === "free") return null;
  if (bearer === "approved_proposal") return approvedProposal(asked);
  const change = await WORDS[bearer](asked);
  if (change === null) return null;
  const pins = PINS[bearer];
  const agent = pins === undefined ? null : await agentOf(asked);
  const changes = agent === null ? null : ((await pins?.(agent, asked)) ?? null);
  const pinned = agent === null || changes === null ? null : { ...storedTerms(agent), ...changes };
  return { change: requireFit(change), pinned };
}

/** Returns what the wallet signs to approve a proposal; null for one that has ended. */
async function approvedProposal(asked: Asked): Promise<AskedChange | null> {
  const { id } = asked.parts.params as { readonly id: string };
  const proposal = await findProposal(asked.db, asked.wallet, id, asked.now);
  const approved = proposal === null ? null : await approvalOf(asked.db, asked.wallet, proposal);
  if (approved === null) return null;
  const { change, agent, draft, act } = approved;
  const call = { ...asked, parts: { ...asked.parts, body: draft ?? act } };
  const pins = draft === undefined ? pinsOfAct(act) : PINS.changed_agent;
  const changes = agent === null ? null : await pins?.(agent, call);
  const pinned = agent === null || changes == null ? null : { ...storedTerms(agent), ...changes };
  return { change, pinned };
}

/** Returns what the signature of an act pins; turning off and texts of hypotheses pin nothing. */
function pinsOfAct(act: ProposedAct | undefined): Pins | undefined {
  if (act?.kind === "limits") return PINS.looser_limits;
  return act?.kind === "auto_trade" && act.autoTrade === "on" ? PINS.turn_on : undefined;
}

/** Returns the agent that a call names; null for one that is gone. */
async function agentOf({ db, parts, route }: Asked): Promise<AgentRecord | null> {
  const { access } = route;
  if (access.kind !== "owner") throw new Error(`${route.path} names no agent.`);
  const id = requestObjectId(access.id, parts);
  const agentId = access.of === "rule" ? await findAgentIdOfRule(db, id) : parseAgentId(id);
  return agentId === null ? null : findAgent(db, agentId);
}

/** Returns the words about the agent that a call names; null for one that is gone. */
const ofAgent =
  (words: (agent: AgentRecord, asked: Asked) => string | null | Promise<string | null>): Words =>
  async (asked) => {
    const agent = await agentOf(asked);
    return agent === null ? null : words(agent, asked);
  };

/** Returns the changes to an agent that trades; null for one whose owner signs its whole set-up before it does. */
const ofTradingAgent = (
  changes: (agent: AgentRecord, asked: Asked) => Promise<readonly string[]>,
): Words =>
  ofAgent(async (agent, asked) =>
    (await isTrading(asked.db, agent)) ? changed(agent, await changes(agent, asked)) : null,
  );

/** Returns whether an agent trades, or will without another signature: its first deposit turns it on. */
const isTrading = async (db: Db, agent: AgentRecord): Promise<boolean> =>
  agent.autoTrade !== "off" || (await isTurningOn(db, agent));

const isTurningOn = async (db: Db, { id, subAccountId }: AgentRecord): Promise<boolean> =>
  subAccountId === null && (await hasOpenDeposit(db, id));

const changed = (agent: AgentRecord, changes: readonly string[]): string | null =>
  changes.length === 0 ? null : `Change the agent ${quoteName(agent.name)}: ${changes.join(", ")}.`;

const turnedOn = async ({ db }: Asked, agent: AgentRecord, how: string): Promise<string> =>
  `Turn on auto-trade of the agent ${quoteName(agent.name)}${how}. ${setUpText(agent, await readSetUp(db, agent.id))}`;

/** Returns what a holder of a token sees and may do. */
function seenWith(scopes: readonly AssistantScope[]): string {
  const shown =
    scopes.length === 0 ? "" : ", their rules, conditions, received alerts and decisions";
  const simulates = scopes.includes("simulate") ? " It may simulate agents." : "";
  const proposes = scopes.includes("propose")
    ? " It may propose agents and changes, which hold only once this wallet has signed them."
    : "";
  return `sees the trades, ledger and worth of all your agents${shown}, and can change nothing.${simulates}${proposes}`;
}

const WORDS: Readonly<Record<Exclude<SignedChange, "approved_proposal">, Words>> = {
  turn_on: ofAgent((agent, asked) => {
    const { autoTrade } = asked.parts.body as { readonly autoTrade: "on" | "off" };
    return autoTrade === "off" ? null : turnedOn(asked, agent, "");
  }),
  trading_custody: ofAgent(async (agent, asked) => {
    const { intent } = asked.parts.body as { readonly intent: CustodyIntent };
    const { subAccountId, multisig, name } = agent;
    if (intent === "deposit" && subAccountId === null) {
      return turnedOn(asked, agent, " with its first deposit");
    }
    if (intent !== "set-up" || multisig === null || multisig.hasTradingKey) return null;
    const { tradingKey } = multisig;
    const signed = await findSignedKey(asked.db, agent.id);
    // The page holds every further key to a text of the owner; the first is given before there is one
    const isFirst = subAccountId === null && signed === null;
    return !isFirst && signed !== tradingKey
      ? `Let the key ${tradingKey} trade for the agent ${quoteName(name)}.`
      : null;
  }),
  looser_limits: ofAgent((agent, { parts }) => {
    const { limits } = parts.body as { readonly limits: SentOwnerLimits };
    return changed(agent, looserLimits(agent.limits, toOwnerLimits(limits)));
  }),
  resume: ofAgent(
    ({ name }) =>
      `Let the agent ${quoteName(name)} open positions again: its losses in a row and its fall from the peak are counted from now.`,
  ),
  ended_exits: ofAgent(
    ({ name }) => `Stop closing the position of the agent ${quoteName(name)}: it stays open.`,
  ),
  changed_agent: ofAgent(async (agent, { db, parts }) => {
    const { agent: draft, ...rest } = parts.body as Pick<CompleteDraft, "agent"> &
      Partial<CompleteDraft>;
    const wider = widerLimits(agent, draft);
    if (!(await isTrading(db, agent))) return changed(agent, wider);
    const { alerts, rules } = rest;
    if (alerts === undefined || rules === undefined) {
      const fields = validateAgentFields(draft, VENUE_PROFILES);
      return fields.ok ? changed(agent, [...moved(agent, fields.value), ...wider]) : null;
    }
    const checked = validateAgentDraft({ agent: draft, alerts, rules }, VENUE_PROFILES);
    if (!checked.ok) return null;
    const others = changedSetUp(await readSetUp(db, agent.id), checked.value);
    return changed(agent, [...moved(agent, checked.value.agent), ...wider, ...others]);
  }),
  changed_alert: ofTradingAgent(async ({ id }, { db, parts }) => {
    const { alertName } = (parts.params ?? {}) as { readonly alertName?: string };
    const { alerts } = await readSetUp(db, id);
    const before = alertName === undefined ? undefined : alertNamed(alerts, alertName);
    return changedAlerts([[before, parts.body as SentAlert]]);
  }),
  deleted_alert: ofTradingAgent(async (_agent, { parts }) => [
    withoutAlert((parts.params as { readonly alertName: string }).alertName),
  ]),
  changed_rule: ofTradingAgent(async ({ id }, { db, parts }) => {
    const { ruleId } = (parts.params ?? {}) as { readonly ruleId?: string };
    const { alerts, rules } = await readSetUp(db, id);
    const before = rules.filter((rule) => rule.id === ruleId);
    const after = parts.body === undefined ? [] : [parts.body as SentRule];
    return exchangedRules(
      before.map((rule) => asSent(rule, alerts)),
      after,
    );
  }),
  live_below_bar: ofAgent(async (agent, { db, parts, wallet }) => {
    const { network, figures } = parts.body as RequestOf<typeof goLive>["body"];
    const below = await belowBarOf(db, wallet, figures);
    return below === null
      ? null
      : `Make an agent on ${network} from the agent ${quoteName(agent.name)} although it is below your bar. Missing: ${below}.`;
  }),
  webhook_token: ofAgent(
    ({ name }) =>
      `Show the webhook token of the agent ${quoteName(name)}: whoever has it can fire its alerts.`,
  ),
  new_webhook_token: ofAgent(
    ({ name }) =>
      `Replace the webhook token of the agent ${quoteName(name)}: alerts with the old one stop working.`,
  ),
  test_alert: ofAgent(({ name }, { parts }) => {
    const { alertName } = parts.body as RequestOf<typeof sendTestAlert>["body"];
    return `Fire the alert ${quoteName(alertName)} of the agent ${quoteName(name)} once, as a test: it counts, and while auto-trade is on the agent may trade on it.`;
  }),
  replaced_tokens: async ({ db, parts, wallet, now }) => {
    const sent = parts.body as { readonly tokens: "keep" | "replace" };
    if (sent.tokens === "keep") return null;
    const agents = (await listAgentsOf(db, wallet)).map(({ name }) => name).toSorted();
    const tokens = (await listLiveTokens(db, wallet, now)).map(({ name }) => name).toSorted();
    if (agents.length + tokens.length === 0) return null;
    const whose = agents.length === 0 ? "" : ` of ${allOf(agents, "agent")}`;
    const ended = tokens.length === 0 ? "" : ` All read tokens end, ${allOf(tokens, "token")}.`;
    return `Sign out everywhere and replace the webhook tokens${whose}. Alerts with the old ones stop working.${ended}`;
  },
  new_read_token: ({ parts }) => {
    const { name, days, scopes } = parts.body as RequestOf<typeof createReadToken>["body"];
    return `Make the read-only token ${quoteName(name)} for ${days} days: whoever has it ${seenWith(scopes)}`;
  },
  connected_assistant: async ({ db, parts, wallet, now }) => {
    const { id } = parts.params as { readonly id: string };
    const { scopes } = parts.body as RequestOf<typeof approveConnection>["body"];
    const asked = await findRequest(db, wallet, id, now);
    if (asked === null) return null;
    const given = asked.scopes.filter((each) => scopes.includes(each));
    return `Connect the assistant ${quoteName(asked.clientName)}, at ${quoteName(returnsTo(asked.redirectUri))}, for ${CONNECTION_DAYS} days: it ${seenWith(given)}`;
  },
  new_notice_channel: ({ parts }) => {
    const channel = parts.body as NewChannel;
    const place = channelOf(channel.kind).placeOf(channel);
    return `Tell what happens to all your agents, trades and amounts included, to ${place}.`;
  },
  muted_notice_channel: async (asked) => {
    const { events } = asked.parts.body as { readonly events: readonly NoticeKind[] };
    const channel = await namedChannel(asked);
    const muted = channel?.events.filter((kind) => !events.includes(kind)) ?? [];
    if (channel === null || muted.length === 0) return null;
    return `Tell the notice channel ${quoteName(channel.label)} no longer about: ${muted.map((kind) => kind.replaceAll("_", " ")).join(", ")}.`;
  },
  removed_notice_channel: async (asked) => {
    const channel = await namedChannel(asked);
    return channel === null ? null : `Remove the notice channel ${quoteName(channel.label)}.`;
  },
};

/** Returns which terms of an agent a signed call changes; null for a call that its handler refuses. */
type Pins = (agent: AgentRecord, asked: Asked) => Promise<Partial<PinnedTerms> | null>;

const PINS: Partial<Readonly<Record<SignedChange, Pins>>> = {
  turn_on: async () => ({ autoTrade: "on" }),
  trading_custody: async (agent, { db, parts }) => {
    const { intent } = parts.body as { readonly intent: CustodyIntent };
    return intent === "deposit" ? { autoTrade: "on" } : pinnedAutoTrade(db, agent);
  },
  looser_limits: async (agent, { db, parts }) => {
    const { limits } = parts.body as { readonly limits: SentOwnerLimits };
    return { ...(await pinnedAutoTrade(db, agent)), limits: toOwnerLimits(limits) };
  },
  changed_agent: async (agent, { db, parts }) => {
    const { agent: draft } = parts.body as Pick<CompleteDraft, "agent">;
    const checked = validateAgentFields(draft, VENUE_PROFILES);
    if (!checked.ok) return null;
    const { venue, market, intervalText, slippageBps } = checked.value;
    return {
      ...(await pinnedAutoTrade(db, agent)),
      network: draft.network ?? agent.network,
      venue,
      marketId: market.marketId,
      interval: intervalText,
      slippageBps: slippageBps ?? agent.slippageBps,
      positionSizePercent: draft.positionSizePercent ?? agent.positionSizePercent,
      maxSignalAgeSeconds: draft.maxSignalAgeSeconds ?? agent.maxSignalAgeSeconds,
      ...pinnedPlan(draft.plan === undefined ? agent.plan : draft.plan),
      leverage: leverageOf(draft.leverage ?? agent.leverage),
    };
  },
};

const leverageOf = (leverage: number) => (leverage > 1 ? leverage : undefined);

/** A plan that is removed has to replace the one that was signed. */
const pinnedPlan = (plan: Plan | null): Pick<PinnedTerms, "plan"> => ({ plan: plan ?? undefined });

const pinnedAutoTrade = async (db: Db, agent: AgentRecord): Promise<Partial<PinnedTerms>> =>
  (await isTurningOn(db, agent)) ? { autoTrade: "on" } : {};

/** Returns the confirmed channel a call names; nothing was ever told to another. */
async function namedChannel({ db, parts, wallet }: Asked) {
  const { channelId } = parts.params as { readonly channelId: string };
  const channels = await listChannels(db, wallet);
  return channels.find(({ id, confirmedAt }) => id === channelId && confirmedAt !== null) ?? null;
}

const looserLimits = (before: OwnerLimits, after: OwnerLimits): string[] =>
  loosenedLimits(before, after).map((name) => {
    const [from, to] = [before[name], after[name]].map((limit) => ownerLimitSize(name, limit));
    return `${ownerLimitName(name)} from ${from} to ${to}`;
  });

/** Returns the moves to another market, interval or venue. */
function moved(
  agent: AgentRecord,
  after: { readonly market: { readonly marketId: string }; intervalText: string; venue: string },
): string[] {
  return [
    ["market", agent.marketId, after.market.marketId],
    ["interval", agent.interval, after.intervalText],
    ["venue", agent.venue ?? "none", after.venue],
  ].flatMap(([what, from, to]) => (from === to ? [] : [`${what} from ${from} to ${to}`]));
}

/** Fields that were not sent stay as they are; values out of range are refused by the save. */
function widerLimits(agent: AgentRecord, sent: SentDraft): string[] {
  const slippageBps =
    sent.slippagePercent === undefined ? null : parseSlippagePercent(String(sent.slippagePercent));
  const size = Number(sent.positionSizePercent ?? 0);
  const age = Number(sent.maxSignalAgeSeconds ?? 0);
  const changes: string[] = [];
  if (slippageBps !== null && slippageBps > agent.slippageBps) {
    const percents = [agent.slippageBps, slippageBps].map(formatSlippagePercent);
    changes.push(`slippage from ${percents.join("% to ")}%`);
  }
  if (size > agent.positionSizePercent) {
    changes.push(`position size from ${agent.positionSizePercent}% to ${size}%`);
  }
  if (age > agent.maxSignalAgeSeconds) {
    changes.push(`age of alerts from ${agent.maxSignalAgeSeconds} to ${age} seconds`);
  }
  if ((sent.leverage ?? 1) > agent.leverage) {
    changes.push(`leverage from ${agent.leverage} to ${sent.leverage}`);
  }
  if (sent.plan !== undefined && loosenedPlan(agent.plan, sent.plan).length > 0) {
    const [from, to] = [agent.plan, sent.plan].map((plan) =>
      plan === null ? "none" : quoteName(planText(plan)),
    );
    changes.push(`its plan for a position from ${from} to ${to}`);
  }
  return changes;
}
