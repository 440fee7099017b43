import type { SimulatedAgent } from "../../../../strategy/simulation.ts";
import { simulatedAgent } from "../../../../assistant/simulated-agent.ts";
import { checkForm } from "./check-form.ts";
import { completeDraftOf } from "./form-draft.ts";
import type { EditedAgent } from "./use-opened-agent.ts";

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
