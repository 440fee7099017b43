import { parseInterval } from "./interval.ts";
import { nameKey } from "./name-key.ts";

/** Returns the name an agent gets from its settings, for instance `Agent ** SOL-1h`. */
export function buildAgentName(asset: string, interval: string): string {
  return `Agent ** ${asset}-${interval}`;
}

/** Reads asset and interval back out of a built name. Null when the name was typed by hand. */
export function parseAgentName(name: string): { asset: string; interval: string } | null {
  const match = /^Agent \*\* (.+)-([^-]+)$/.exec(name);
  const [asset, interval] = [match?.[1], match?.[2]];
  if (asset === undefined || interval === undefined || parseInterval(interval) === null)
    return null;
  return { asset, interval };
}

/** Returns the normalized name that must be unique among one owner's agents. */
export function agentNameKey(name: string): string {
  return nameKey(name);
}
