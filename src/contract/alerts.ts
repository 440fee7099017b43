import * as z from "zod/mini";
import { alertCondition, conditionDraft } from "./condition.ts";
import { agentId, line, serverId, text } from "./fields.ts";
import { defineRoute } from "./route.ts";

export const alert = z.strictObject({
  _id: serverId,
  name: z.string(),
  description: z.string(),
  /** Absent for an alert that is only sent from outside. */
  condition: z.exactOptional(alertCondition),
});

const agentParams = z.strictObject({ agentId });
const alertParams = z.strictObject({ agentId, alertName: line(1, 100) });
const ownAgent = { kind: "owner", of: "agent", id: "params.agentId" } as const;

export const createAlert = defineRoute({
  method: "POST",
  path: "/api/alerts",
  access: { kind: "owner", of: "agent", id: "body.agentId" },
  confirms: "new_condition",
  body: z.strictObject({
    agentId,
    name: line(1, 100),
    description: z.optional(text(1_000)),
    condition: conditionDraft,
  }),
  status: 201,
  response: alert,
});

export const listAlerts = defineRoute({
  method: "GET",
  path: "/api/alerts/:agentId",
  access: ownAgent,
  params: agentParams,
  status: 200,
  response: z.array(alert),
});

/** Updates an alert; a new name carries through to every rule that uses it, and counters are kept. */
export const updateAlert = defineRoute({
  method: "PUT",
  path: "/api/alerts/:agentId/:alertName",
  access: ownAgent,
  confirms: "new_condition",
  params: alertParams,
  body: z.strictObject({
    name: line(1, 100),
    description: z.optional(text(1_000)),
    condition: conditionDraft,
  }),
  status: 200,
  response: alert,
});

/** Deletes the alert and removes it from every rule; rules left without conditions are deleted too. */
export const deleteAlert = defineRoute({
  method: "DELETE",
  path: "/api/alerts/:agentId/:alertName",
  access: ownAgent,
  params: alertParams,
  status: 204,
});
