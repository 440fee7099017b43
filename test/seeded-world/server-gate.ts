import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";

/** The server was killed: nothing it still does has an effect. */
export class ServerKilled extends Error {
  override readonly name = "ServerKilled";
}

/**
 * What happens to a server at one of its calls of the database, the chain or the signer, counted from now: it is killed
 * before or after the call took effect, or the work that makes the call is paused.
 */
export interface Interruption {
  readonly kind: "kill_before" | "kill_after" | "pause";
  readonly atCall: number;
}

/** Gate for all external calls of one server: database, chain and signer. */
export interface ServerGate {
  readonly isKilled: boolean;
  /** Whether the interruption that was armed last has happened. */
  readonly isInterrupted: boolean;
  arm(interruption: Interruption | null): void;
  kill(): void;
  /** Paused work, oldest first: calling one lets it go on. */
  readonly paused: (() => void)[];
  pass<T>(call: () => Promise<T>): Promise<T>;
  /** Returns the pool as this server uses it; when the server is killed, its transactions are rolled back. */
  guard(pool: Pool): Pool;
  /** Resolves when everything under way has ended or is paused. */
  idle(): Promise<void>;
}

export function createServerGate(): ServerGate {
  let isKilled = false;
  let armed: Interruption | null = null;
  let [calls, inFlight, held] = [0, 0, 0];
  let atRest: (() => void)[] = [];
  const paused: (() => void)[] = [];

  const kill = (): void => {
    isKilled = true;
    armed = null;
    for (const goOn of paused.splice(0)) goOn();
  };

  /** Returns what happens at this call; a pause waits for a call outside of transactions, which would block everybody. */
  const due = (isInTransaction: boolean): Interruption["kind"] | null => {
    if (isKilled) throw new ServerKilled("The server is gone");
    calls += 1;
    if (armed === null || calls < armed.atCall) return null;
    if (armed.kind === "pause" && (isInTransaction || held > 0)) return null;
    const { kind } = armed;
    armed = null;
    if (kind === "kill_before") {
      kill();
      throw new ServerKilled("Killed before a call");
    }
    return kind;
  };

  const counted = async <T>(call: () => Promise<T>): Promise<T> => {
    inFlight += 1;
    try {
      return await call();
    } finally {
      inFlight -= 1;
      if (inFlight === 0) for (const wake of atRest.splice(0)) wake();
    }
  };

  const run = async <T>(call: () => Promise<T>, isInTransaction: boolean): Promise<T> => {
    const interruption = due(isInTransaction);
    if (interruption === "pause") {
      await new Promise<void>((resolve) => paused.push(resolve));
      if (isKilled) throw new ServerKilled("Killed while paused");
    }
    return counted(async () => {
      const value = await call();
      if (interruption === "kill_after") kill();
      if (isKilled) throw new ServerKilled("Killed after a call");
      return value;
    });
  };

  const guardClient = (client: PoolClient): PoolClient => {
    const release = (isBroken?: boolean | Error): void => {
      held -= 1;
      if (!isKilled && isBroken === undefined) return client.release();
      // The server's end, or its rollback, closes the connection; here it is only emptied
      void client.query("rollback").then(
        () => client.release(),
        () => client.release(true),
      );
    };
    const query = (...given: Parameters<PoolClient["query"]>) =>
      run(() => client.query(...given) as unknown as Promise<unknown>, true);
    return Object.assign(Object.create(client) as PoolClient, { query, release });
  };

  return {
    get isKilled() {
      return isKilled;
    },
    get isInterrupted() {
      return armed === null;
    },
    arm(interruption) {
      armed = interruption;
      calls = 0;
    },
    kill,
    paused,
    pass: (call) => run(call, false),
    guard: (pool) =>
      Object.assign(Object.create(pool) as Pool, {
        async connect() {
          await run(async () => {}, false);
          const client = await counted(() => pool.connect());
          held += 1;
          return guardClient(client);
        },
        query: (...given: Parameters<Pool["query"]>) =>
          run(() => pool.query(...given) as unknown as Promise<unknown>, false),
      }),
    async idle() {
      // Work goes on in the turns after an answer: it is at rest when two of them started nothing
      for (let quiet = 0; quiet < 2; quiet += 1) {
        if (inFlight > 0) {
          await new Promise<void>((resolve) => atRest.push(resolve));
          quiet = -1;
        }
        await nextTurn();
      }
    },
  };
}
