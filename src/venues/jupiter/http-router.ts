import type { Clock } from "../../domain/clock.ts";
import { ChainUnavailableError } from "../../solana/chain.ts";
import { BuildResponseError, parseBuildResponse } from "./build-response.ts";
import {
  RouteNotFoundError,
  type SwapBuild,
  type SwapRequest,
  type SwapRouter,
} from "./swap-router.ts";

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
