import type { CompleteDraft, SavedAgent } from "../../queries/agents.ts";
import { ERRORS } from "../../../contract/errors.ts";
import { describeProblem, isApiError } from "../../lib/problem.ts";
import type { AgentForm } from "./agent-form.ts";
import { draftOfForm } from "./check-form.ts";

/** Returns the body of a save. Server-owned fields are not in it. */
export function bodyOfForm(form: AgentForm, chatId: string): CompleteDraft {
  const draft = draftOfForm(form);
  return {
    agent: {
      ...draft.agent,
      chatId,
      network: form.network,
      positionSizePercent: Number.parseInt(form.positionSizePercent, 10),
      maxSignalAgeSeconds: Number.parseInt(form.maxSignalAge, 10),
    },
    alerts: draft.alerts.map(({ id, name, description, condition }) => ({
      ...(id !== undefined && { id }),
      name,
      description: description ?? "",
      condition: condition ?? null,
    })),
    rules: draft.rules.map(({ id, action, conditions }) => ({
      ...(id !== undefined && { id }),
      action,
      conditions: conditions
        .filter((condition) => condition.alertName !== "")
        .map(({ alertName, requiredCount }) => ({ alertName, requiredCount: requiredCount ?? 1 })),
    })),
  };
}

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** Says in one sentence what a save left out, or null when nothing was. */
export function droppedSentence(dropped: SavedAgent["dropped"]): string | null {
  const without = (reason: "no_conditions" | "no_action") =>
    dropped.rules.filter((rule) => rule.reason === reason).length;
  const parts = [
    [dropped.alerts, "alert without a name", "alerts without a name"],
    [without("no_conditions"), "rule without alerts", "rules without alerts"],
    [without("no_action"), "rule without an action", "rules without an action"],
  ] as const;
  const words = parts
    .filter(([count]) => count > 0)
    .map(([count, one, many]) => counted(count, one, many));
  return words.length === 0 ? null : `Not saved: ${words.join(", ")}.`;
}

/** Says whether a save was refused because of the agent's name. */
export function isNameTaken(error: unknown): boolean {
  const said = error instanceof Error ? error.message.toLowerCase() : "";
  return (
    isApiError(error, "agent_already_exists") ||
    (said.includes("already exists") && said.includes("agent"))
  );
}

/** Returns the toast of a save the server refused. */
export function saveProblem(error: unknown, isNew: boolean): { title: string; message: string } {
  if (isNameTaken(error)) {
    const { title, message } = ERRORS.agent_already_exists;
    return { title, message };
  }
  const { message } = describeProblem(error);
  return {
    title: isNew ? "Creation Failed" : "Update Failed",
    message: message === "" ? "Something went wrong" : message,
  };
}
