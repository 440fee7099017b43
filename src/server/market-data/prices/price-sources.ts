import type { Clock } from "../../../domain/clock.ts";
import type { SourceFault } from "../../../domain/agent-health.ts";
import { repeatTask } from "../../pacing/repeat-task.ts";
import {
  type PolledDialect,
  type PriceDialect,
  type PriceReading,
  type StreamedDialect,
  UnreadablePriceError,
} from "./price-dialects.ts";

/** What a socket reports. `onClose` is called once, with the status of a refused handshake. */
export interface SocketEvents {
  readonly onMessage: (text: string) => void;
  readonly onClose: (status: number | null) => void;
}

/** Network access of price sources, passed in so that tests control it. */
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
  /** Opens a WebSocket; a message that is too long closes it. */
  readonly connect: (url: string, events: SocketEvents) => { close(): void };
}

/** A source's connection to the board. */
export interface PriceSourceDeps extends PriceTransport {
  readonly clock: Clock;
  readonly onReadings: (readings: readonly PriceReading[]) => void;
  readonly onFault: (fault: SourceFault) => void;
}

/** One running source. */
export interface RunningSource {
  /** Asks once, or opens or renews the connection; repeated by `start`. */
  step(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/** Longest wait for one answer in milliseconds. */
const TIMEOUT_MS = 3_000;

/** A connection without a message for this long is renewed, in milliseconds: every market sends one a second. */
const SILENT_MS = 10_000;

/** Pause after the first failure in a row; it doubles with each, up to the longest. Milliseconds. */
const PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 15_000;

/** Pause after a refusal that names none, and the longest one that is kept, in milliseconds. */
const REFUSED_PAUSE_MS = 30_000;
const MAX_REFUSED_PAUSE_MS = 600_000;

/** Pauses between attempts of a source that fails or refuses. */
function createRest(clock: Clock) {
  let untilMs = 0;
  let failures = 0;
  const restFor = (ms: number) => {
    untilMs = Math.max(untilMs, clock.now() + ms);
  };
  return {
    isResting: () => clock.now() < untilMs,
    failed() {
      restFor(Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** Math.min(failures, 10)));
      failures += 1;
    },
    refused(retryAfter: string | undefined) {
      const seconds = Number(retryAfter ?? Number.NaN);
      const ms = Number.isFinite(seconds) ? seconds * 1_000 : REFUSED_PAUSE_MS;
      restFor(Math.min(MAX_REFUSED_PAUSE_MS, Math.max(PAUSE_MS, ms)));
    },
    worked() {
      failures = 0;
    },
  };
}

function readText(
  dialect: PriceDialect,
  text: string,
  { onReadings, onFault }: PriceSourceDeps,
): boolean {
  try {
    onReadings(dialect.read(JSON.parse(text)));
    return true;
  } catch (error) {
    if (!(error instanceof UnreadablePriceError || error instanceof SyntaxError)) throw error;
    onFault("unreadable");
    return false;
  }
}

function createPolledSource(
  dialect: PolledDialect,
  origin: string,
  deps: PriceSourceDeps,
): Pick<RunningSource, "step"> {
  const rest = createRest(deps.clock);
  const ask = async (path: string): Promise<boolean> => {
    const answer = await deps.get(`${origin}${path}`, {}, TIMEOUT_MS).catch(() => null);
    if (answer === null) {
      deps.onFault("unreachable");
      return false;
    }
    if (answer.status === 200) return readText(dialect, answer.body, deps);
    deps.onFault("refused");
    rest.refused(answer.headers.get("retry-after"));
    return true;
  };
  return {
    async step() {
      if (rest.isResting()) return;
      const worked = await Promise.all(dialect.paths.map(ask));
      if (worked.every(Boolean)) rest.worked();
      else if (!worked.some(Boolean)) rest.failed();
    },
  };
}

function createStreamedSource(
  dialect: StreamedDialect,
  origin: string,
  deps: PriceSourceDeps,
): Pick<RunningSource, "step"> & { close(): void } {
  const { clock } = deps;
  const rest = createRest(clock);
  let socket: { close(): void } | null = null;
  let heardAtMs = 0;
  const open = () => {
    heardAtMs = clock.now();
    const opened = deps.connect(`${origin}${dialect.path}`, {
      onMessage(text) {
        if (socket !== opened) return;
        heardAtMs = clock.now();
        if (readText(dialect, text, deps)) rest.worked();
      },
      onClose(status) {
        if (socket !== opened) return;
        socket = null;
        deps.onFault(status === null ? "unreachable" : "refused");
        if (status === null) rest.failed();
        else rest.refused(undefined);
      },
    });
    socket = opened;
  };
  const close = () => {
    const opened = socket;
    socket = null;
    opened?.close();
  };
  return {
    async step() {
      if (socket !== null && clock.now() - heardAtMs > SILENT_MS) {
        close();
        deps.onFault("unreachable");
        rest.failed();
      }
      if (socket === null && !rest.isResting()) open();
    },
    close,
  };
}

/** Creates a source of prices; it recovers from every failure by itself. */
export function createPriceSource(
  dialect: PriceDialect,
  origin: string,
  deps: PriceSourceDeps,
): RunningSource {
  const source =
    dialect.kind === "polled"
      ? { ...createPolledSource(dialect, origin, deps), close: () => {} }
      : createStreamedSource(dialect, origin, deps);
  const repeated = repeatTask({
    task: source.step,
    pauseMs: dialect.kind === "polled" ? dialect.pauseMs : PAUSE_MS,
    onFailure: () => deps.onFault("unreadable"),
  });
  return {
    step: source.step,
    start: repeated.start,
    async stop() {
      await repeated.stop();
      source.close();
    },
  };
}
