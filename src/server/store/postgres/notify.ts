import { WITHOUT_WAITING } from "./on.ts";
import { randomUUID } from "node:crypto";
import { type Pool, Client, escapeIdentifier } from "pg";

const RECONNECT_MS = 500;

/** One connection that listens on channels. */
interface Listening {
  isUp(): boolean;
  close(): Promise<void>;
}

interface ListenOptions {
  readonly url: string;
  readonly channels: readonly string[];
  readonly onPayload: (channel: string, payload: string) => void;
  /** Called when the connection is back after it was lost. */
  readonly onBack: () => void;
  readonly onError: (error: unknown) => void;
}

/** Listens until closed, connecting again half a second after the connection was lost; resolves when it hears. */
async function openListening(options: ListenOptions): Promise<Listening> {
  let client: Client | null = null;
  let isClosed = false;
  let reconnectTimer: NodeJS.Timeout | null = null;

  async function connect(): Promise<void> {
    const candidate = new Client({
      connectionString: options.url,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      application_name: "wheelhouse listener",
    });
    candidate.on("notification", ({ channel, payload = "" }) =>
      options.onPayload(channel, payload),
    );
    candidate.on("error", () => lose(candidate));
    candidate.on("end", () => lose(candidate));
    try {
      await candidate.connect();
      for (const channel of options.channels) {
        await candidate.query(`listen ${escapeIdentifier(channel)}`);
      }
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
      options.onError(error);
      scheduleReconnect();
      return;
    }
    if (isClosed) await client?.end();
    else options.onBack();
  }

  await connect();
  return {
    isUp: () => client !== null,
    async close() {
      isClosed = true;
      if (reconnectTimer !== null) clearTimeout(reconnectTimer);
      const last = client;
      client = null;
      await last?.end();
    },
  };
}

/**
 * Shortest time between two sendings of a topic, in milliseconds: NOTIFY in every transaction costs two thirds of the
 * throughput, batched NOTIFY almost none. The first hint after a quiet moment goes at once: an order waits for it.
 */
const GATHER_MS = 10;

const NOTIFY = `select pg_notify($1, payload), ${WITHOUT_WAITING} from unnest($2::text[]) payload`;
/** Maximum payload length; PostgreSQL accepts 8,000 bytes, and a message is at most a few hundred. */
const PAYLOAD_LENGTH = 4_000;

interface NotifierOptions {
  readonly url: string;
  readonly pool: Pool;
  /** Topics of which hints of other processes are heard: none is woken by what it does not use. */
  readonly heard: readonly string[];
  /** Shortest time between two sendings of topics that can wait longer than usual, in milliseconds. */
  readonly gatherMs?: Readonly<Record<string, number>>;
  /** Interval at which listeners are told to poll while the connection is down, in milliseconds. */
  readonly pollMs?: number;
  readonly onError?: (error: unknown) => void;
}

/** Wake-up messages between the processes of one database: they name the changed object, never its content. */
export interface Notifier {
  /** Notifies this process at once and the others within moments. Must be called after the commit; never throws. */
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
  const outboxes = new Map<string, Outbox>();
  let isClosed = false;

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

  function outboxOf(topic: string): Outbox {
    const known = outboxes.get(topic);
    if (known !== undefined) return known;
    const outbox = createOutbox(options.gatherMs?.[topic] ?? GATHER_MS, (ids) =>
      options.pool
        .query({ name: "notify", text: NOTIFY, values: [channelOf(topic), packHints(self, ids)] })
        .catch(report),
    );
    outboxes.set(topic, outbox);
    return outbox;
  }

  function hear(channel: string, payload: string): void {
    if (payload.startsWith(self)) return;
    const [, ...ids] = payload.split("\n");
    for (const id of ids) deliver(topicOf(channel), id);
  }

  function tellMayHaveMissed(): void {
    for (const listener of missedListeners) guarded(listener);
  }

  const listening = await openListening({
    url: options.url,
    channels: options.heard.map(channelOf),
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
      outboxOf(topic).add(id);
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
      await Promise.all([...outboxes.values()].map((outbox) => outbox.empty()));
      await listening.close();
    },
  };
}

const CHANNEL = "wheelhouse ";
const channelOf = (topic: string): string => CHANNEL + topic;
const topicOf = (channel: string): string => channel.slice(CHANNEL.length);

/** Hints of one topic that wait to be sent. */
interface Outbox {
  add(id: string): void;
  /** Sends what waits; resolves when everything is sent. */
  empty(): Promise<unknown>;
}

function createOutbox(
  gatherMs: number,
  sendHints: (ids: readonly string[]) => Promise<unknown>,
): Outbox {
  const waiting = new Set<string>();
  let isGathering = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  function send(): void {
    if (waiting.size === 0) {
      isGathering = false;
      return;
    }
    timer = setTimeout(send, gatherMs);
    sending = sendHints([...waiting]);
    waiting.clear();
  }

  return {
    add(id) {
      waiting.add(id);
      if (isGathering) return;
      isGathering = true;
      // Deferred so that the hints of one turn of the event loop go together
      setImmediate(send);
    },
    empty() {
      if (waiting.size > 0) send();
      clearTimeout(timer);
      return sending;
    },
  };
}

/** Packs many messages into few payloads: every payload is sent to all who hear the topic, the sender too. */
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
