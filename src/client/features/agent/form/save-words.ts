import { ERRORS } from "../../../../contract/errors.ts";
import { describeProblem, isApiError } from "../../../lib/problem.ts";
import type { SavedAgent } from "../../../../contract/save-agent.ts";

const counted = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;

/** Returns one sentence about what a save dropped; null when nothing was. */
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

/** Returns whether a save was refused because of the agent's name. */
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
