import type { Address } from "@solana/kit";
import type { Clock } from "../../../domain/clock.ts";
import type { SourceFault } from "../../../domain/agent-health.ts";
import type { Chain } from "../../../solana/chain.ts";
import { repeatTask } from "../../pacing/repeat-task.ts";
import {
  type ConfiguredSource,
  type HttpDialect,
  PRICE_DIALECTS,
  type PriceReading,
  REFUSALS,
  UnreadablePriceError,
} from "../../../venues/price-dialects.ts";

/** How sources are reached, passed in so that tests control it. */
export interface PriceTransport {
  /** Rejects without an answer in time, at a redirect and at an answer that is too long. */
  readonly get: (
    url: string,
    headers: Readonly<Record<string, string>>,
    timeoutMs: number,
  ) => Promise<{
    readonly status: number;
    readonly body: string;
    readonly headers: ReadonlyMap<string, string>;
  }>;
  /** Reads accounts of mainnet; absent without a node, where no source stands in accounts. */
  readonly accounts?:
    | ((addresses: readonly Address[]) => ReturnType<Chain["accounts"]>)
    | undefined;
}

/** What a source said when it was asked once. */
export interface SourceAnswer {
  readonly readings: readonly PriceReading[];
  /** What was wrong with one of its answers; null when all of them could be read. */
  readonly fault: SourceFault | null;
  /** Seconds after which a source that refused may be asked again, as it said. */
  readonly retryAfter?: string | undefined;
}

/** A source's connection to the board. */
export interface PriceSourceDeps extends PriceTransport {
  readonly clock: Clock;
  readonly onReadings: (readings: readonly PriceReading[]) => void;
  readonly onFault: (fault: SourceFault) => void;
}

/** One running source. */
export interface RunningSource {
  /** Asks once; repeated by `start`. */
  step(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Longest wait for one answer in milliseconds. */
const TIMEOUT_MS = 3_000;

/** Pause after the first failure in a row; it doubles with each, up to the longest. Milliseconds. */
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;

/** Pause after a refusal that names none, and the longest one that is kept, in milliseconds. */
const REFUSED_PAUSE_MS = 30_000;
const MAX_REFUSED_PAUSE_MS = 600_000;

const REFUSED: ReadonlySet<SourceFault | null> = new Set(["key", "country", "limited", "refused"]);

const failed = (fault: SourceFault): SourceAnswer => ({ readings: [], fault });

function readAll(read: () => readonly PriceReading[]): SourceAnswer {
  try {
    return { readings: read(), fault: null };
  } catch (error) {
    if (!(error instanceof UnreadablePriceError || error instanceof SyntaxError)) throw error;
    return failed("unreadable");
  }
}

/** Asks a source once for what stands at a path. Never rejects because of what the source does. */
export async function askPath(
  dialect: HttpDialect,
  path: string,
  { origin = dialect.origin, key }: Omit<ConfiguredSource, "name">,
  { get }: PriceTransport,
): Promise<SourceAnswer> {
  const headers = key === undefined ? {} : (dialect.headers?.(key) ?? {});
  const answer = await get(`${origin}${path}`, headers, TIMEOUT_MS).catch(() => null);
  if (answer === null) return failed("unreachable");
  const { status, body } = answer;
  if (status === 200) {
    const read = readAll(() => dialect.read(JSON.parse(body), path));
    if (read.fault === null || dialect.limitedWords?.test(body) !== true) return read;
    return failed("limited");
  }
  const isLimited = dialect.limitedWords?.test(body) === true;
  const meant = dialect.refusals?.[status] ?? REFUSALS[status] ?? "refused";
  const retryAfter = answer.headers.get("retry-after");
  return { ...failed(isLimited ? "limited" : meant), retryAfter };
}

/** Asks a source once for the prices of all assets. Never rejects because of what the source does. */
export async function askSource(
  source: ConfiguredSource,
  transport: PriceTransport,
): Promise<SourceAnswer> {
  const dialect = PRICE_DIALECTS[source.name];
  if (dialect.kind === "accounts") {
    const read = await transport.accounts?.(dialect.addresses).catch(() => undefined);
    return read === undefined ? failed("unreachable") : readAll(() => dialect.read(read.accounts));
  }
  const answers = await Promise.all(
    dialect.paths.map((path) => askPath(dialect, path, source, transport)),
  );
  const wrong = answers.find(({ fault }) => fault !== null);
  return {
    readings: answers.flatMap(({ readings }) => readings),
    fault: wrong?.fault ?? null,
    retryAfter: wrong?.retryAfter,
  };
}

/** Pauses between attempts of a source that fails or refuses. */
function createRest(clock: Clock) {
  let untilMs = 0;
  let failures = 0;
  const restFor = (ms: number) => {
    untilMs = Math.max(untilMs, clock.now() + ms);
  };
  return {
    isResting: () => clock.now() < untilMs,
    note({ readings, fault, retryAfter }: SourceAnswer) {
      if (REFUSED.has(fault)) {
        const seconds = Number(retryAfter ?? Number.NaN);
        const ms = Number.isFinite(seconds) ? seconds * 1_000 : REFUSED_PAUSE_MS;
        restFor(Math.min(MAX_REFUSED_PAUSE_MS, Math.max(PAUSE_MS, ms)));
      } else if (fault === null) failures = 0;
      else if (readings.length === 0) {
        restFor(Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** Math.min(failures, 10)));
        failures += 1;
      }
    },
  };
}

/** Creates a source of prices; it recovers from every failure by itself. */
export function createPriceSource(source: ConfiguredSource, deps: PriceSourceDeps): RunningSource {
  const rest = createRest(deps.clock);
  const step = async () => {
    if (rest.isResting()) return;
    const answer = await askSource(source, deps);
    rest.note(answer);
    if (answer.readings.length > 0) deps.onReadings(answer.readings);
    if (answer.fault !== null) deps.onFault(answer.fault);
  };
  const repeated = repeatTask({
    task: step,
    pauseMs: PRICE_DIALECTS[source.name].pauseMs,
    onFailure: () => deps.onFault("unreadable"),
  });
  return {
    step,
    start() {
      repeated.start();
      repeated.wake();
    },
    stop: repeated.stop,
  };
}
