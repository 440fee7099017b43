import { createHash } from "node:crypto";
import { AppError } from "../../contract/errors.ts";

export function bearerOf(authorization: readonly string[]): string | null {
  const [header, second] = authorization;
  if (header === undefined || second !== undefined) return null;
  return /^Bearer ([A-Za-z0-9._-]{1,2048})$/.exec(header)?.[1] ?? null;
}

/** Returns the digest by which a token is stored. */
export const hashOf = (token: string): string => createHash("sha256").update(token).digest("hex");

export function refused(): AppError {
  return new AppError("unauthenticated");
}
