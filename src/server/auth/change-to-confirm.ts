import type { SentOwnerLimits } from "../../contract/owner-limit-fields.ts";
import { channelOf, type NewChannel } from "../../contract/notice-channels/list.ts";
import type { Route } from "../../contract/route.ts";
import { parseAgentId, type AgentId } from "../../domain/ids.ts";
import { quoteName } from "../../domain/name-key.ts";
import { ownerLimitName, ownerLimitSize } from "../../domain/owner-limit-words.ts";
import { loosenedLimits, type OwnerLimits, toOwnerLimits } from "../../domain/owner-limits.ts";
import { formatSlippagePercent, parseSlippagePercent } from "../../domain/slippage.ts";
import { requestObjectId, type RequestParts } from "./request-object-id.ts";
import { type AgentRecord, findAgent } from "../store/agents/agents.ts";
import type { Db } from "../store/postgres/db.ts";
import type { AlertCondition } from "../../domain/condition/condition.ts";
import { firingText } from "../../domain/condition/firing-text.ts";
import { conditionKey } from "../../domain/condition/condition-key.ts";
import { alertNameKey } from "../../domain/alert-name.ts";
import { type AlertRecord, listAlertsOf } from "../store/alerts/alerts.ts";

type Field = string | number | undefined;

interface SentDraft {
  readonly slippagePercent?: Field;
  readonly positionSizePercent?: Field;
  readonly maxSignalAgeSeconds?: Field;
}

interface SentAgent {
  readonly agent: SentDraft;
  readonly alerts?: readonly SentAlert[];
}

/** Returns one sentence about the change of a call that needs the wallet's signature; null when it needs none. */
export async function changeToConfirm(
  db: Db,
  route: Route,
  parsed: RequestParts,
): Promise<string | null> {
  if (route.confirms === "new_read_token") {
    const { name, days } = parsed.body as { readonly name: string; readonly days: number };
    return `Make the read-only token ${quoteName(name)} for ${days} days: whoever has it sees the trades, ledger and worth of all your agents, and can change nothing.`;
  }
  if (route.confirms === "new_notice_channel") {
    const channel = parsed.body as NewChannel;
    const place = channelOf(channel.kind).placeOf(channel);
    return `Tell what happens to all your agents, trades and amounts included, to ${place}.`;
  }
  if (route.confirms === undefined || route.access.kind !== "owner") return null;
  const agent = await findAgent(db, parseAgentId(requestObjectId(route.access.id, parsed)));
  if (agent === null) return null;
  switch (route.confirms) {
    case "new_webhook_token":
      return `Replace the webhook token of the agent ${quoteName(agent.name)}: alerts with the old one stop working.`;
    case "turn_on": {
      const { autoTrade } = parsed.body as { readonly autoTrade: "on" | "off" };
      if (autoTrade === "off") return null;
      return `Turn on auto-trade of the agent ${quoteName(agent.name)}.${await ownFirings(db, agent.id)}`;
    }
    case "wider_limits": {
      const { agent: draft, alerts = [] } = parsed.body as SentAgent;
      return changed(agent, [
        ...widerLimits(agent, draft),
        ...firing(await newConditions(db, agent, alerts)),
      ]);
    }
    case "looser_limits": {
      const { limits } = parsed.body as { readonly limits: SentOwnerLimits };
      return changed(agent, looserLimits(agent.limits, toOwnerLimits(limits)));
    }
    case "resume":
      return `Let the agent ${quoteName(agent.name)} open positions again: its losses in a row and its fall from the peak are counted from now.`;
    case "new_condition": {
      const { alertName } = (parsed.params ?? {}) as { readonly alertName?: string };
      const sent = [parsed.body as SentAlert];
      return changed(agent, firing(await newConditions(db, agent, sent, alertName)));
    }
  }
}

const changed = (agent: AgentRecord, changes: readonly string[]): string | null =>
  changes.length === 0 ? null : `Change the agent ${quoteName(agent.name)}: ${changes.join(", ")}.`;

const firing = (texts: readonly string[]): string[] =>
  texts.length === 0 ? [] : [`by itself it fires ${texts.join("; ")}`];

const looserLimits = (before: OwnerLimits, after: OwnerLimits): string[] =>
  loosenedLimits(before, after).map((name) => {
    const [from, to] = [before[name], after[name]].map((limit) => ownerLimitSize(name, limit));
    return `${ownerLimitName(name)} from ${from} to ${to}`;
  });

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
  return changes;
}

/** An alert as a call sends it; absent fields stay as they are. */
interface SentAlert {
  readonly id?: string;
  readonly name: string;
  readonly condition?: AlertCondition | null;
}

/**
 * Returns the conditions a call adds to a trading agent or changes, one text per alert.
 *
 * Empty for an agent that is off: turning it on names its conditions. `of` is the alert's name when the path holds it.
 */
async function newConditions(
  db: Db,
  agent: AgentRecord,
  sent: readonly SentAlert[],
  of?: string,
): Promise<string[]> {
  if (agent.autoTrade === "off" || !sent.some(({ condition }) => condition)) return [];
  const stored = await listAlertsOf(db, agent.id);
  return sent.flatMap((alert) => {
    const before = storedAs(stored, of === undefined ? alert : { name: of });
    const isNew = conditionKey(before?.condition) !== conditionKey(alert.condition);
    return alert.condition && isNew ? [conditionText(alert.name, alert.condition)] : [];
  });
}

/** Returns an agent's conditions in words for the text its wallet signs; empty when it has none. */
async function ownFirings(db: Db, agentId: AgentId): Promise<string> {
  const texts = (await listAlertsOf(db, agentId)).flatMap(({ name, condition }) =>
    condition === null ? [] : [conditionText(name, condition)],
  );
  return texts.length === 0 ? "" : ` It fires by itself: ${texts.join("; ")}.`;
}

const conditionText = (name: string, condition: AlertCondition): string =>
  `the alert ${quoteName(name.trim())} ${firingText(condition)}`;

function storedAs(stored: readonly AlertRecord[], { id, name }: SentAlert) {
  const key = alertNameKey(name);
  return stored.find((each) => each.id === id) ?? stored.find((each) => each.nameKey === key);
}
