import type { SignerAnswer } from "./signer-calls.ts";
import type { SignerCaller } from "./frames.ts";

/** Maximum number of calls of one kind that wait for one caller, and of its signatures that are being made. */
const MAX_WAITING = 10_000;

const REFUSED = { kind: "refused", message: "This process may not have orders signed" } as const;

const TOO_MANY = {
  kind: "unavailable",
  message: "This process has asked the signer too much at once",
} as const;

/** A connection of a process that calls the signer. */
export interface SignerClient {
  readonly caller: SignerCaller;
  send(answer: SignerAnswer): void;
}

/** A call with the number that its answer repeats; the rest is not read yet. */
export interface NumberedCall {
  readonly id: number;
  readonly call?: unknown;
}

interface Waiting {
  readonly client: SignerClient;
  readonly message: NumberedCall;
}

/** Creates the lines of waiting calls, one for each caller and kind of call. */
function createLines() {
  /** The next line's turn first; none is empty. */
  const lines = new Map<string, Waiting[]>();
  return {
    /** Adds a call; returns false when its line is full. */
    add(waiting: Waiting, kind: unknown): boolean {
      // The kinds are few: a caller must not have more turns by making some up
      const name = `${waiting.client.caller} ${kind === "coSign" ? "coSign" : "question"}`;
      const line = lines.get(name) ?? [];
      if (line.length >= MAX_WAITING) return false;
      line.push(waiting);
      lines.set(name, line);
      return true;
    },
    /** Removes and returns the call whose turn it is. */
    next(): Waiting | undefined {
      const [first] = lines;
      if (first === undefined) return undefined;
      const [name, line] = first;
      const waiting = line.shift();
      lines.delete(name);
      if (line.length > 0) lines.set(name, line);
      return waiting;
    },
    drop(client: SignerClient): void {
      for (const [name, line] of lines) {
        const left = line.filter((waiting) => waiting.client !== client);
        if (left.length === 0) lines.delete(name);
        else if (left.length < line.length) lines.set(name, left);
      }
    },
  };
}

/**
 * Decides which call is answered next.
 *
 * A signature is made at once, for the trading process only. All other calls take turns, one at a time, by caller and
 * kind of call: whatever a caller asks, over however many connections, at most one call stands before a signature, and
 * one of each other line before the next call of a line.
 */
export function createSignerTurns(answer: (message: NumberedCall) => Promise<SignerAnswer>) {
  const lines = createLines();
  const gone = new WeakSet<SignerClient>();
  let isBusy = false;
  let signatures = 0;

  const ask = async ({ client, message }: Waiting): Promise<void> => {
    const answered = await answer(message);
    if (!gone.has(client)) client.send(answered);
  };

  const next = (): void => {
    const waiting = isBusy ? undefined : lines.next();
    if (waiting === undefined) return;
    isBusy = true;
    const end = () => {
      isBusy = false;
      next();
    };
    // What came in meanwhile is read before the next turn: a signature may be among it
    void ask(waiting).finally(() => setImmediate(end));
  };

  const sign = (waiting: Waiting): boolean => {
    if (signatures >= MAX_WAITING) return false;
    signatures += 1;
    void ask(waiting).finally(() => (signatures -= 1));
    return true;
  };

  return {
    call(client: SignerClient, message: NumberedCall): void {
      const { kind } = (message.call ?? {}) as { kind?: unknown };
      const refuse = (error: typeof REFUSED | typeof TOO_MANY) =>
        client.send({ id: message.id, error });
      if (kind === "sign" && client.caller !== "trading") return refuse(REFUSED);
      const waiting = { client, message };
      if (!(kind === "sign" ? sign(waiting) : lines.add(waiting, kind))) refuse(TOO_MANY);
      next();
    },
    /** Drops the waiting calls of a connection that ended. */
    forget(client: SignerClient): void {
      gone.add(client);
      lines.drop(client);
    },
  };
}

export type SignerTurns = ReturnType<typeof createSignerTurns>;
