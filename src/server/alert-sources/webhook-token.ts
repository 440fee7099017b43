import { createHmac, timingSafeEqual } from "node:crypto";

const SHAPE = /^([A-Za-z0-9_-]{43})\.([1-9]\d{0,8})$/;

const sealOf = (key: Uint8Array, agentId: string, version: number): Buffer =>
  createHmac("sha256", key).update(`webhook\n${agentId}\n${version}`).digest();

/** Returns the token that fires one agent's alerts until its version is raised. It is nowhere stored. */
export function webhookToken(key: Uint8Array, agentId: string, version: number): string {
  return `${sealOf(key, agentId, version).toString("base64url")}.${version}`;
}

/**
 * Returns the version a token of ours was made for, or null when it is not ours.
 *
 * Needs no database, so strangers cost nothing and learn nothing from the time an answer takes. Whether the version
 * is still the agent's own is left to the caller.
 */
export function readWebhookToken(key: Uint8Array, agentId: string, token: string): number | null {
  const [, seal = "", version = "0"] = SHAPE.exec(token) ?? [];
  const number = Number.parseInt(version, 10);
  const expected = Buffer.from(sealOf(key, agentId, number).toString("base64url"));
  const given = Buffer.alloc(expected.length);
  given.write(seal, "latin1");
  // Compared as texts: other spellings of the same bytes are refused
  return timingSafeEqual(given, expected) && number > 0 ? number : null;
}
