import type { ChatId } from "../../../../domain/ids.ts";
import type { CompleteDraft } from "../../../../contract/save-agent.ts";
import type { AgentForm } from "../agent-form.ts";
import { draftOfForm } from "./check-form.ts";

/** Returns the draft to save, without the fields the server owns. */
export function completeDraftOf(form: AgentForm, chatId?: ChatId): CompleteDraft {
  const draft = draftOfForm(form);
  return {
    agent: {
      ...draft.agent,
      chatId,
      network: form.network,
      positionSizePercent: Number.parseInt(form.positionSizePercent, 10),
      maxSignalAgeSeconds: Number.parseInt(form.maxSignalAge, 10),
      plan: form.plan,
      leverage: form.leverage,
    },
    alerts: draft.alerts.map(({ id, name, description, condition }) => ({
      ...(id !== undefined && { id }),
      name,
      description: description ?? "",
      condition: condition ?? null,
    })),
    rules: draft.rules.map(({ id, action, portion, conditions }) => ({
      ...(id !== undefined && { id }),
      action,
      ...(portion !== undefined && { portion }),
      conditions: conditions
        .filter((condition) => condition.alertName !== "")
        .map(({ alertName, requiredCount }) => ({ alertName, requiredCount: requiredCount ?? 1 })),
    })),
  };
}
