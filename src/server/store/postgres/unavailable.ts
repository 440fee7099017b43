import { DatabaseError } from "pg";

const NETWORK_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
]);

/**
 * SQLSTATE classes and codes for which a retry helps: connection errors, shutdown, resources, timeouts, deadlock, and a
 * server that only reads, as one that another has replaced.
 */
const TRANSIENT_STATE = /^(?:08|53|57P0|57014|55P03|40001|40P01|25006)/;

/** Returns whether an error means that the database is unavailable, rather than that the statement is wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable);
  if (!(error instanceof Error)) return false;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  // The socket of a server that was shut down is gone
  const isSocketGone = code === "ENOENT" && "syscall" in error && error.syscall === "connect";
  if (isSocketGone || NETWORK_CODES.has(code) || TRANSIENT_STATE.test(code)) return true;
  return /^(?:Connection terminated|timeout exceeded when trying to connect|Postgres connection has been discarded|Client has encountered|Query read timeout)/.test(
    error.message,
  );
}

/** Returns the race a constraint violation reveals: a row was deleted or inserted between check and write. */
export function lostRace(error: unknown): "gone" | "taken" | null {
  if (!(error instanceof Error) || !("code" in error)) return null;
  if (error.code === "23503") return "gone";
  return error.code === "23505" ? "taken" : null;
}

/** Returns whether the database itself answered with an error, so that its connection is usable. */
export const isServerError = (error: unknown): boolean => error instanceof DatabaseError;
