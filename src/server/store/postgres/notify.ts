import { randomUUID } from "node:crypto";
import { Client, type Pool } from "pg";

const CHANNEL = "wheelhouse";
/** NOTIFY inside every transaction costs two thirds of the throughput; gathered like this next to nothing. */
const GATHER_MS = 20;
const RECONNECT_MS = 500;

const NOTIFY = `select pg_notify('${CHANNEL}', payload) from unnest($1::text[]) payload`;
/** PostgreSQL takes 8,000 bytes; a hint is at most a few hundred. */
const PAYLOAD_LENGTH = 4_000;

export interface NotifierOptions {
  readonly url: string;
  readonly pool: Pool;
  /** How often listeners are told to look for themselves while the connection is away. */
  readonly pollMs?: number;
  readonly onError?: (error: unknown) => void;
}

/** Hints between the servers of one database: what changed, never what it changed to. */
export interface Notifier {
  /** Tells this server at once and the others within moments. Call it after the commit; it never throws. */
  notify(topic: string, id: string): void;
  subscribe(topic: string, listener: (id: string) => void): () => void;
  /** Calls back when hints may have been missed: regularly while the connection is away, once when it is back. */
  onMayHaveMissed(listener: () => void): () => void;
  close(): Promise<void>;
}

/** Listens on one connection of its own; resolves when it hears. */
export async function openNotifier(options: NotifierOptions): Promise<Notifier> {
  const self = randomUUID();
  const listeners = new Map<string, Set<(id: string) => void>>();
  const missedListeners = new Set<() => void>();
  const waiting = new Set<string>();
  let client: Client | null = null;
  let isClosed = false;
  let gatherTimer: NodeJS.Timeout | null = null;
  let reconnectTimer: NodeJS.Timeout | null = null;
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
    gatherTimer = null;
    const payloads = packHints(self, waiting);
    waiting.clear();
    sending = options.pool
      .query({ name: "notify", text: NOTIFY, values: [payloads] })
      .catch(report);
  }

  async function connect(): Promise<void> {
    const candidate = new Client({
      connectionString: options.url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: "wheelhouse listener",
    });
    candidate.on("notification", ({ payload = "" }) => {
      const [sender, ...hints] = payload.split("\n");
      if (sender === self) return;
      for (const hint of hints) {
        const [topic = "", id = ""] = hint.split(" ");
        deliver(topic, id);
      }
    });
    candidate.on("error", () => lose(candidate));
    candidate.on("end", () => lose(candidate));
    try {
      await candidate.connect();
      await candidate.query(`listen ${CHANNEL}`);
      client = candidate;
    } catch (error) {
      await candidate.end().catch(() => {});
      throw error;
    }
  }

  function lose(lost: Client): void {
    if (client !== lost) return;
    client = null;
    void lost.end().catch(() => {});
    scheduleReconnect();
  }

  function scheduleReconnect(): void {
    if (isClosed) return;
    reconnectTimer = setTimeout(() => void reconnect(), RECONNECT_MS);
  }

  async function reconnect(): Promise<void> {
    try {
      await connect();
    } catch (error) {
      report(error);
      scheduleReconnect();
      return;
    }
    if (isClosed) await client?.end();
    else tellMayHaveMissed();
  }

  function tellMayHaveMissed(): void {
    for (const listener of missedListeners) guarded(listener);
  }

  await connect();
  const pollTimer = setInterval(() => {
    if (client === null) tellMayHaveMissed();
  }, options.pollMs ?? 1_000);

  return {
    notify(topic, id) {
      if (isClosed) return;
      queueMicrotask(() => deliver(topic, id));
      waiting.add(`${topic} ${id}`);
      gatherTimer ??= setTimeout(send, GATHER_MS);
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
      if (reconnectTimer !== null) clearTimeout(reconnectTimer);
      if (gatherTimer !== null) {
        clearTimeout(gatherTimer);
        send();
      }
      await sending;
      const last = client;
      client = null;
      await last?.end();
    },
  };
}

/** Puts many hints into few payloads: every payload is one more message to every server, the sending one included. */
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
