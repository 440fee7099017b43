import type { AgentId } from "../../domain/ids.ts";
import { type AgentDeps, showRule } from "../agents/agent-changes.ts";
import { alertNamed } from "../agents/change-alert.ts";
import { createRule, deleteRule, updateRule } from "../agents/change-rule.ts";
import { listAlertsOf } from "../store/alerts/alerts.ts";
import { listRulesOf } from "../store/alerts/rules.ts";
import type { Handlers } from "../http/handler.ts";

export function ruleHandlers(deps: AgentDeps) {
  const readAll = async (agentId: AgentId) => {
    const [alerts, rules] = await Promise.all([
      listAlertsOf(deps.db, agentId),
      listRulesOf(deps.db, agentId),
    ]);
    return { alerts, rules };
  };
  return {
    createRule: ({ body, session }) => createRule(deps, body.agentId, body, session),

    async listRules({ params }) {
      const { alerts, rules } = await readAll(params.agentId);
      return rules.map((rule) => showRule(rule, alerts));
    },

    updateRule: ({ params, body, session }) => updateRule(deps, params.ruleId, body, session),

    deleteRule: ({ params, session }) => deleteRule(deps, params.ruleId, session),

    async listRulesByAlert({ params }) {
      const { alerts, rules } = await readAll(params.agentId);
      const { id } = alertNamed(alerts, params.alertName);
      return rules
        .filter((rule) => rule.conditions.some((condition) => condition.alertId === id))
        .map((rule) => showRule(rule, alerts));
    },
  } satisfies Partial<Handlers>;
}
