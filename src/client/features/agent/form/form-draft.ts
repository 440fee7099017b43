import type { ChatId } from "../../../../domain/ids.ts";
import type { CompleteDraft } from "../../../../contract/save-agent.ts";
import type { AgentForm } from "../agent-form.ts";
import { draftOfForm, checkForm } from "./check-form.ts";
import type { SimulatedAgent } from "../../../../strategy/simulation.ts";
import { simulatedAgent } from "../../../../assistant/simulated-agent.ts";
import type { EditedAgent } from "./use-opened-agent.ts";

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

/** Returns the form's agent for a simulation, without rows a save drops; null when the form is invalid. */
export function simulatedForm({
  form,
  opened,
}: Pick<EditedAgent, "form"> & {
  readonly opened: EditedAgent["opened"] | null;
}): SimulatedAgent | null {
  if (checkForm(form) !== null) return null;
  const { agent, alerts, rules } = completeDraftOf(form);
  const { venue, marketId, interval = "", positionSizePercent = 100 } = agent;
  if (venue === "") return null;
  return simulatedAgent(
    {
      venue,
      marketId,
      interval,
      positionSizePercent,
      slippagePercent: Number(agent.slippagePercent),
      plan: form.plan ?? undefined,
      leverage: form.leverage,
      limits: opened?.agent?.limits,
    },
    alerts
      .filter(({ name }) => name !== "")
      .map(({ name, condition }) => ({ name, condition: condition ?? undefined })),
    rules,
  );
}
