import type { ReceivedSignal } from "../../../../contract/signals.ts";

/** Returns the first accepted alert, whatever followed from it; undefined when all were refused. */
export function firstHeard(signals: readonly ReceivedSignal[]): ReceivedSignal | undefined {
  return signals.findLast(({ outcome }) => outcome !== "refused");
}
