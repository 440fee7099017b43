import * as z from "zod/mini";
import { renamed } from "./codec.ts";
import { action, agentId, line, ownAgent, portion, serverId } from "./fields.ts";
import { READS, route } from "./route.ts";

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
    portion: z.optional(portion),
  }),
  { _id: "id" },
);

export type Rule = z.infer<typeof rule>;

const conditions = z.array(conditionDraft).check(z.minLength(1), z.maxLength(100));
const ownRule = {
  access: { kind: "owner", of: "rule", id: "params.ruleId" },
  params: z.strictObject({ ruleId: serverId }),
} as const;

export const createRule = route("POST", "/api/rules", {
  bearer: "changed_rule",
  access: { kind: "owner", of: "agent", id: "body.agentId" },
  changes: ["agent"],
  body: z.strictObject({ agentId, conditions, action, portion: z.optional(portion) }),
  status: 201,
  response: rule,
});

export const listRules = route("GET", "/api/rules/:agentId", {
  ...READS,
  ...ownAgent,
  staleOn: ["agent", "signals"],
  params: z.strictObject({ agentId }),
  response: z.array(rule),
});

export const updateRule = route("PUT", "/api/rules/:ruleId", {
  bearer: "changed_rule",
  ...ownRule,
  changes: ["agent"],
  body: z.strictObject({ conditions, action, portion: z.optional(portion) }),
  response: rule,
});

export const deleteRule = route("DELETE", "/api/rules/:ruleId", {
  bearer: "changed_rule",
  ...ownRule,
  changes: ["agent"],
});

export const listRulesByAlert = route("GET", "/api/rules/:agentId/by-alert/:alertName", {
  ...READS,
  ...ownAgent,
  params: z.strictObject({ agentId, alertName: line(1, 100) }),
  response: z.array(rule),
});
