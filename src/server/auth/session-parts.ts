import { createHash } from "node:crypto";
import { AppError } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import type { RandomBytes } from "../crypto/new-id.ts";
import type { Db } from "../store/postgres/db.ts";

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

export interface SessionsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly secret: Uint8Array;
  readonly publicUrl: URL;
  /** Wallets without anything here that may sign in from one address a minute; 60 unless told. */
  readonly newWalletsPerMinute?: number;
  /** Replaces that of 24 hours. */
  readonly newWalletsPerDay?: number;
}

/** How long a session lives without a refresh. */
export const IDLE_MS = 24 * 3600_000;

export interface IssuedTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}
