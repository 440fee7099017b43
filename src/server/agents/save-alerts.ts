import type { ValidAlert } from "../../domain/agent-draft.ts";
import type { AgentId } from "../../domain/ids.ts";
import { newId } from "../crypto/new-id.ts";
import {
  deleteAlerts,
  insertAlert,
  listAlertsOf,
  updateAlerts,
  type AlertRecord,
} from "../store/alerts/alerts.ts";
import type { Db } from "../store/postgres/db.ts";
import type { AgentDeps } from "./agent-changes.ts";

/**
 * Replaces the agent's alerts by these. An alert with a known id is renamed, so rules and counters stay with it;
 * returns the ids by name key.
 */
export async function saveAlerts(
  deps: AgentDeps,
  tx: Db,
  agentId: AgentId,
  alerts: readonly ValidAlert[],
): Promise<ReadonlyMap<string, string>> {
  const stored = await listAlertsOf(tx, agentId);
  const known = matchAlerts(alerts, stored);
  const kept = new Set([...known.values()].map((alert) => alert.id));
  await deleteAlerts(
    tx,
    stored.filter((alert) => !kept.has(alert.id)).map((alert) => alert.id),
  );
  const saved = alerts.map((alert): AlertRecord => {
    const before = known.get(alert);
    return {
      id: before?.id ?? newId(deps.random),
      name: alert.name,
      nameKey: alert.nameKey,
      description: alert.description ?? before?.description ?? "",
      condition: alert.condition === undefined ? (before?.condition ?? null) : alert.condition,
    };
  });
  await updateAlerts(
    tx,
    saved.filter((alert) => kept.has(alert.id)),
  );
  for (const alert of saved) {
    if (!kept.has(alert.id)) await insertAlert(tx, agentId, alert);
  }
  return new Map(saved.map((alert) => [alert.nameKey, alert.id]));
}

/** Matches alerts by id first, then the remaining ones by name. */
export function matchAlerts(
  alerts: readonly ValidAlert[],
  stored: readonly AlertRecord[],
): Map<ValidAlert, AlertRecord> {
  const free = new Map(stored.map((alert) => [alert.id, alert]));
  const matched = new Map<ValidAlert, AlertRecord>();
  const take = (alert: ValidAlert, match: AlertRecord | undefined) => {
    if (match === undefined) return;
    free.delete(match.id);
    matched.set(alert, match);
  };
  for (const alert of alerts) if (alert.id !== undefined) take(alert, free.get(alert.id));
  for (const alert of alerts) {
    if (matched.has(alert)) continue;
    take(
      alert,
      [...free.values()].find((each) => each.nameKey === alert.nameKey),
    );
  }
  return matched;
}
