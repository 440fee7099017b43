import { AppError, ERRORS } from "../../contract/errors.ts";
import type { Invalid, ValidationReason } from "../../domain/agent-draft.ts";
import { wireField } from "./wire-draft.ts";

/** Returns the refusal of a draft, with the field it is about. */
export function refusalOf(invalid: Invalid): AppError {
  return refusal(invalid.reason, invalid.field, invalid.message);
}

export function refusal(
  reason: ValidationReason | "venue_locked",
  field: string,
  message: string = ERRORS[reason].message,
): AppError {
  const fields = { [wireField(field)]: message };
  // A condition's error refers to its field: without the field's name it is not understandable
  return new AppError(reason, reason === "condition_invalid" ? { fields } : { message, fields });
}
