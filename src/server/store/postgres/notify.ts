import { openListening } from "./listen.ts";
import { randomUUID } from "node:crypto";
import type { Pool } from "pg";

const CHANNEL = "wheelhouse";
/**
 * Shortest time between two sendings, in milliseconds: NOTIFY in every transaction costs two thirds of the throughput,
 * batched NOTIFY almost none. The first hint after a quiet moment goes at once: an order waits for it.
 */
const GATHER_MS = 10;

const NOTIFY = `select pg_notify('${CHANNEL}', payload) from unnest($1::text[]) payload`;
/** Maximum payload length; PostgreSQL accepts 8,000 bytes, and a message is at most a few hundred. */
const PAYLOAD_LENGTH = 4_000;

export interface NotifierOptions {
  readonly url: string;
  readonly pool: Pool;
  /** Interval at which listeners are told to poll while the connection is down, in milliseconds. */
  readonly pollMs?: number;
  readonly onError?: (error: unknown) => void;
}

/** Wake-up messages between the servers of one database: they name the changed object, never its content. */
export interface Notifier {
  /** Notifies this server at once and the others within moments. Must be called after the commit; never throws. */
  notify(topic: string, id: string): void;
  subscribe(topic: string, listener: (id: string) => void): () => void;
  /**
   * Calls the listener when messages may have been missed: repeatedly while the connection is down, once when it is
   * restored.
   */
  onMayHaveMissed(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Opens a notifier with its own connection; resolves when it is listening. */
export async function openNotifier(options: NotifierOptions): Promise<Notifier> {
  const self = randomUUID();
  const listeners = new Map<string, Set<(id: string) => void>>();
  const missedListeners = new Set<() => void>();
  const waiting = new Set<string>();
  let isClosed = false;
  let isGathering = false;
  let gatherTimer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  const report = (error: unknown): void => options.onError?.(error);

  function deliver(topic: string, id: string): void {
    for (const listener of listeners.get(topic) ?? []) guarded(() => listener(id));
  }

  function guarded(call: () => void): void {
    try {
      call();
    } catch (error) {
      report(error);
    }
  }

  function send(): void {
    if (waiting.size === 0) {
      isGathering = false;
      return;
    }
    gatherTimer = setTimeout(send, GATHER_MS);
    const payloads = packHints(self, waiting);
    waiting.clear();
    sending = options.pool
      .query({ name: "notify", text: NOTIFY, values: [payloads] })
      .catch(report);
  }

  function hear(payload: string): void {
    const [sender, ...hints] = payload.split("\n");
    if (sender === self) return;
    for (const hint of hints) {
      const [topic = "", id = ""] = hint.split(" ");
      deliver(topic, id);
    }
  }

  function tellMayHaveMissed(): void {
    for (const listener of missedListeners) guarded(listener);
  }

  const listening = await openListening({
    url: options.url,
    channel: CHANNEL,
    onPayload: hear,
    onBack: () => {
      if (!isClosed) tellMayHaveMissed();
    },
    onError: report,
  });
  const pollTimer = setInterval(() => {
    if (!listening.isUp()) tellMayHaveMissed();
  }, options.pollMs ?? 1_000);

  return {
    notify(topic, id) {
      if (isClosed) return;
      queueMicrotask(() => deliver(topic, id));
      waiting.add(`${topic} ${id}`);
      if (isGathering) return;
      isGathering = true;
      // Deferred so that the hints of one turn of the event loop go together
      setImmediate(send);
    },
    subscribe(topic, listener) {
      const known = listeners.get(topic) ?? new Set();
      listeners.set(topic, known.add(listener));
      return () => known.delete(listener);
    },
    onMayHaveMissed(listener) {
      missedListeners.add(listener);
      return () => missedListeners.delete(listener);
    },
    async close() {
      isClosed = true;
      clearInterval(pollTimer);
      if (waiting.size > 0) send();
      clearTimeout(gatherTimer);
      await sending;
      await listening.close();
    },
  };
}

/** Packs many messages into few payloads: every payload is sent to every server, including the sender. */
function packHints(sender: string, hints: Iterable<string>): readonly string[] {
  const payloads: string[] = [];
  let payload = sender;
  for (const hint of hints) {
    if (payload.length + hint.length > PAYLOAD_LENGTH) {
      payloads.push(payload);
      payload = sender;
    }
    payload += `\n${hint}`;
  }
  return [...payloads, payload];
}
