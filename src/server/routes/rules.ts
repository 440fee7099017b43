import type { AgentId } from "../../domain/ids.ts";
import type { AgentDeps } from "../agents/agent-deps.ts";
import { alertNamed } from "../agents/change-alert.ts";
import { createRule, deleteRule, updateRule } from "../agents/change-rule.ts";
import { showRule } from "../agents/show-rule.ts";
import { listAlertsOf } from "../store/alerts/alerts.ts";
import { listRulesOf } from "../store/alerts/rules.ts";
import type { Handlers } from "../http/handler.ts";

type RuleRoute = "createRule" | "listRules" | "updateRule" | "deleteRule" | "listRulesByAlert";

export function ruleHandlers(deps: AgentDeps): Pick<Handlers, RuleRoute> {
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

    async deleteRule({ params, session }) {
      await deleteRule(deps, params.ruleId, session);
      return null;
    },

    async listRulesByAlert({ params }) {
      const { alerts, rules } = await readAll(params.agentId);
      const { id } = alertNamed(alerts, params.alertName);
      return rules
        .filter((rule) => rule.conditions.some((condition) => condition.alertId === id))
        .map((rule) => showRule(rule, alerts));
    },
  };
}
