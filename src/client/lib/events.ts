import * as z from "zod/mini";
import { type PricesEvent, pricesEvent } from "../../contract/deployment.ts";
import { type StaleNotice, staleNotice } from "../../contract/events.ts";
import { createEventParser } from "./sse.ts";

interface EventsDeps {
  readonly open: (signal: AbortSignal) => Promise<Response>;
  readonly onStale: (notice: StaleNotice) => void;
  readonly onPrices: (prices: PricesEvent) => void;
  /** Called on every connection change; after `true` all queries may be stale, since notices were missed. */
  readonly onConnection: (isConnected: boolean) => void;
}

const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;
/** Silence after which the stream counts as dead, in milliseconds; the server sends a comment every 15 s. */
const SILENCE_MS = 40_000;

/** Calls back with what an event carries, unless another version of the server sent it. */
function heed<T>(schema: z.ZodMiniType<T>, data: string, call: (carried: T) => void): void {
  const parsed = z.safeParse(schema, JSON.parse(data));
  if (parsed.success) call(parsed.data);
}

/** Subscribes to the server's events until stopped; reconnects with growing delays. */
export function listenForEvents(deps: EventsDeps): () => void {
  const stopped = new AbortController();
  let retryMs = FIRST_RETRY_MS;
  let wake: () => void = () => {};

  const parse = createEventParser(({ event, data }) => {
    if (event === "stale") heed(staleNotice, data, deps.onStale);
    if (event === "prices") heed(pricesEvent, data, deps.onPrices);
  });

  async function readOnce(): Promise<void> {
    const silence = new AbortController();
    const stop = () => silence.abort();
    let timer = setTimeout(stop, SILENCE_MS);
    try {
      const response = await deps.open(AbortSignal.any([stopped.signal, silence.signal]));
      if (!response.ok || !response.body) return;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        if (retryMs !== 0) {
          retryMs = 0;
          deps.onConnection(true);
        }
        clearTimeout(timer);
        timer = setTimeout(stop, SILENCE_MS);
        parse(value);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await readOnce().catch(() => {});
      if (retryMs === 0) deps.onConnection(false);
      if (stopped.signal.aborted) return;
      retryMs = Math.min(Math.max(retryMs * 2, FIRST_RETRY_MS), LAST_RETRY_MS);
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, retryMs);
      });
    }
  }

  const comeBack = () => wake();
  globalThis.addEventListener("online", comeBack);
  void run();
  return () => {
    globalThis.removeEventListener("online", comeBack);
    stopped.abort();
    wake();
  };
}
