import type { checkCondition } from "../../../domain/condition/check-condition.ts";

/** Says what is wrong at a place of the condition. */
export type FaultAt = (field: string) => string | null;

/** Returns the words for the one field a fault is about; null for every other. */
export function faultAt(fault: ReturnType<typeof checkCondition>): FaultAt {
  return (field) => (fault?.field === field ? fault.reason : null);
}
