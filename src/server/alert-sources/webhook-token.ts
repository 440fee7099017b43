import { createHmac, timingSafeEqual } from "node:crypto";
import type { AgentId } from "../../domain/ids.ts";

const SHAPE = /^([A-Za-z0-9_-]{43})\.([1-9]\d{0,8})$/;

const sealOf = (key: Uint8Array, agentId: string, version: number): Buffer =>
  createHmac("sha256", key).update(`webhook\n${agentId}\n${version}`).digest();

/** Returns the token for one agent's alerts, valid until its version is incremented. It is not stored. */
export function webhookToken(key: Uint8Array, agentId: AgentId, version: number): string {
  return `${sealOf(key, agentId, version).toString("base64url")}.${version}`;
}

/** As short as a part of a token may be that helps nobody to guess the rest. */
const MIN_SECRET = 24;
const SECRET = new RegExp(`[A-Za-z0-9_-]{${MIN_SECRET},}(?:\\.\\d+)?`, "g");

/** Returns the beginning of a stranger's text for its owner to read: on one line, without anything as long as a token. */
export const withoutSecrets = (text: string, agentId: string, length: number): string =>
  text
    .toWellFormed()
    // Taken out before, so that no token is missed because they stand between its characters
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "")
    .replaceAll(SECRET, (found) => (found === agentId ? found : "(hidden)"))
    .slice(0, length)
    .toWellFormed();

/** Maximum number of cached seals of received tokens, which avoid recomputation; the oldest is evicted first. */
const MAX_KEPT_SEALS = 10_000;
const keptSeals = new WeakMap<Uint8Array, Map<string, Buffer>>();

/**
 * Returns the version of a valid token, or null for an invalid one.
 *
 * Needs no database, so that strangers' requests are cheap and response times reveal nothing. The caller checks whether
 * the version is the agent's current one.
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
  // Compared as text, so that other encodings of the same bytes are refused
  if (!timingSafeEqual(given, expected) || number === 0) return null;
  // Only valid tokens are cached, so strangers cannot fill the cache
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
