import { isSignalFresh } from "../../../domain/freshness.ts";
import { type EventId, parseEventId } from "../../../domain/ids.ts";
import type { AlertEvent, StoredEvent } from "../../store/alerts/alert-events.ts";
import type { InboxAgent } from "../../store/intake/inbox.ts";
import { type Delivery, type DeliveryResult, eventIdOf } from "./delivery.ts";

/** State of an agent while its deliveries are evaluated one after the other. */
export interface JudgedAgent {
  readonly agent: InboxAgent;
  /** Alert ids by name key. */
  readonly alertIds: ReadonlyMap<string, string>;
  /** Events by id; an accepted or ignored delivery adds itself. */
  readonly events: Map<EventId, StoredEvent>;
}

/** Result of a delivery, the row that records it and, when it counts, the alert it counts for. */
export interface DeliveryVerdict {
  readonly result: DeliveryResult;
  readonly event: AlertEvent | null;
  readonly countedAlertId: string | null;
}

const OUTDATED: DeliveryVerdict = {
  result: { kind: "outdated" },
  event: null,
  countedAlertId: null,
};
const UNKNOWN: DeliveryVerdict = { result: { kind: "unknown" }, event: null, countedAlertId: null };

/** Decides the result of a delivery. `newId` names a row that records no firing: a refusal or a duplicate. */
export function judgeDelivery(
  delivery: Delivery,
  judged: JudgedAgent | undefined,
  newId: () => string,
): DeliveryVerdict {
  if (judged === undefined) return UNKNOWN;
  const { content } = delivery;
  if (content.kind === "condition") return judgeFiring(delivery, content, judged);
  if (judged.agent.tokenVersion !== delivery.tokenVersion) return UNKNOWN;
  const record = (
    outcome: AlertEvent["outcome"],
    reason: string | null,
    { id, bodyHash }: Pick<AlertEvent, "id" | "bodyHash"> = {
      id: parseEventId(newId()),
      bodyHash: null,
    },
  ): AlertEvent => ({
    id,
    agentId: delivery.agentId,
    bodyHash,
    alertName: delivery.alertName,
    firedAtMs: content.kind === "alert" ? content.firedAtMs : null,
    receivedAtMs: delivery.receivedAtMs,
    outcome,
    reason,
    effects: null,
    fired: null,
  });
  const refuse = (code: Extract<DeliveryResult, { kind: "refused" }>["code"]): DeliveryVerdict => ({
    result: { kind: "refused", code },
    event: record("refused", code),
    countedAlertId: null,
  });

  if (content.kind === "refusal") return refuse(content.code);
  const { dedupKey, bodyHash, firedAtMs } = content;
  const eventId = eventIdOf(delivery.agentId, dedupKey);
  const earlier = judged.events.get(eventId);
  if (earlier !== undefined) {
    if (earlier.bodyHash !== bodyHash) return refuse("dedup_mismatch");
    return {
      result: { kind: "duplicate", eventId: earlier.id },
      event: record("duplicate", null),
      countedAlertId: null,
    };
  }
  if (!isSignalFresh(firedAtMs, delivery.receivedAtMs, judged.agent.maxSignalAgeSeconds)) {
    return refuse("stale_signal");
  }
  const alertId = judged.alertIds.get(content.alertNameKey);
  if (alertId === undefined) return refuse("alert_unknown");

  const firing = { id: eventId, agentId: delivery.agentId, bodyHash };
  judged.events.set(eventId, firing);
  if (judged.agent.autoTrade !== "on") {
    return {
      result: { kind: "ignored", reason: "trading_off" },
      event: record("ignored", "trading_off", firing),
      countedAlertId: null,
    };
  }
  return {
    result: { kind: "accepted", eventId },
    event: record("accepted", null, firing),
    countedAlertId: alertId,
  };
}

type Firing = Extract<Delivery["content"], { kind: "condition" }>;

/** A condition's firing is repeated only by other servers of this deployment, so a duplicate is not recorded. */
function judgeFiring(
  { agentId, alertName, receivedAtMs }: Delivery,
  { isUnlisted, alertId, dedupKey, firedAtMs, agentChangedAtMs, fired }: Firing,
  { agent, alertIds, events }: JudgedAgent,
): DeliveryVerdict {
  const eventId = eventIdOf(agentId, dedupKey);
  const earlier = events.get(eventId);
  if (earlier !== undefined) {
    return {
      result: { kind: "duplicate", eventId: earlier.id },
      event: null,
      countedAlertId: null,
    };
  }
  const isCurrent = agent.changedAtMs === agentChangedAtMs && agent.autoTrade === "on";
  if (!isCurrent || ![...alertIds.values()].includes(alertId)) return OUTDATED;
  events.set(eventId, { id: eventId, agentId, bodyHash: null });
  const isFresh =
    isUnlisted !== true && isSignalFresh(firedAtMs, receivedAtMs, agent.maxSignalAgeSeconds);
  const event: AlertEvent = {
    id: eventId,
    agentId,
    bodyHash: null,
    alertName,
    firedAtMs,
    receivedAtMs,
    outcome: isFresh ? "accepted" : "refused",
    reason: isFresh ? null : isUnlisted === true ? "bars_unlisted" : "bar_missed",
    effects: null,
    fired,
  };
  return isFresh
    ? { result: { kind: "accepted", eventId }, event, countedAlertId: alertId }
    : { result: { kind: "missed" }, event, countedAlertId: null };
}
