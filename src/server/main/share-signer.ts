import type { SignerAnswer, SignerState } from "../custody/signer/signer-calls.ts";
import type { KeptProcess } from "./keep-process.ts";

/** A process that calls the signer. */
export interface SignerClient {
  send(message: object): void;
  /** Whether it may have orders signed; the process that answers the internet may not. */
  readonly signsOrders: boolean;
}

/** The signer's one channel, shared by several processes. */
export interface SharedSigner {
  /** Passes a client's call on. */
  call(client: SignerClient, message: object): void;
  /** Forgets the calls of a client that died: its next process counts from the beginning. */
  forget(client: SignerClient): void;
  /** Passes an answer to the client that asked. */
  answer(message: object): void;
  /** Tells every client whether the signer is there: calls to one that died are never answered. */
  tell(state: SignerState["signer"]): void;
}

const REFUSED = { kind: "refused", message: "This process may not have orders signed" } as const;

/** Shares a signer: gives every call a number of its own and the answer the caller's. */
export function shareSigner(
  signer: Pick<KeptProcess, "isUp" | "send">,
  clients: readonly SignerClient[],
): SharedSigner {
  const asked = new Map<number, { readonly client: SignerClient; readonly id: number }>();
  let count = 0;

  return {
    call(client, message) {
      const { id, call } = message as { id?: unknown; call?: { kind?: unknown } };
      if ("hello" in message) {
        if (signer.isUp()) client.send({ signer: "up" } satisfies SignerState);
      } else if (typeof id !== "number" || !signer.isUp()) {
        return;
      } else if (call?.kind === "sign" && !client.signsOrders) {
        client.send({ id, error: REFUSED } satisfies SignerAnswer);
      } else {
        count += 1;
        asked.set(count, { client, id });
        signer.send({ ...message, id: count });
      }
    },
    forget(client) {
      for (const [number, call] of asked) if (call.client === client) asked.delete(number);
    },
    answer(message) {
      const { id } = message as SignerAnswer;
      const call = asked.get(id);
      asked.delete(id);
      call?.client.send({ ...message, id: call.id });
    },
    tell(state) {
      if (state === "down") asked.clear();
      for (const client of clients) client.send({ signer: state } satisfies SignerState);
    },
  };
}
