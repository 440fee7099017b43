import type { AlertCondition } from "../../domain/condition/condition.ts";
import { firingText } from "../../domain/condition/firing-text.ts";
import { conditionKey } from "../../domain/condition/condition-key.ts";
import { quoteName } from "../../domain/name-key.ts";
import { alertNameKey } from "../../domain/alert-name.ts";
import type { AgentId } from "../../domain/ids.ts";
import type { AgentRecord } from "../store/agents/agents.ts";
import { type AlertRecord, listAlertsOf } from "../store/alerts/alerts.ts";
import type { Db } from "../store/postgres/db.ts";

/** An alert as a call sends it; absent fields stay as they are. */
export interface SentAlert {
  readonly id?: string;
  readonly name: string;
  readonly condition?: AlertCondition | null;
}

/**
 * Returns the conditions a call adds to a trading agent or changes, one text per alert.
 *
 * Empty for an agent that is off: turning it on names its conditions. `of` is the alert's name when the path holds it.
 */
export async function newConditions(
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
    return alert.condition && isNew ? [firing(alert.name, alert.condition)] : [];
  });
}

/** Returns an agent's conditions in words for the text its wallet signs; empty when it has none. */
export async function ownFirings(db: Db, agentId: AgentId): Promise<string> {
  const texts = (await listAlertsOf(db, agentId)).flatMap(({ name, condition }) =>
    condition === null ? [] : [firing(name, condition)],
  );
  return texts.length === 0 ? "" : ` It fires by itself: ${texts.join("; ")}.`;
}

const firing = (name: string, condition: AlertCondition): string =>
  `the alert ${quoteName(name.trim())} ${firingText(condition)}`;

function storedAs(stored: readonly AlertRecord[], { id, name }: SentAlert) {
  const key = alertNameKey(name);
  return stored.find((each) => each.id === id) ?? stored.find((each) => each.nameKey === key);
}
