import type { statfs } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { Address } from "@solana/kit";
import type { Clock } from "../../domain/clock.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { type ServerConfig } from "../config.ts";
import { ConfigError } from "../environment.ts";
import { OperationError } from "../custody/land-transaction.ts";
import type { Networks } from "../networks.ts";
import type { Finding } from "../store/health/outside-looks.ts";
import type { Db } from "../store/postgres/db.ts";
import type { getText, postJson } from "./http-client.ts";

export interface DoctorDeps {
  readonly config: Pick<
    ServerConfig,
    | "networks"
    | "rpcUrls"
    | "priceSources"
    | "swapApiKey"
    | "lookupTables"
    | "priorityFee"
    | "dataDir"
    | "mail"
  >;
  /** The database, or why it cannot be used; null where there is none yet. */
  readonly db: Db | string | null;
  readonly clock: Clock;
  /** The real networks that could be opened. */
  readonly networks: Networks;
  /** Who pays for orders; null where the last look has to tell. */
  readonly feePayer: Address | null;
  /** What the last look found. */
  readonly last: readonly Finding[];
  /** A person reads what is found: a changed program counts as seen then. */
  readonly isRead: boolean;
  /** Waits so many milliseconds before a question; absent: all are asked at once. */
  readonly pause?: (ms: number) => Promise<unknown>;
  readonly get: typeof getText;
  readonly post: typeof postJson;
  readonly free?: typeof statfs;
}

export type Found = Partial<Finding>;

/** What is wrong with something that was looked at, and what mends it. */
class Fault extends Error {
  readonly found: Found;
  constructor(text: string, found: Found) {
    super(text);
    this.found = found;
  }
}

export function fail(text: string, found: Found = {}): never {
  throw new Fault(text, found);
}

/** Name, look and what else is known of a check. A look returns what was seen; it throws where something is wrong. */
export type Check = readonly [name: string, look: () => Promise<string | Found>, known?: Found];

export const OPTIONAL = { isNeeded: false } as const;
export const NOT_SET = { state: "not set" } as const;

/** Longest wait for one answer, longest time of a look, and pause between two looks of a server, in milliseconds. */
export const ANSWER_MS = 5_000;
const LOOK_MS = 20_000;
const PAUSE_MS = 500;

export async function conclude(deps: DoctorDeps, [name, look, known]: Check): Promise<Finding> {
  const end = new AbortController();
  const limit = sleep(LOOK_MS, undefined, { signal: end.signal }).then(() =>
    fail(`took more than ${LOOK_MS / 1_000} s`),
  );
  const found = await Promise.race([look(), limit]).catch((error: unknown): Found => {
    const { name: kind, message, code } = error as Error & { readonly code?: string };
    const isSaid =
      error instanceof Fault ||
      error instanceof ChainUnavailableError ||
      error instanceof OperationError ||
      error instanceof ConfigError;
    const text = isSaid ? message : `could not be looked at (${code ?? kind})`;
    return { state: "fails", text, ...(error instanceof Fault && error.found) };
  });
  end.abort();
  const whole = { text: "", state: "works", isNeeded: true, ...known } as const;
  const now = { ...whole, name, ...(typeof found === "string" ? { text: found } : found) };
  const before = deps.last.find((each) => each.name === name);
  const sinceMs = before?.state === now.state ? before.sinceMs : deps.clock.now();
  return { ...now, sinceMs };
}

export const conclusions = (deps: DoctorDeps, checks: readonly Check[]) =>
  Promise.all(
    checks.map(async (check, at) => {
      await deps.pause?.(at * PAUSE_MS);
      return conclude(deps, check);
    }),
  );

/** Returns the check that as many of several work as are needed; its text says what else waits. */
export const atLeast = (
  least: number,
  members: readonly Finding[],
  name: string,
  known: Found & { readonly of: string },
): Check => {
  const { of, text: otherwise, ...more } = known;
  const look = async () => {
    const works = members.filter(({ state }) => state === "works").length;
    const text = `${works} of ${members.length} ${of} work`;
    return works < least ? fail(`${text}: ${otherwise}`) : text;
  };
  return [name, look, more];
};

export const seconds = (ms: number): string => `${Math.round(Math.abs(ms) / 1_000)} s`;

/** How far the newest block of a node may lie back, in milliseconds. */
export const BEHIND_MS = 60_000;
