import { sql } from "kysely";
import type { AlertCondition } from "../../../domain/condition/condition.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { Db } from "../postgres/db.ts";

export interface AlertRecord {
  readonly id: string;
  readonly name: string;
  readonly nameKey: string;
  readonly description: string;
  /** Null when the alert is external only. */
  readonly condition: AlertCondition | null;
}

const COLUMNS = ["id", "name", "name_key as nameKey", "description", "condition"] as const;

/** Returns the agent's alerts in order of creation. */
export async function listAlertsOf(db: Db, agentId: AgentId): Promise<AlertRecord[]> {
  return db
    .selectFrom("alerts")
    .select(COLUMNS)
    .where("agent_id", "=", agentId)
    .orderBy("seq")
    .execute();
}

export async function insertAlert(db: Db, agentId: AgentId, alert: AlertRecord): Promise<void> {
  await db
    .insertInto("alerts")
    .values({
      id: alert.id,
      agent_id: agentId,
      name: alert.name,
      name_key: alert.nameKey,
      description: alert.description,
      condition: asJson(alert.condition),
    })
    .execute();
}

/** Updates many alerts at once; they may exchange names. */
export async function updateAlerts(db: Db, alerts: readonly AlertRecord[]): Promise<void> {
  if (alerts.length === 0) return;
  const ids = alerts.map((alert) => alert.id);
  // Names contain no control characters, so the interim keys cannot collide with one
  await db
    .updateTable("alerts")
    .set({ name_key: sql<string>`chr(1) || id` })
    .where("id", "in", ids)
    .execute();
  for (const alert of alerts) {
    await db
      .updateTable("alerts")
      .set({
        name: alert.name,
        name_key: alert.nameKey,
        description: alert.description,
        condition: asJson(alert.condition),
      })
      .where("id", "=", alert.id)
      .execute();
  }
}

const asJson = (condition: AlertCondition | null) =>
  condition === null ? null : JSON.stringify(condition);

/** Deletes alerts and, by cascade, the conditions that refer to them. */
export async function deleteAlerts(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.deleteFrom("alerts").where("id", "in", ids).execute();
}
