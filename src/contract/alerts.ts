import * as z from "zod/mini";
import { renamed } from "./codec.ts";
import { alertCondition, conditionDraft } from "./condition.ts";
import { agentId, line, ownAgent, serverId, text } from "./fields.ts";
import { READS, route } from "./route.ts";

export const alert = renamed(
  z.strictObject({
    _id: serverId,
    name: z.string(),
    description: z.string(),
    /** Absent for an alert that is only sent from outside. */
    condition: z.exactOptional(alertCondition),
  }),
  { _id: "id" },
);

export type Alert = z.infer<typeof alert>;

const ownAlert = { ...ownAgent, params: z.strictObject({ agentId, alertName: line(1, 100) }) };

export const createAlert = route("POST", "/api/alerts", {
  bearer: "changed_alert",
  access: { kind: "owner", of: "agent", id: "body.agentId" },
  changes: ["agent"],
  body: z.strictObject({
    agentId,
    name: line(1, 100),
    description: z.optional(text(1_000)),
    condition: conditionDraft,
  }),
  status: 201,
  response: alert,
});

export const listAlerts = route("GET", "/api/alerts/:agentId", {
  ...READS,
  ...ownAgent,
  staleOn: ["agent"],
  params: z.strictObject({ agentId }),
  response: z.array(alert),
});

/** Updates an alert; a new name carries through to every rule that uses it, and counters are kept. */
export const updateAlert = route("PUT", "/api/alerts/:agentId/:alertName", {
  bearer: "changed_alert",
  ...ownAlert,
  changes: ["agent"],
  body: z.strictObject({
    name: line(1, 100),
    description: z.optional(text(1_000)),
    condition: conditionDraft,
  }),
  response: alert,
});

/** Deletes the alert and removes it from every rule; rules left without conditions are deleted too. */
export const deleteAlert = route("DELETE", "/api/alerts/:agentId/:alertName", {
  bearer: "deleted_alert",
  ...ownAlert,
  changes: ["agent"],
});
