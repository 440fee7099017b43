import { createEventParser } from "../sse.ts";
import { wait } from "../clock.ts";
import { AiProblem, problemOfError } from "./ai-problem.ts";
import type { AiRequest, AiSettings, Turn } from "./ai-provider.ts";
import { headersOf, hostOf } from "./ai-settings.ts";
import { type Draft, parsed, WIRES } from "./ai-wires.ts";
import { asObject, errorIn } from "./wire-value.ts";

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

/** Returns the URL of a provider endpoint. */
function addressOf({ baseUrl }: Pick<AiSettings, "baseUrl">, path: string): string {
  return `${baseUrl.replace(/\/+$/, "")}${path}`;
}

/**
 * Says why a call never got an answer. A request that reads nothing tells a server that is not there from one that
 * does not allow this page; it carries no key.
 */
async function problemOfSilence(
  settings: Pick<AiSettings, "baseUrl">,
  deps: Pick<AiDeps, "fetch" | "isOnline">,
  signal: AbortSignal,
): Promise<AiProblem> {
  const host = hostOf(settings);
  if (!deps.isOnline()) return new AiProblem("offline", host);
  try {
    const probe = { mode: "no-cors", credentials: "omit", signal } as const;
    await deps.fetch(addressOf(settings, "/models"), probe);
    return new AiProblem("cors", host);
  } catch (error) {
    if (signal.aborted) throw error;
    return new AiProblem("unreachable", host);
  }
}

/** What is asked of a provider: something to read, or with a body something to answer. */
interface ProviderCall {
  readonly settings: Pick<AiSettings, "baseUrl">;
  readonly key: string;
  readonly path: string;
  readonly body?: unknown;
}

/** Calls the provider with the key of its origin; throws AiProblem for anything but an answer. */
export async function callProvider(
  { settings, key, path, body }: ProviderCall,
  deps: Pick<AiDeps, "fetch" | "isOnline" | "mostBytes">,
  signal: AbortSignal,
): Promise<Response> {
  const headers = headersOf(settings, key, path);
  let response: Response;
  try {
    response = await deps.fetch(addressOf(settings, path), {
      headers,
      ...(body !== undefined && {
        method: "POST",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify(body),
      }),
      signal,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      // A key goes to the origin that it was saved for and is led to no other
      redirect: "error",
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw await problemOfSilence(settings, deps, signal);
  }
  if (response.ok) return response;
  const host = hostOf(settings);
  const told = await readJson(response, { host, ...deps }).then(errorIn, () => null);
  throw problemOfError(told ?? { code: "", message: "" }, host, response.status);
}

/** Reads an answer that is one document; throws AiProblem beyond `mostBytes`. */
export async function readJson(
  { body }: Response,
  limit: { readonly host: string; readonly mostBytes: number },
  onChunk?: () => void,
): Promise<unknown> {
  let text = "";
  if (body !== null) await readText(body, limit, (piece) => (text += piece), onChunk);
  return JSON.parse(text);
}

/** Passes a response's text on as it comes; throws AiProblem beyond `mostBytes`. */
async function readText(
  stream: ReadableStream<Uint8Array>,
  { host, mostBytes }: { readonly host: string; readonly mostBytes: number },
  take: (text: string) => void,
  onChunk?: () => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const chunks = stream.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await chunks.read();
    if (done) return;
    onChunk?.();
    bytes += value.byteLength;
    if (bytes > mostBytes) {
      await chunks.cancel();
      throw new AiProblem("endless", host, `it sent more than ${mostBytes / 1024 ** 2} MB.`);
    }
    take(decoder.decode(value, { stream: true }));
  }
}

/** Creates the reader of one answer, which comes as one document or as a stream of events. */
function createAnswerReader(request: AiRequest) {
  const { api, ...settings } = request.settings;
  const host = hostOf(settings);
  const draft: Draft = { ...request, text: "", ending: "cut", calls: [], kept: {} };

  /** Takes an event in; throws the error that it reports. */
  function read(event: unknown): void {
    const error = errorIn(event) ?? errorIn(asObject(event)["response"]);
    if (error !== null) throw problemOfError(error, host);
    WIRES[api].read(event, draft);
  }

  return {
    readDocument: (document: unknown) =>
      read(api === "responses" ? { type: "response.completed", response: document } : document),
    readEvents: createEventParser(({ event, data }) => {
      const told = parsed(data);
      // A malformed event is skipped; the rest of the answer is kept
      if (told === undefined) return;
      const isError = event === "error" || asObject(told)["type"] === "error";
      read(isError && errorIn(told) === null ? { error: told } : told);
    }),
    /** Returns the whole answer; throws AiProblem when it ended early or says nothing. */
    finish(): Turn {
      const { text, ending, calls, kept } = draft;
      if (ending !== "complete") throw new AiProblem(ending, host);
      if (text === "" && calls.length === 0) throw new AiProblem("malformed", host);
      const toolCalls = calls.map((call, at) => ({
        ...call,
        id: call.id || `call_${at}`,
        arguments: call.arguments.trim() || "{}",
      }));
      return { text, toolCalls, kept };
    },
  };
}

function problemOf(
  error: unknown,
  watch: ReturnType<typeof createSilenceWatch>,
  { host, longestMs }: { readonly host: string; readonly longestMs: number },
): AiProblem {
  if (error instanceof AiProblem) return error;
  if (watch.isTimedOut()) return new AiProblem("timeout", host);
  if (watch.isTooLong()) {
    return new AiProblem("endless", host, `it took longer than ${longestMs / 60_000} minutes.`);
  }
  return new AiProblem(error instanceof SyntaxError ? "malformed" : "cut", host);
}

async function attempt(request: AiRequest, deps: AiDeps, onFirstByte: () => void): Promise<Turn> {
  const host = hostOf(request.settings);
  const watch = createSilenceWatch(request.signal, deps);
  let isSearching = false;
  const reader = createAnswerReader({
    ...request,
    onSearch() {
      isSearching = true;
      request.onSearch();
    },
    onText(text) {
      isSearching = false;
      request.onText(text);
    },
  });
  const onChunk = () => {
    onFirstByte();
    watch.touch();
  };
  try {
    watch.touch();
    const { path, ...wire } = WIRES[request.settings.api];
    const call = { ...request, path, body: wire.body(request) };
    const response = await callProvider(call, deps, watch.signal);
    const limit = { host, mostBytes: deps.mostBytes };
    if (response.headers.get("content-type")?.startsWith("application/json")) {
      reader.readDocument(await readJson(response, limit, onChunk));
    } else if (response.body) {
      await readText(response.body, limit, reader.readEvents, onChunk);
      // Ends an event that the provider left open
      reader.readEvents("\n\n");
    }
    return reader.finish();
  } catch (error) {
    if (request.signal.aborted) throw error;
    const problem = problemOf(error, watch, { host, longestMs: deps.longestMs });
    throw isSearching ? problem.whileSearching() : problem;
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
  const onFirstByte = () => void (hasBegun = true);
  try {
    return await attempt(request, deps, onFirstByte);
  } catch (error) {
    const mayRepeat = error instanceof AiProblem && error.isRetryable && !hasBegun;
    if (!mayRepeat || request.signal.aborted) throw error;
    await wait(deps.retryPauseMs);
    request.signal.throwIfAborted();
    return attempt(request, deps, onFirstByte);
  }
}

/** Creates an abort signal that fires on a stalled provider, after the longest duration and on the user's Stop. */
function createSilenceWatch(outer: AbortSignal, { silenceMs, longestMs }: AiDeps) {
  const silence = new AbortController();
  const longest = AbortSignal.timeout(longestMs);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    signal: AbortSignal.any([outer, silence.signal, longest]),
    isTimedOut: () => silence.signal.aborted,
    isTooLong: () => longest.aborted,
    touch() {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceMs);
    },
    /** Ends the request too, if an error was told within it. */
    end() {
      clearTimeout(timer);
      silence.abort();
    },
  };
}
