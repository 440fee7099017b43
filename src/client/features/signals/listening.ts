/** What an agent waits for: alerts from outside, its own conditions, or both. */
export type Listening = "outside" | "conditions" | "both";

/** Returns what an agent with these alerts waits for. */
export function listeningOf(alerts: readonly { readonly condition?: unknown }[]): Listening {
  const own = alerts.filter(({ condition }) => condition !== undefined).length;
  if (own === 0) return "outside";
  return own === alerts.length ? "conditions" : "both";
}
