import { createEventParser } from "../sse.ts";
import { AiProblem, problemOfStatus } from "./ai-problem.ts";
import type { AiSettings, AnswerSink, AiWire, Turn, WireInput } from "./ai-provider.ts";
import { hostOf } from "./ai-settings.ts";
import { chatCompletions } from "./chat-completions.ts";
import { responsesApi } from "./responses-api.ts";
import { readProviderError } from "./wire-value.ts";

export interface AiDeps {
  readonly fetch: typeof fetch;
  readonly isOnline: () => boolean;
  /** Longest wait for the first byte and between two chunks, in milliseconds. */
  readonly silenceMs: number;
  /** Longest duration of one request, in milliseconds. */
  readonly longestMs: number;
  /** Maximum response size of one request, in bytes. */
  readonly mostBytes: number;
  /** Delay before the single retry, in milliseconds. */
  readonly retryPauseMs: number;
}

interface AiRequest extends AnswerSink, Pick<WireInput, "messages" | "tools" | "past"> {
  readonly settings: AiSettings;
  readonly key: string;
  readonly signal: AbortSignal;
}

const WIRES: Readonly<Record<AiSettings["api"], AiWire>> = {
  chat: chatCompletions,
  "chat-tools": chatCompletions,
  responses: responsesApi,
};

/** Returns the URL of a provider endpoint. */
export function addressOf({ baseUrl }: Pick<AiSettings, "baseUrl">, path: string): string {
  return `${baseUrl.replace(/\/+$/, "")}${path}`;
}

/**
 * Says why a call never got an answer. A request that reads nothing tells a server that is not there from one that
 * does not allow this page; it carries no key.
 */
export async function problemOfSilence(
  settings: Pick<AiSettings, "baseUrl">,
  deps: Pick<AiDeps, "fetch" | "isOnline">,
): Promise<AiProblem> {
  const host = hostOf(settings);
  if (!deps.isOnline()) return new AiProblem("offline", host);
  try {
    await deps.fetch(addressOf(settings, "/models"), { mode: "no-cors", credentials: "omit" });
    return new AiProblem("cors", host);
  } catch {
    return new AiProblem("unreachable", host);
  }
}

/** Creates an abort signal that fires on a stalled provider and on the user's Stop. */
function createWatch(outer: AbortSignal, { silenceMs, longestMs }: AiDeps) {
  const controller = new AbortController();
  let isTimedOut = false;
  let isTooLong = false;
  const end = setTimeout(() => {
    isTooLong = true;
    controller.abort();
  }, longestMs);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let touchedAt = 0;
  /** Reuses one timer for all chunks: on expiry it is rescheduled from the last chunk's arrival. */
  function wait(waitMs: number): void {
    timer = setTimeout(() => {
      const leftMs = touchedAt + silenceMs - performance.now();
      if (leftMs > 0) return wait(leftMs);
      isTimedOut = true;
      controller.abort();
    }, waitMs);
  }
  const stop = () => controller.abort(outer.reason);
  outer.addEventListener("abort", stop, { once: true });
  if (outer.aborted) stop();
  return {
    signal: controller.signal,
    isTimedOut: () => isTimedOut,
    isTooLong: () => isTooLong,
    touch() {
      touchedAt = performance.now();
      if (timer === undefined) wait(silenceMs);
    },
    end() {
      clearTimeout(timer);
      clearTimeout(end);
      outer.removeEventListener("abort", stop);
    },
  };
}

const inMegabytes = (bytes: number): number => bytes / 1024 ** 2;

async function attempt(request: AiRequest, deps: AiDeps, onFirstByte: () => void): Promise<Turn> {
  const { settings, signal } = request;
  const host = hostOf(settings);
  const wire = WIRES[settings.api];
  const watch = createWatch(signal, deps);
  let streamError: AiProblem | null = null;
  const reader = wire.createReader(request, (error) => {
    const isQuota = error.code === "insufficient_quota";
    streamError = new AiProblem(isQuota ? "quota" : "refused", host, error.message.slice(0, 300));
  });

  async function open(): Promise<Response> {
    const { messages, tools, past } = request;
    const canSearch = settings.api !== "chat-tools";
    const body = wire.body({ model: settings.model, messages, tools, past, canSearch });
    try {
      return await deps.fetch(addressOf(settings, wire.path), {
        method: "POST",
        headers: { Authorization: `Bearer ${request.key}`, "Content-Type": "application/json" },
        body: JSON.stringify(body),
        signal: watch.signal,
        credentials: "omit",
        referrerPolicy: "no-referrer",
      });
    } catch (error) {
      if (watch.signal.aborted) throw error;
      throw await problemOfSilence(settings, deps);
    }
  }

  function readEvent({ data }: { readonly data: string }): void {
    if (data === "[DONE]") return;
    try {
      reader.read(JSON.parse(data));
    } catch {
      // A malformed event is skipped; the rest of the answer is kept
    }
  }

  async function readText(
    stream: ReadableStream<Uint8Array>,
    take: (text: string) => void,
  ): Promise<void> {
    const decoder = new TextDecoder();
    const chunks = stream.getReader();
    let bytes = 0;
    for (;;) {
      const { done, value } = await chunks.read();
      if (done) return;
      onFirstByte();
      watch.touch();
      bytes += value.byteLength;
      if (bytes > deps.mostBytes) {
        await chunks.cancel();
        throw new AiProblem(
          "endless",
          host,
          `it sent more than ${inMegabytes(deps.mostBytes)} MB.`,
        );
      }
      take(decoder.decode(value, { stream: true }));
    }
  }

  async function readStream(stream: ReadableStream<Uint8Array>): Promise<void> {
    const parse = createEventParser(readEvent);
    await readText(stream, (text) => {
      parse(text);
      if (streamError !== null) throw streamError;
    });
    parse("\n\n");
    if (streamError !== null) throw streamError;
  }

  try {
    watch.touch();
    const response = await open();
    if (!response.ok) {
      const error = readProviderError(await response.json().catch(() => null));
      throw problemOfStatus(response.status, host, error);
    }
    if (response.headers.get("content-type")?.startsWith("application/json")) {
      let document = "";
      if (response.body) await readText(response.body, (text) => (document += text));
      reader.readWhole(JSON.parse(document));
    } else if (response.body) {
      await readStream(response.body);
    }
    const turn = reader.finish();
    if (turn === null) throw new AiProblem("cut", host);
    if (turn.text === "" && turn.toolCalls.length === 0) throw new AiProblem("malformed", host);
    return turn;
  } catch (error) {
    if (signal.aborted || error instanceof AiProblem) throw error;
    if (watch.isTimedOut()) throw new AiProblem("timeout", host);
    if (watch.isTooLong()) {
      throw new AiProblem(
        "endless",
        host,
        `it took longer than ${deps.longestMs / 60_000} minutes.`,
      );
    }
    throw new AiProblem(error instanceof SyntaxError ? "malformed" : "cut", host);
  } finally {
    watch.end();
  }
}

/**
 * Asks the provider and reports the answer as it comes. Repeats once by itself, and only while nothing of the answer
 * has come. Throws AiProblem, or the signal's reason when stopped.
 */
export async function askAi(request: AiRequest, deps: AiDeps): Promise<Turn> {
  if (request.key === "") throw new AiProblem("no-key", hostOf(request.settings));
  let hasBegun = false;
  const onFirstByte = () => {
    hasBegun = true;
  };
  try {
    return await attempt(request, deps, onFirstByte);
  } catch (error) {
    const mayRepeat = error instanceof AiProblem && error.isRetryable && !hasBegun;
    if (!mayRepeat || request.signal.aborted) throw error;
    await new Promise((resolve) => setTimeout(resolve, deps.retryPauseMs));
    request.signal.throwIfAborted();
    return attempt(request, deps, onFirstByte);
  }
}
