import type { ChildProcess } from "node:child_process";
import { ConfigError } from "../environment.ts";
import type { SignerSocket } from "../custody/signer/frames.ts";
import type { NoticeKeys } from "../notices/encrypt-target.ts";

/** Delay before a dead process is started again, in milliseconds; doubles while it dies before it is up. */
const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;

type Child = Pick<ChildProcess, "pid" | "send" | "on" | "kill" | "connected">;

/** Message of a process that is ready. */
export interface UpMessage {
  readonly up: true;
}

/** First message to a process: what must not be in its environment, where others could read it. */
export interface OpenedMessage {
  readonly databaseUrl: string;
  /** The signer's sockets that the process listens at or calls. */
  readonly sockets: readonly SignerSocket[];
  /** Sent to the roles' processes. */
  readonly noticeKeys?: NoticeKeys;
}

/** Resolves to what the parent sends first; called before messages are heard otherwise. */
export function hearOpened(): Promise<OpenedMessage> {
  return new Promise((resolve) => {
    const hear = (message: unknown) => {
      if (typeof message !== "object" || message === null || !("databaseUrl" in message)) return;
      process.off("message", hear);
      resolve(message as OpenedMessage);
    };
    process.on("message", hear);
  });
}

/** Interval in milliseconds at which a process is asked whether its event loop runs. */
const BEAT_MS = 1_000;

/**
 * Number of beats without an answer after which a process hangs: since its last answer, and since its start, which
 * loads the program. Counted in beats, not in time: a pause of the whole machine is one beat.
 */
const MISSED_BEATS = { running: 10, starting: 60 } as const;

/** Question to a process whether its event loop runs, which it sends back. */
interface BeatMessage {
  readonly beat: true;
}

const isBeat = (message: unknown): message is BeatMessage =>
  typeof message === "object" && message !== null && "beat" in message;

/** Has this process answer its parent's beats. */
export function answerBeats(): void {
  process.on("message", (message) => {
    if (isBeat(message) && process.connected) process.send?.(message);
  });
}

/** Sends a message to a process; one that just died is heard of by its exit alone. */
function tell(child: Child, message: object): void {
  if (child.connected) child.send(message, () => {});
}

/** A child process that is started again when it dies or hangs. */
export interface SupervisedProcess {
  /** Resolves when the process is up for the first time; rejects with its exit code when it ended before. */
  readonly started: Promise<void>;
  /** Sends a message; does nothing while the process is away. */
  send(message: object): void;
  /** Ends the process for good, with a signal unless it got one already; resolves to its exit code. */
  end(signal: NodeJS.Signals | null): Promise<number>;
}

/** Exit code of a process that lost the database while it started; its parent says so once for all of them. */
export const LOST_DATABASE = 75;

/** A process ended before it could work; the message is a line for the user. */
export class StartFailedError extends Error {
  override readonly name = "StartFailedError";
  readonly exitCode: number;
  /** Whether the process itself has said why. */
  readonly isSaid: boolean;
  constructor(process: string, { exitCode, reason }: Fall) {
    super(
      exitCode === LOST_DATABASE
        ? "The database was lost during the start."
        : `The process ${process} ${reason ?? `ended with ${exitCode}`} before it was ready.`,
    );
    this.exitCode = Math.max(1, exitCode);
    this.isSaid = reason === null && exitCode !== LOST_DATABASE && exitCode !== 0;
  }
}

/** Returns what an operator is told of an address that cannot be listened on. */
export function portFault(error: unknown, { host, port }: { host: string; port: number }): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EMFILE") return error;
  if (code === "EADDRINUSE") return new ConfigError(`PORT: ${port} is taken on ${host}.`);
  if (code === "EACCES") {
    return new ConfigError(`PORT: ${port} needs more rights than this user has.`);
  }
  return new ConfigError(`HOST: cannot listen on ${host} (${code ?? "unknown"}).`);
}

/** How a process ended; a reason where it could not say one itself. */
interface Fall {
  readonly exitCode: number;
  readonly reason: string | null;
}

/**
 * Starts a process and keeps it running. One that does not answer beats is killed with SIGKILL and started again; one
 * that ends before it was ever up is not.
 */
export function keepProcess(
  start: () => Child,
  on: {
    /** Name of the process for the user. */
    readonly name: string;
    /** Called when the process does not answer and is killed. */
    readonly hung?: () => void;
    /** Called with what the process says besides that it is up. */
    readonly heard?: (message: object) => void;
  },
): SupervisedProcess {
  let child: Child | null = null;
  let wasUp = false;
  let isEnding = false;
  let exitCode = 0;
  let waitMs = FIRST_WAIT_MS;
  let timer: NodeJS.Timeout | undefined;
  let beating: NodeJS.Timeout | undefined;
  let hasStarted = (): void => {};
  let hasFailed: (error: Error) => void = () => {};
  const started = new Promise<void>((resolve, reject) => {
    [hasStarted, hasFailed] = [resolve, reject];
  });
  // Whoever ends a process that never started need not have waited for it
  started.catch(() => {});
  let hasEnded: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => (hasEnded = resolve));

  const rise = (): void => {
    wasUp = true;
    waitMs = FIRST_WAIT_MS;
    hasStarted();
  };

  const fall = (how: Fall): void => {
    clearInterval(beating);
    child = null;
    exitCode = how.exitCode;
    if (!wasUp) hasFailed(new StartFailedError(on.name, how));
    if (isEnding || !wasUp) return hasEnded(exitCode);
    timer = setTimeout(begin, waitMs);
    waitMs = Math.min(MAX_WAIT_MS, waitMs * 2);
  };

  function begin(): void {
    const begun = start();
    child = begun;
    let missed = 0;
    let most: number = MISSED_BEATS.starting;
    beating = setInterval(() => {
      if (missed === most) {
        on.hung?.();
        begun.kill("SIGKILL");
      }
      missed += 1;
      tell(begun, { beat: true } satisfies BeatMessage);
    }, BEAT_MS);
    begun.on("message", (message) => {
      // Pages' process may say anything by then
      if (typeof message !== "object" || message === null) return;
      if (isBeat(message)) [missed, most] = [0, MISSED_BEATS.running];
      else if ("up" in message) rise();
      else on.heard?.(message);
    });
    begun.on("exit", (code, signal) =>
      fall({ exitCode: code ?? 1, reason: code === null ? `was ended by ${signal}` : null }),
    );
    begun.on("error", (error) => {
      // Of one that runs, its exit is heard as well
      if (begun.pid === undefined)
        fall({ exitCode: 1, reason: `did not start (${error.message})` });
    });
  }

  begin();
  return {
    started,
    send(message) {
      if (child !== null) tell(child, message);
    },
    end(signal) {
      isEnding = true;
      clearTimeout(timer);
      if (child === null) hasEnded(exitCode);
      else if (signal !== null) child.kill(signal);
      return ended;
    },
  };
}
