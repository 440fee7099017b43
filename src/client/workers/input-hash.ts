import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { FiringRecord, SimulatedAgent } from "../../strategy/simulation.ts";
import type { SimulationRequest } from "./messages.ts";

/** Returns the hash of a run's inputs: agent, costs, money, firings, seed and every value of every bar. */
export function inputHash({ columns, ...input }: SimulationRequest): string {
  const hash = sha256.create();
  hash.update(utf8ToBytes(JSON.stringify(sorted(input))));
  for (const name of Object.keys(columns).toSorted()) {
    const { buffer, byteOffset, byteLength } = columns[name as keyof typeof columns];
    hash.update(new Uint8Array(buffer, byteOffset, byteLength));
  }
  return bytesToHex(hash.digest());
}

/**
 * Returns the digest of all settings that decide what an agent trades on its market, 32 hexadecimal digits. Neither
 * history, money and costs nor the names of alerts are part of it.
 */
export function variantKey(agent: SimulatedAgent, firings: FiringRecord): string {
  const { intervalMinutes, positionSizePercent, slippageBps, limits, alerts, rules } = agent;
  const { plan, leverage } = agent;
  const placeOf = (key: string) => alerts.findIndex(({ alertKey }) => alertKey === key);
  const settings = {
    intervalMinutes,
    positionSizePercent,
    slippageBps,
    limits,
    // Absent for an agent without a plan, whose digest stays what it was
    ...(plan && { plan }),
    ...((leverage ?? 1) > 1 && { leverage }),
    conditions: alerts.map(({ condition }) => condition ?? null),
    rules: rules.map(({ action, conditions, portion = 100 }) => ({
      action,
      ...(portion < 100 && { portion }),
      needs: conditions.map(({ alertKey, requiredCount }) => [placeOf(alertKey), requiredCount]),
    })),
    firings:
      firings.kind === "conditions"
        ? null
        : firings.firings.map(({ alertKey, ...at }) => ({ ...at, alert: placeOf(alertKey) })),
  };
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(sorted(settings))))).slice(0, 32);
}

/** Returns a canonical copy, keys sorted and amounts as text, so that equal inputs hash equally. */
function sorted(value: unknown): unknown {
  if (typeof value === "bigint") return `${value}`;
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]),
  );
}
