import { type AgentDeps, showAlert } from "../agents/agent-changes.ts";
import { createAlert, deleteAlert, updateAlert } from "../agents/change-alert.ts";
import { listAlertsOf } from "../store/alerts/alerts.ts";
import type { Handlers } from "../http/handler.ts";

export function alertHandlers(deps: AgentDeps) {
  return {
    async createAlert({ body, session }) {
      return showAlert(await createAlert(deps, body.agentId, body, session));
    },

    async listAlerts({ params }) {
      const alerts = await listAlertsOf(deps.db, params.agentId);
      return alerts.map(showAlert);
    },

    async updateAlert({ params, body, session }) {
      const { agentId, alertName } = params;
      return showAlert(await updateAlert(deps, agentId, alertName, body, session));
    },

    deleteAlert: ({ params, session }) =>
      deleteAlert(deps, params.agentId, params.alertName, session),
  } satisfies Partial<Handlers>;
}
