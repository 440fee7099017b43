import type { Clock } from "../../domain/clock.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import {
  RouteNotFoundError,
  type SwapBuild,
  type SwapRequest,
  type SwapRouter,
} from "./swap-router.ts";
import { type Address, getBase64Encoder, AccountRole } from "@solana/kit";
import { type FullInstruction, instruction } from "../../solana/encoding/instruction.ts";
import { isAddress } from "../../solana/encoding/address-codec.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";

/** One complete HTTP response. Header names in lower case. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Platform functions the router needs. `get` rejects when there is no response in time. */
export interface RouterSurroundings {
  get(
    url: string,
    headers: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<HttpAnswer>;
  sleep(ms: number): Promise<void>;
  readonly clock: Clock;
}

/** Base URL of Jupiter's API, with and without a key. */
export const JUPITER_API_URL = "https://api.jup.ag";

/** Longest wait for one response, milliseconds. */
const TIMEOUT_MS = 4_000;

/** Largest number of attempts per call, the first included. */
const MAX_ATTEMPTS = 3;

/** Wait before a retry in milliseconds, doubled each time. */
const RETRY_AFTER_MS = 250;

/** Longest wait for a rate limit, milliseconds; an older order is better requested anew. */
const MAX_RATE_WAIT_MS = 2_000;

/** Wait for a rate limit that does not state its duration, milliseconds. */
const UNKNOWN_RATE_WAIT_MS = 1_000;

/** Consecutive failed calls after which the router counts as unreachable. */
const FAILURES_TO_PAUSE = 3;

/** Time after the last failure until an unreachable router is tried again, milliseconds. */
const PAUSE_MS = 30_000;

const query = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");

/** Returns the URL of a swap request. */
export function buildUrl(baseUrl: string, request: SwapRequest): string {
  return `${baseUrl}/swap/v2/build?${query({
    inputMint: request.inputMint,
    outputMint: request.outputMint,
    amount: request.amount.toString(),
    taker: request.taker,
    slippageBps: request.slippageBps.toString(),
    maxAccounts: request.maxAccounts.toString(),
    destinationTokenAccount: request.destination,
    wrapAndUnwrapSol: "false",
  })}`;
}

/** Returns the milliseconds until a rate-limited request may be repeated, from the headers where they state it. */
function rateWaitMs({ headers }: HttpAnswer, nowMs: number): number {
  const seconds = headers.get("retry-after");
  if (seconds !== undefined && /^\d{1,6}$/.test(seconds)) return parseWhole(seconds) * 1_000;
  const reset = headers.get("x-ratelimit-reset");
  if (reset === undefined || !/^\d{1,13}$/.test(reset)) return UNKNOWN_RATE_WAIT_MS;
  const value = parseWhole(reset);
  // Unix seconds when large enough to be a date, otherwise seconds from now
  const isDate = value > 1_000_000_000;
  return Math.max(0, isDate ? value * 1_000 - nowMs : value * 1_000);
}

const parseWhole = (digits: string): number => Number.parseInt(digits, 10);

/** Creates the router on Jupiter's API. The key is sent in a header and never in a URL or a message. */
export function createHttpRouter(
  surroundings: RouterSurroundings,
  options: { readonly apiKey?: string | undefined; readonly baseUrl?: string } = {},
): SwapRouter {
  const { apiKey, baseUrl = JUPITER_API_URL } = options;
  const { clock } = surroundings;
  const headers: Record<string, string> = {
    accept: "application/json",
    ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
  };
  let limitedUntilMs = 0;
  let failures = 0;
  let failedAtMs = 0;

  const unavailable = (why: string): ChainUnavailableError =>
    new ChainUnavailableError(`Jupiter's router ${why}`);

  async function waitForLimit(): Promise<void> {
    const waitMs = limitedUntilMs - clock.now();
    if (waitMs <= 0) return;
    if (waitMs > MAX_RATE_WAIT_MS) throw unavailable("takes no more questions for now");
    await surroundings.sleep(waitMs);
  }

  /** Returns a build, or the reason why a retry may help. */
  async function ask(request: SwapRequest): Promise<SwapBuild | string> {
    await waitForLimit();
    const answer = await surroundings
      .get(buildUrl(baseUrl, request), headers, TIMEOUT_MS)
      .catch(() => null);
    if (answer === null) return "did not answer";
    if (answer.status === 429) {
      limitedUntilMs = clock.now() + rateWaitMs(answer, clock.now());
      return "takes no more questions for now";
    }
    if (answer.status >= 500) return `answered ${answer.status}`;
    if (answer.status === 401 || answer.status === 403) throw unavailable("refused the API key");
    if (answer.status !== 200) {
      throw new RouteNotFoundError(`Jupiter's router offers no such swap (${answer.status})`);
    }
    try {
      return parseBuildResponse(answer.body);
    } catch (error) {
      if (error instanceof BuildResponseError)
        throw unavailable(`answered oddly: ${error.message}`);
      throw error;
    }
  }

  async function askRepeatedly(request: SwapRequest): Promise<SwapBuild> {
    let why = "did not answer";
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      if (attempt > 0) await surroundings.sleep(RETRY_AFTER_MS * 2 ** (attempt - 1));
      const answer = await ask(request);
      if (typeof answer !== "string") return answer;
      why = answer;
    }
    throw unavailable(why);
  }

  return {
    async build(request) {
      try {
        const build = await askRepeatedly(request);
        failures = 0;
        return build;
      } catch (error) {
        if (error instanceof ChainUnavailableError) {
          failures += 1;
          failedAtMs = clock.now();
        }
        throw error;
      }
    },
    async health() {
      const isOut = failures >= FAILURES_TO_PAUSE && clock.now() - failedAtMs < PAUSE_MS;
      return isOut
        ? {
            status: "paused",
            reason:
              "Jupiter's router does not answer at the moment: no new positions until it does.",
          }
        : { status: "available" };
    },
  };
}

/** A router's answer that does not follow its documentation; the message names the field. */
export class BuildResponseError extends Error {
  override readonly name = "BuildResponseError";
}

/** Limits of a plausible answer: a transaction names at most 64 accounts in 1,232 bytes. */
const MAX_ACCOUNTS = 64;
const MAX_DATA_TEXT = 2_000;
const MAX_TABLES = 16;
const MAX_TABLE_ADDRESSES = 256;

type Fields = Readonly<Record<string, unknown>>;

function fail(field: string): never {
  throw new BuildResponseError(`The router's answer has no usable ${field}`);
}

function fieldsOf(value: unknown, field: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return fail(field);
  return value as Fields;
}

function listOf(value: unknown, field: string, most: number): readonly unknown[] {
  return Array.isArray(value) && value.length <= most ? value : fail(field);
}

function addressOf(value: unknown, field: string): Address {
  return typeof value === "string" && isAddress(value) ? value : fail(field);
}

function amountOf(fields: Fields, field: string): bigint {
  const text = fields[field];
  if (typeof text !== "string" || !/^\d{1,20}$/.test(text)) return fail(field);
  const amount = BigInt(text);
  return amount < 2n ** 64n ? amount : fail(field);
}

function flagOf(fields: Fields, field: string): boolean {
  const flag = fields[field];
  return typeof flag === "boolean" ? flag : fail(field);
}

function bytesOf(value: unknown, field: string): Uint8Array {
  if (typeof value !== "string" || value.length > MAX_DATA_TEXT) return fail(field);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(value)) {
    return fail(field);
  }
  return new Uint8Array(getBase64Encoder().encode(value));
}

function roleOf(isSigner: boolean, isWritable: boolean): AccountRole {
  if (isSigner) return isWritable ? AccountRole.WRITABLE_SIGNER : AccountRole.READONLY_SIGNER;
  return isWritable ? AccountRole.WRITABLE : AccountRole.READONLY;
}

function instructionOf(value: unknown, field: string): FullInstruction {
  const fields = fieldsOf(value, field);
  const accounts = listOf(fields["accounts"], `${field}.accounts`, MAX_ACCOUNTS).map((each) => {
    const account = fieldsOf(each, `${field}.accounts`);
    return {
      address: addressOf(account["pubkey"], `${field}.accounts.pubkey`),
      role: roleOf(flagOf(account, "isSigner"), flagOf(account, "isWritable")),
    };
  });
  const programId = addressOf(fields["programId"], `${field}.programId`);
  return instruction(programId, accounts, bytesOf(fields["data"], `${field}.data`));
}

const instructionsOf = (fields: Fields, field: string): readonly FullInstruction[] =>
  listOf(fields[field], field, 16).map((each) => instructionOf(each, field));

const optionalInstruction = (fields: Fields, field: string): FullInstruction | null => {
  const value = fields[field];
  return value === undefined || value === null ? null : instructionOf(value, field);
};

function tablesOf(fields: Fields): LookupTables {
  const field = "addressesByLookupTableAddress";
  const value = fields[field];
  if (value === null || value === undefined) return {};
  const entries = Object.entries(fieldsOf(value, field));
  if (entries.length > MAX_TABLES) return fail(field);
  return Object.fromEntries(
    entries.map(([table, addresses]) => [
      addressOf(table, field),
      listOf(addresses, field, MAX_TABLE_ADDRESSES).map((each) => addressOf(each, field)),
    ]),
  );
}

/**
 * Parses the body of `GET /swap/v2/build`. Fields this product does not use may be added or removed; every used field
 * must have the documented form. Throws `BuildResponseError`. Source: jup-ag/docs, openapi-spec/swap/v2
 */
export function parseBuildResponse(body: string): SwapBuild {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return fail("JSON");
  }
  const fields = fieldsOf(json, "body");
  if (fields["swapMode"] !== "ExactIn") return fail("swapMode");
  const slippageBps = fields["slippageBps"];
  if (
    typeof slippageBps !== "number" ||
    !Number.isInteger(slippageBps) ||
    slippageBps < 0 ||
    slippageBps > 10_000
  ) {
    return fail("slippageBps");
  }
  return {
    inputMint: addressOf(fields["inputMint"], "inputMint"),
    outputMint: addressOf(fields["outputMint"], "outputMint"),
    inAmount: amountOf(fields, "inAmount"),
    outAmount: amountOf(fields, "outAmount"),
    otherAmountThreshold: amountOf(fields, "otherAmountThreshold"),
    slippageBps,
    setupInstructions: instructionsOf(fields, "setupInstructions"),
    swapInstruction: instructionOf(fields["swapInstruction"], "swapInstruction"),
    cleanupInstruction: optionalInstruction(fields, "cleanupInstruction"),
    otherInstructions: instructionsOf(fields, "otherInstructions"),
    tipInstruction: optionalInstruction(fields, "tipInstruction"),
    tables: tablesOf(fields),
  };
}
