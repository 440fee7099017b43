import { AppError, ERRORS } from "../../contract/errors.ts";
import { DRAFT_NAMES } from "../../contract/save-agent.ts";
import type { Invalid, ValidationReason } from "../../domain/agent-draft.ts";

const WIRE_FIELDS: ReadonlyMap<string, string> = new Map(
  Object.entries(DRAFT_NAMES).map(([wire, name]) => [`agent.${name}`, `agent.${wire}`]),
);

/** Returns the wire path of a draft's field. */
export const wireField = (field: string): string => WIRE_FIELDS.get(field) ?? field;

/** Returns the refusal of a draft, with the field it is about. */
export function refusalOf(invalid: Invalid): AppError {
  return refusal(invalid.reason, invalid.field, invalid.message);
}

export function refusal(
  reason: ValidationReason | "venue_locked" | "plan_invalid",
  field: string,
  message: string = ERRORS[reason].message,
): AppError {
  const fields = { [wireField(field)]: message };
  // A condition's error refers to its field: without the field's name it is not understandable
  return new AppError(reason, reason === "condition_invalid" ? { fields } : { message, fields });
}
