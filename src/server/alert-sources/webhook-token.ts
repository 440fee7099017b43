import { createHmac, timingSafeEqual } from "node:crypto";

const SHAPE = /^([A-Za-z0-9_-]{43})\.([1-9]\d{0,8})$/;

const sealOf = (key: Uint8Array, agentId: string, version: number): Buffer =>
  createHmac("sha256", key).update(`webhook\n${agentId}\n${version}`).digest();

/** Returns the token that fires one agent's alerts until its version is raised. It is nowhere stored. */
export function webhookToken(key: Uint8Array, agentId: string, version: number): string {
  return `${sealOf(key, agentId, version).toString("base64url")}.${version}`;
}

/** Seals of tokens that came with an alert, so that the next alert does not make them again; the oldest goes first. */
const MAX_KEPT_SEALS = 10_000;
const keptSeals = new WeakMap<Uint8Array, Map<string, Buffer>>();

/**
 * Returns the version a token of ours was made for, or null when it is not ours.
 *
 * Needs no database, so strangers cost little and learn nothing from the time an answer takes. Whether the version
 * is still the agent's own is left to the caller.
 */
export function readWebhookToken(key: Uint8Array, agentId: string, token: string): number | null {
  const [, seal = "", version = "0"] = SHAPE.exec(token) ?? [];
  const number = Number.parseInt(version, 10);
  const kept = keptSeals.get(key) ?? new Map<string, Buffer>();
  keptSeals.set(key, kept);
  const name = `${agentId}\n${number}`;
  const known = kept.get(name);
  const expected = known ?? Buffer.from(sealOf(key, agentId, number).toString("base64url"));
  const given = Buffer.alloc(expected.length);
  given.write(seal, "latin1");
  // Compared as texts: other spellings of the same bytes are refused
  if (!timingSafeEqual(given, expected) || number === 0) return null;
  // Only what was right is kept: strangers cannot fill it
  if (known === undefined) keep(kept, name, expected);
  return number;
}

function keep(kept: Map<string, Buffer>, name: string, seal: Buffer): void {
  kept.set(name, seal);
  for (const oldest of kept.keys()) {
    if (kept.size <= MAX_KEPT_SEALS) break;
    kept.delete(oldest);
  }
}
