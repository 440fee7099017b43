import type { ReceivedSignal } from "../../queries/signals.ts";

/** Returns the first alert an agent understood, whatever it then did with it; undefined while all were refused. */
export function firstHeard(signals: readonly ReceivedSignal[]): ReceivedSignal | undefined {
  return signals.findLast(({ outcome }) => outcome !== "refused");
}
