import type { PricesEvent } from "../../contract/deployment.ts";
import type { StaleNotice } from "../../contract/events.ts";
import { STALE_TOPICS } from "../../contract/route.ts";
import { AppError } from "../../contract/errors.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Session } from "../session.ts";
import {
  decodeNotice,
  walletOf,
  SESSION_ENDED_TOPIC,
  STALE_TOPIC,
  type Hints,
} from "./create-stale-publisher.ts";

const HEARTBEAT_MS = 15_000;
const MAX_STREAMS_PER_WALLET = 10;

/** Each stream has its session looked up at every beat, and one address may have any number of wallets. */
const MAX_STREAMS_PER_CALLER = 256;

/** Shortest time between two messages that anything may be stale, while hints are lost. */
const MISSED_ROUND_MS = 3_000;

/** A browser tab with an open stream. */
export interface EventStream {
  readonly session: Session;
  /** When its bearer token ends, milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Address whose limit the stream counts against; null for a trusted proxy's own. */
  readonly caller: string | null;
  write(text: string): void;
  end(): void;
}

/** Every open stream of this server, fed by the hints of all servers. */
export interface EventStreams {
  /** Throws `rate_limited` when the wallet has ten already, or its address 256; the answer removes the stream. */
  add(stream: EventStream): () => void;
  /** Ends the streams of a session on every server. */
  endSession(sessionId: string): void;
  /** Sends live prices to every stream of this server. */
  sendPrices(prices: PricesEvent): void;
  close(): void;
}

export interface EventStreamsDeps {
  readonly hints: Hints;
  readonly clock: Clock;
  /** Ids of those sessions that have not ended. */
  readonly liveOf: (sessions: readonly Session[]) => Promise<ReadonlySet<string>>;
  readonly heartbeatMs?: number;
}

export function createEventStreams(deps: EventStreamsDeps): EventStreams {
  const byWallet = new Map<string, Set<EventStream>>();
  const byCaller: typeof byWallet = new Map();
  let missedRoundAt = 0;

  const all = (): EventStream[] => [...byWallet.values()].flatMap((streams) => [...streams]);

  const send = (stream: EventStream, notice: StaleNotice) =>
    stream.write(`event: stale\ndata: ${JSON.stringify(notice)}\n\n`);

  const remove = (stream: EventStream) => {
    drop(byWallet, stream.session.wallet, stream);
    if (stream.caller !== null) drop(byCaller, stream.caller, stream);
  };

  const end = (stream: EventStream) => {
    remove(stream);
    stream.end();
  };

  const beat = async () => {
    for (const stream of all()) if (stream.expiresAt <= deps.clock.now()) end(stream);
    const streams = all();
    if (streams.length === 0) return;
    for (const stream of streams) stream.write(": beat\n\n");
    await endDead(streams);
  };

  const endDead = async (streams: readonly EventStream[]) => {
    // A database that cannot answer is no proof that a session ended
    const live = await deps.liveOf(streams.map(({ session }) => session)).catch(() => null);
    if (live === null) return;
    for (const stream of streams) if (!live.has(stream.session.id)) end(stream);
  };

  const unsubscribe = [
    deps.hints.subscribe(STALE_TOPIC, (word) => {
      const streams = byWallet.get(walletOf(word));
      const notice = streams === undefined ? null : decodeNotice(word);
      if (notice !== null) for (const stream of streams ?? []) send(stream, notice);
    }),
    deps.hints.subscribe(SESSION_ENDED_TOPIC, (sessionId) => {
      for (const stream of all()) if (stream.session.id === sessionId) end(stream);
    }),
    deps.hints.onMayHaveMissed(() => {
      if (deps.clock.now() - missedRoundAt < MISSED_ROUND_MS) return;
      missedRoundAt = deps.clock.now();
      for (const stream of all()) {
        for (const topic of STALE_TOPICS) send(stream, { topic });
      }
    }),
  ];
  const heartbeat = setInterval(() => {
    void beat();
  }, deps.heartbeatMs ?? HEARTBEAT_MS);

  return {
    add(stream) {
      const { wallet } = stream.session;
      const streams = byWallet.get(wallet) ?? new Set();
      if (streams.size >= MAX_STREAMS_PER_WALLET) throw new AppError("rate_limited");
      if (stream.caller !== null) {
        const ofCaller = byCaller.get(stream.caller) ?? new Set();
        if (ofCaller.size >= MAX_STREAMS_PER_CALLER) throw new AppError("rate_limited");
        byCaller.set(stream.caller, ofCaller.add(stream));
      }
      byWallet.set(wallet, streams.add(stream));
      // Its session may have ended since it was looked up, when there was no stream to be told
      void endDead([stream]);
      return () => remove(stream);
    },
    endSession(sessionId) {
      deps.hints.notify(SESSION_ENDED_TOPIC, sessionId);
    },
    sendPrices(prices) {
      const text = `event: prices\ndata: ${JSON.stringify(prices)}\n\n`;
      for (const stream of all()) stream.write(text);
    },
    close() {
      clearInterval(heartbeat);
      for (const stop of unsubscribe) stop();
      for (const stream of all()) end(stream);
    },
  };
}

function drop(sets: Map<string, Set<EventStream>>, key: string, stream: EventStream): void {
  const streams = sets.get(key);
  streams?.delete(stream);
  if (streams?.size === 0) sets.delete(key);
}
