import type { AlertCondition } from "../../domain/condition/condition.ts";
import { firingText } from "../../domain/condition/firing-text.ts";
import { conditionKey } from "../../domain/condition/condition-key.ts";
import { alertNameKey } from "../../domain/alert-name.ts";
import type { AgentRecord } from "../store/agents/agents.ts";
import { type AlertRecord, listAlertsOf } from "../store/alerts/alerts.ts";
import type { Db } from "../store/postgres/db.ts";

/** An alert as a call sends it; what is left out stays as it is. */
export interface SentAlert {
  readonly id?: string;
  readonly name: string;
  readonly condition?: AlertCondition | null;
}

/**
 * Returns what a call makes a trading agent fire by itself that it did not fire before, one text per alert.
 *
 * Of an agent that is off nothing: it trades once it is turned on, and that names its conditions. `of` names the alert
 * where the address does.
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

/** Returns what an agent fires by itself, for the text its wallet signs; empty when it fires nothing. */
export async function ownFirings(db: Db, agentId: string): Promise<string> {
  const texts = (await listAlertsOf(db, agentId)).flatMap(({ name, condition }) =>
    condition === null ? [] : [firing(name, condition)],
  );
  return texts.length === 0 ? "" : ` It fires by itself: ${texts.join("; ")}.`;
}

const firing = (name: string, condition: AlertCondition): string =>
  `the alert "${name.trim()}" ${firingText(condition)}`;

function storedAs(stored: readonly AlertRecord[], { id, name }: SentAlert) {
  const key = alertNameKey(name);
  return stored.find((each) => each.id === id) ?? stored.find((each) => each.nameKey === key);
}
