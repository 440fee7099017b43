import { ASSETS } from "../../../../venues/profiles.ts";
import * as z from "zod/mini";
import { AGENT_FILE_FORMAT, agentFile, type AgentFile } from "../../../../contract/agent-file.ts";
import { checkCondition } from "../../../../domain/condition/check-condition.ts";
import { parseInterval } from "../../../../domain/interval.ts";

/** Longest text read as an agent file, in UTF-16 units. */
export const MAX_FILE_LENGTH = 200_000;

export type FileReading =
  | { readonly ok: true; readonly file: AgentFile }
  /** First faults as sentences for the file's author. */
  | { readonly ok: false; readonly faults: readonly string[] };

const SHOWN_FAULTS = 5;

const refused = (...faults: string[]): FileReading => ({
  ok: false,
  faults: faults.slice(0, SHOWN_FAULTS),
});

/** Parses an agent file. Its content is validated again on save. */
export function readAgentFile(text: string): FileReading {
  if (text.length > MAX_FILE_LENGTH) return refused("The file is too large for an agent file.");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refused("This is not JSON.");
  }
  const isOurs =
    typeof value === "object" &&
    value !== null &&
    "format" in value &&
    value.format === AGENT_FILE_FORMAT;
  if (!isOurs) return refused(`This is JSON, but not an agent file: "format" is missing.`);
  const parsed = z.safeParse(agentFile, value);
  if (!parsed.success) return refused(...parsed.error.issues.map(issueText));
  const minutes = parseInterval(parsed.data.interval)?.minutes ?? null;
  const faults = parsed.data.alerts.flatMap(({ name, condition }) => {
    const fault = condition === undefined ? null : checkCondition(condition, minutes, ASSETS);
    return fault === null ? [] : [`${name}: ${fault.reason}`];
  });
  return faults.length > 0 ? refused(...faults) : { ok: true, file: parsed.data };
}

function issueText(issue: z.core.$ZodIssue): string {
  const place = issue.path.length === 0 ? "" : `${issue.path.map(String).join(".")}: `;
  if (issue.code === "unrecognized_keys") {
    return `${place}${issue.keys.join(", ")} does not belong in an agent file.`;
  }
  return `${place}${issue.message}`;
}
