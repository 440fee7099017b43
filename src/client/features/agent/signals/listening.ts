import type { ReceivedSignal } from "../../../../contract/signals.ts";

/** Sources of an agent's alerts: outside, its own conditions, or both. */
export type Listening = "outside" | "conditions" | "both";

/** Returns the sources of these alerts. */
export function listeningOf(alerts: readonly { readonly condition?: unknown }[]): Listening {
  const own = alerts.filter(({ condition }) => condition !== undefined).length;
  if (own === 0) return "outside";
  return own === alerts.length ? "conditions" : "both";
}

/** Returns the first accepted alert, whatever followed from it; undefined when all were refused. */
export function firstHeard(signals: readonly ReceivedSignal[]): ReceivedSignal | undefined {
  return signals.findLast(({ outcome }) => outcome !== "refused");
}
