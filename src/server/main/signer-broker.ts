import type { SignerAnswer, SignerState } from "../custody/signer/signer-calls.ts";
import type { SupervisedProcess } from "./keep-process.ts";

/** A process that calls the signer. */
export interface SignerClient {
  send(message: object): void;
  /** Whether it may have orders signed; the process that answers the internet may not. */
  readonly signsOrders: boolean;
}

const REFUSED = { kind: "refused", message: "This process may not have orders signed" } as const;

const TOO_MANY = {
  kind: "unavailable",
  message: "This process has asked the signer too much at once",
} as const;

/** Maximum number of calls of one kind that wait for one client. */
const MAX_WAITING = 10_000;

/** A client's calls of one kind that wait for their turn. */
interface Line {
  readonly client: SignerClient;
  readonly calls: object[];
}

/**
 * Shares a signer: gives every call a number of its own and the answer the caller's.
 *
 * A signature is asked for at once. Everything else takes turns, one call at a time, between clients and kinds of
 * calls: whatever one of them asks, at most one call stands before a signature, and one of each other line before the
 * next call of a line.
 */
export function createSignerBroker(
  signer: Pick<SupervisedProcess, "isUp" | "send">,
  clients: readonly SignerClient[],
) {
  const asked = new Map<number, { readonly client: SignerClient; readonly id: number }>();
  /** Lines with waiting calls, the next one's turn first. */
  const lines = new Map<string, Line>();
  let turn: number | null = null;
  let count = 0;

  const ask = (client: SignerClient, message: object): number => {
    count += 1;
    asked.set(count, { client, id: (message as { id: number }).id });
    signer.send({ ...message, id: count });
    return count;
  };

  const next = (): void => {
    const [first] = lines;
    if (turn !== null || first === undefined) return;
    const [name, line] = first;
    const message = line.calls.shift();
    lines.delete(name);
    if (line.calls.length > 0) lines.set(name, line);
    if (message !== undefined) turn = ask(line.client, message);
  };

  const wait = (client: SignerClient, kind: unknown, message: object): boolean => {
    // The kinds are few: a client must not have more turns by making some up
    const name = `${clients.indexOf(client)} ${kind === "coSign" ? "coSign" : "question"}`;
    const line = lines.get(name) ?? { client, calls: [] };
    if (line.calls.length >= MAX_WAITING) return false;
    line.calls.push(message);
    lines.set(name, line);
    next();
    return true;
  };

  const endTurn = (): void => {
    turn = null;
    next();
  };

  return {
    /** Passes a client's call on. */
    call(client: SignerClient, message: object): void {
      const { id, call } = message as { id?: unknown; call?: { kind?: unknown } };
      if ("hello" in message) {
        if (signer.isUp()) client.send({ signer: "up" } satisfies SignerState);
      } else if (typeof id !== "number" || !signer.isUp()) {
        return;
      } else if (call?.kind === "sign") {
        if (client.signsOrders) ask(client, message);
        else client.send({ id, error: REFUSED } satisfies SignerAnswer);
      } else if (!wait(client, call?.kind, message)) {
        client.send({ id, error: TOO_MANY } satisfies SignerAnswer);
      }
    },
    /** Forgets the calls of a client that died: its next process counts from the beginning. */
    forget(client: SignerClient): void {
      for (const [number, call] of asked) if (call.client === client) asked.delete(number);
      for (const [name, line] of lines) if (line.client === client) lines.delete(name);
    },
    /** Passes an answer to the client that asked. */
    answer(message: object): void {
      const { id } = message as SignerAnswer;
      const call = asked.get(id);
      asked.delete(id);
      call?.client.send({ ...message, id: call.id });
      if (id === turn) endTurn();
    },
    /** Tells every client whether the signer is there: calls to one that died are never answered. */
    tell(state: SignerState["signer"]): void {
      if (state === "down") {
        asked.clear();
        lines.clear();
        turn = null;
      }
      for (const client of clients) client.send({ signer: state } satisfies SignerState);
    },
  };
}

export type SignerBroker = ReturnType<typeof createSignerBroker>;
