import { parseInterval } from "./interval.ts";
import { MAX_AGENT_NAME, nameKey } from "./name-key.ts";

/** Returns the name an agent gets from its settings, for instance `Agent ** SOL-1h`. */
export function buildAgentName(asset: string, interval: string): string {
  return `Agent ** ${asset}-${interval}`;
}

/** Number behind a name that another agent has. */
const NUMBER = / \(\d+\)$/;

/** Returns the name where no agent has it, otherwise with the first free number from 2, for instance `Agent ** SOL-1h (2)`. */
export function freeAgentName(name: string, taken: Iterable<string>): string {
  const keys = new Set(Array.from(taken, nameKey));
  const base = name.replace(NUMBER, "");
  let free = name;
  for (let number = 2; keys.has(nameKey(free)); number++) {
    const suffix = ` (${number})`;
    free = base.slice(0, MAX_AGENT_NAME - suffix.length) + suffix;
  }
  return free;
}

/** Reads asset and interval back out of a built name, numbered or not. Null when the name was typed by hand. */
export function parseAgentName(name: string): { asset: string; interval: string } | null {
  const match = /^Agent \*\* (.+)-([^-]+)$/.exec(name.replace(NUMBER, ""));
  const [asset, interval] = [match?.[1], match?.[2]];
  if (asset === undefined || interval === undefined || parseInterval(interval) === null)
    return null;
  return { asset, interval };
}

/** Returns the normalized name that must be unique among one owner's agents. */
export function agentNameKey(name: string): string {
  return nameKey(name);
}
