import * as z from "zod/mini";
import { renamed } from "./codec.ts";
import { action, agentId, line, ownAgent, serverId } from "./fields.ts";
import { defineRoute } from "./route.ts";

const conditionDraft = z.strictObject({
  alertName: line(1, 100),
  requiredCount: z._default(z.int().check(z.minimum(1), z.maximum(60)), 1),
});

/** A rule in responses; `count` is the number of firings of the alert since the last reset. */
export const rule = renamed(
  z.strictObject({
    _id: serverId,
    agentId,
    conditions: z.array(
      z.strictObject({ alertName: z.string(), requiredCount: z.int(), count: z.int() }),
    ),
    action,
  }),
  { _id: "id" },
);

export type Rule = z.infer<typeof rule>;

const conditions = z.array(conditionDraft).check(z.minLength(1), z.maxLength(100));
const ruleParams = z.strictObject({ ruleId: serverId });
const ownRule = { kind: "owner", of: "rule", id: "params.ruleId" } as const;

export const createRule = defineRoute({
  method: "POST",
  path: "/api/rules",
  access: { kind: "owner", of: "agent", id: "body.agentId" },
  changes: ["agent"],
  body: z.strictObject({ agentId, conditions, action }),
  status: 201,
  response: rule,
});

export const listRules = defineRoute({
  method: "GET",
  path: "/api/rules/:agentId",
  access: ownAgent,
  staleOn: ["agent", "signals"],
  params: z.strictObject({ agentId }),
  status: 200,
  response: z.array(rule),
});

export const updateRule = defineRoute({
  method: "PUT",
  path: "/api/rules/:ruleId",
  access: ownRule,
  changes: ["agent"],
  params: ruleParams,
  body: z.strictObject({ conditions, action }),
  status: 200,
  response: rule,
});

export const deleteRule = defineRoute({
  method: "DELETE",
  path: "/api/rules/:ruleId",
  access: ownRule,
  changes: ["agent"],
  params: ruleParams,
  status: 204,
});

export const listRulesByAlert = defineRoute({
  method: "GET",
  path: "/api/rules/:agentId/by-alert/:alertName",
  access: ownAgent,
  params: z.strictObject({ agentId, alertName: line(1, 100) }),
  status: 200,
  response: z.array(rule),
});
