import { ASSETS } from "../../venues/profiles.ts";
import { AppError, found } from "../../contract/errors.ts";
import type { AlertCondition } from "../../domain/condition/condition.ts";
import { checkCondition } from "../../domain/condition/check-condition.ts";
import { evaluationFault } from "../../domain/condition/evaluation-bound.ts";
import { conditionKey } from "../../domain/condition/condition-text.ts";
import { parseInterval } from "../../domain/interval.ts";
import { alertNameKey, isAlertNameUsable } from "../../domain/name-key.ts";
import type { AgentId } from "../../domain/ids.ts";
import { newId } from "../crypto/new-id.ts";
import type { Session } from "../session.ts";
import { type AgentRecord, touchAgent } from "../store/agents/agents.ts";
import {
  deleteAlerts,
  insertAlert,
  listAlertsOf,
  updateAlerts,
  type AlertRecord,
} from "../store/alerts/alerts.ts";
import type { Db } from "../store/postgres/db.ts";
import { deleteRules, listRulesOf, resetCounters } from "../store/alerts/rules.ts";
import { refusal, type AgentDeps } from "./agent-changes.ts";
import { changeAgent } from "./save-agent.ts";

/** Maximum number of alerts per agent. */
const MAX_ALERTS = 100;

interface AlertText {
  readonly name: string;
  readonly description?: string | undefined;
  /** Undefined keeps the condition, null removes it. */
  readonly condition?: AlertCondition | null | undefined;
}

export async function createAlert(
  deps: AgentDeps,
  agentId: AgentId,
  text: AlertText,
  session: Session,
): Promise<AlertRecord> {
  return change(deps, agentId, session, "alert_created", async (tx, alerts, agent) => {
    if (alerts.length >= MAX_ALERTS) {
      throw new AppError("validation_failed", {
        message: `At most ${MAX_ALERTS} alerts per agent.`,
      });
    }
    const named = usableName(text.name, alerts, null);
    const alert = {
      id: newId(deps.random),
      ...named,
      description: text.description ?? "",
      condition: usableCondition(text.condition, alerts, agent) ?? null,
    };
    await insertAlert(tx, agentId, alert);
    return { alert, fields: [] };
  });
}

/** Updates an alert. Rules refer to alerts by id, so a new name leaves their counters unchanged. */
export async function updateAlert(
  deps: AgentDeps,
  agentId: AgentId,
  alertName: string,
  text: AlertText,
  session: Session,
): Promise<AlertRecord> {
  return change(deps, agentId, session, "alert_updated", async (tx, alerts, agent) => {
    const before = alertNamed(alerts, alertName);
    const others = alerts.filter(({ id }) => id !== before.id);
    const condition = usableCondition(text.condition, others, agent);
    const alert = {
      id: before.id,
      ...usableName(text.name, alerts, before),
      description: text.description ?? before.description,
      condition: condition === undefined ? before.condition : condition,
    };
    await updateAlerts(tx, [alert]);
    const isOther = conditionKey(alert.condition) !== conditionKey(before.condition);
    return { alert, fields: isOther ? ["conditions"] : [] };
  });
}

/**
 * Deletes an alert and removes it from every rule: rules without conditions are deleted, the others restart from zero.
 */
export async function deleteAlert(
  deps: AgentDeps,
  agentId: AgentId,
  alertName: string,
  session: Session,
): Promise<void> {
  await change(deps, agentId, session, "alert_deleted", async (tx, alerts) => {
    const alert = alertNamed(alerts, alertName);
    const using = (await listRulesOf(tx, agentId)).filter((rule) =>
      rule.conditions.some((condition) => condition.alertId === alert.id),
    );
    const emptied = using.filter((rule) => rule.conditions.length === 1).map((rule) => rule.id);
    await deleteAlerts(tx, [alert.id]);
    await deleteRules(tx, emptied);
    await resetCounters(
      tx,
      using.map((rule) => rule.id),
    );
    return { alert, fields: [] };
  });
}

interface Changed {
  readonly alert: AlertRecord;
  /** Changed fields named in the history besides the alert. */
  readonly fields: readonly string[];
}

function change(
  deps: AgentDeps,
  agentId: AgentId,
  session: Session,
  action: string,
  write: (tx: Db, alerts: readonly AlertRecord[], agent: AgentRecord) => Promise<Changed>,
): Promise<AlertRecord> {
  return changeAgent(deps, agentId, session, action, async (tx, agent) => {
    const { alert, fields } = await write(tx, await listAlertsOf(tx, agentId), agent);
    await touchAgent(tx, agentId, deps.clock.now());
    return { answer: alert, detail: { alert: alert.id, fields } };
  });
}

/** Returns the agent's alert of that name, ignoring case and spelling variants. */
export function alertNamed(alerts: readonly AlertRecord[], name: string): AlertRecord {
  const key = alertNameKey(name);
  const alert = found(alerts.find((each) => each.nameKey === key));
  return alert;
}

/**
 * Returns a condition that is valid and, with those of the agent's other alerts, cheap enough; throws for another one.
 * Undefined keeps the alert's own.
 */
function usableCondition<C extends AlertCondition | null | undefined>(
  condition: C,
  others: readonly AlertRecord[],
  { interval }: AgentRecord,
): C {
  if (!condition) return condition;
  const minutes = parseInterval(interval)?.minutes ?? null;
  const fault = checkCondition(condition, minutes, ASSETS);
  if (fault !== null) {
    throw refusal("condition_invalid", `condition.${fault.field}`, fault.reason);
  }
  const all = [...others.flatMap((each) => each.condition ?? []), condition];
  const costly = minutes === null ? null : evaluationFault(all, minutes);
  if (costly !== null) throw refusal("condition_invalid", "condition.all", costly);
  return condition;
}

function usableName(
  text: string,
  alerts: readonly AlertRecord[],
  own: AlertRecord | null,
): { name: string; nameKey: string } {
  const name = text.trim();
  if (!isAlertNameUsable(name)) throw refusal("alert_name_invalid", "name");
  const nameKey = alertNameKey(name);
  const isTaken = alerts.some((each) => each.nameKey === nameKey && each.id !== own?.id);
  if (isTaken) throw refusal("alert_name_duplicate", "name");
  return { name, nameKey };
}
