import type { checkCondition } from "../../../../domain/condition/check-condition.ts";

/** Returns the fault at a field of the condition. */
export type FaultAt = (field: string) => string | null;

/** Returns a function with the text for the faulty field; null for every other field. */
export function faultAt(fault: ReturnType<typeof checkCondition>): FaultAt {
  return (field) => (fault?.field === field ? fault.reason : null);
}
