import { createEventParser } from "../sse.ts";
import { wait } from "../clock.ts";
import { AiProblem, problemOfStatus } from "./ai-problem.ts";
import type {
  AiMessage,
  AiSettings,
  AnswerSink,
  AiWire,
  Turn,
  WireInput,
  ToolCall,
} from "./ai-provider.ts";
import { headersOf, hostOf } from "./ai-settings.ts";
import { readProviderError, asList, asObject, asText, readSource } from "./wire-value.ts";

function toolsOf({ tools }: WireInput): object {
  if (tools.length === 0) return {};
  return { tools: tools.map((tool) => ({ type: "function", function: tool })) };
}

/** Returns a message with its picture beside the text, as a format names the two. */
const withImage = (
  { role, content, image }: AiMessage,
  text: string,
  pictureOf: (url: string) => object,
) => ({
  role,
  content: image === undefined ? content : [{ type: text, text: content }, pictureOf(image)],
});

/** Wire format of OpenAI's Chat Completions API, version 1, and compatible providers. */
const chatCompletions: AiWire = {
  path: "/chat/completions",

  body(input) {
    return {
      model: input.model,
      stream: true,
      messages: [
        ...input.messages.map((message) =>
          withImage(message, "text", (url) => ({ type: "image_url", image_url: { url } })),
        ),
        ...input.past.flatMap(({ turn, outputs }) => [
          ...turn.items,
          ...outputs.map(({ id, output }) => ({
            role: "tool",
            tool_call_id: id,
            content: output,
          })),
        ]),
      ],
      // Models with built-in search get the search size; others get the search tool
      ...(input.canSearch && { web_search_options: { search_context_size: "medium" } }),
      ...toolsOf(input),
    };
  },

  createReader(sink, onError) {
    let text = "";
    let isFinished = false;
    const calls = new Map<number, { id: string; name: string; arguments: string }>();

    function readToolCall(part: unknown, position: number): void {
      const { index, id, function: named } = asObject(part);
      const at = typeof index === "number" ? index : position;
      const call = calls.get(at) ?? { id: "", name: "", arguments: "" };
      const { name, arguments: args } = asObject(named);
      calls.set(at, {
        id: call.id || asText(id),
        name: call.name || asText(name),
        arguments: call.arguments + asText(args),
      });
    }

    function readMessage(message: unknown): void {
      const { content, annotations, tool_calls: toolCalls } = asObject(message);
      const piece = asText(content);
      if (piece !== "") {
        text += piece;
        sink.onText(piece);
      }
      for (const annotation of asList(annotations)) {
        const source = readSource(asObject(annotation)["url_citation"]);
        if (source) sink.onSource(source);
      }
      asList(toolCalls).forEach(readToolCall);
    }

    function readChoice(answer: unknown, part: "delta" | "message"): void {
      const choice = asObject(asList(asObject(answer)["choices"])[0]);
      readMessage(choice[part]);
      if (asText(choice["finish_reason"]) !== "") isFinished = true;
    }

    return {
      read(event) {
        if (asObject(event)["error"] !== undefined) onError(readProviderError(event));
        else readChoice(event, "delta");
      },
      readWhole(answer) {
        readChoice(answer, "message");
        isFinished = true;
      },
      finish() {
        if (!isFinished) return null;
        const toolCalls: readonly ToolCall[] = [...calls.values()];
        const asked = toolCalls.map(({ id, name, arguments: args }) => ({
          id,
          type: "function",
          function: { name, arguments: args },
        }));
        const message = { role: "assistant", content: text || null };
        const items = [asked.length === 0 ? message : { ...message, tool_calls: asked }];
        return { text, toolCalls, items };
      },
    };
  },
};

function responseToolsOf({ tools, canSearch }: WireInput): readonly object[] {
  return [
    ...(canSearch ? [{ type: "web_search", search_context_size: "medium" }] : []),
    ...tools.map((tool) => ({ type: "function", ...tool, strict: false })),
  ];
}

/** Wire format of OpenAI's Responses API, version 1, which has web search and tools. */
const responsesApi: AiWire = {
  path: "/responses",

  body(input) {
    const [first, ...others] = input.messages;
    const hasInstructions = first?.role === "system";
    return {
      model: input.model,
      stream: true,
      // The provider stores nothing, so the follow-up request carries the whole context
      store: false,
      ...(hasInstructions && { instructions: first.content }),
      input: [
        ...(hasInstructions ? others : input.messages).map((message) =>
          withImage(message, "input_text", (url) => ({ type: "input_image", image_url: url })),
        ),
        ...input.past.flatMap(({ turn, outputs }) => [
          ...turn.items,
          ...outputs.map(({ id, output }) => ({
            type: "function_call_output",
            call_id: id,
            output,
          })),
        ]),
      ],
      tools: responseToolsOf(input),
    };
  },

  createReader(sink, onError) {
    let text = "";
    let isFinished = false;
    const items: unknown[] = [];
    const toolCalls: ToolCall[] = [];

    function addText(piece: string): void {
      if (piece === "") return;
      text += piece;
      sink.onText(piece);
    }

    function cite(annotation: unknown): void {
      const source = readSource(annotation);
      if (source) sink.onSource(source);
    }

    function keepItem(item: unknown): void {
      const { type, call_id: callId, name, arguments: args } = asObject(item);
      if (type !== "function_call") return;
      const asked = { id: asText(callId), name: asText(name), arguments: asText(args) };
      toolCalls.push(asked);
      // Provider ids and reasoning items are left out: with `store: false` the provider cannot resolve them
      items.push({ type, call_id: asked.id, name: asked.name, arguments: asked.arguments });
    }

    return {
      read(event) {
        const { type, delta, annotation, item, response } = asObject(event);
        switch (type) {
          case "response.output_text.delta":
          case "response.refusal.delta":
            addText(asText(delta));
            break;
          case "response.output_text.annotation.added":
            cite(annotation);
            break;
          case "response.web_search_call.in_progress":
          case "response.web_search_call.searching":
            sink.onSearch();
            break;
          case "response.output_item.done":
            keepItem(item);
            break;
          case "response.completed":
            isFinished = true;
            break;
          case "response.failed":
            onError(readProviderError(response));
            break;
          case "error":
            onError(readProviderError(event));
            break;
        }
      },
      readWhole(answer) {
        for (const item of asList(asObject(answer)["output"])) {
          keepItem(item);
          for (const part of asList(asObject(item)["content"])) {
            addText(asText(asObject(part)["text"]));
            asList(asObject(part)["annotations"]).forEach(cite);
          }
        }
        isFinished = true;
      },
      finish() {
        if (!isFinished) return null;
        const said = text === "" ? [] : [{ role: "assistant", content: text }];
        return { text, toolCalls, items: [...said, ...items] };
      },
    };
  },
};

export interface AiDeps extends SilenceLimits {
  readonly fetch: typeof fetch;
  readonly isOnline: () => boolean;
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

/** Sends the question; throws AiProblem when no answer began. */
async function open(request: AiRequest, deps: AiDeps, signal: AbortSignal): Promise<Response> {
  const { settings, messages, tools, past } = request;
  const wire = WIRES[settings.api];
  const canSearch = settings.api !== "chat-tools";
  const body = wire.body({ model: settings.model, messages, tools, past, canSearch });
  let response: Response;
  try {
    response = await deps.fetch(addressOf(settings, wire.path), {
      method: "POST",
      headers: { ...headersOf(settings, request.key), "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal,
      credentials: "omit",
      referrerPolicy: "no-referrer",
      // A key goes to the origin that it was saved for and is led to no other
      redirect: "error",
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw await problemOfSilence(settings, deps);
  }
  if (response.ok) return response;
  const error = readProviderError(await response.json().catch(() => null));
  throw problemOfStatus(response.status, hostOf(settings), error);
}

/** Passes a response's text on as it comes; throws AiProblem beyond `mostBytes`. */
async function readText(
  stream: ReadableStream<Uint8Array>,
  { host, mostBytes }: { readonly host: string; readonly mostBytes: number },
  take: (text: string) => void,
  onChunk: () => void,
): Promise<void> {
  const decoder = new TextDecoder();
  const chunks = stream.getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await chunks.read();
    if (done) return;
    onChunk();
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
  const host = hostOf(request.settings);
  let streamError: AiProblem | null = null;
  const reader = WIRES[request.settings.api].createReader(request, (error) => {
    const isQuota = error.code === "insufficient_quota";
    streamError = new AiProblem(isQuota ? "quota" : "refused", host, error.message.slice(0, 300));
  });
  const parse = createEventParser(({ data }) => {
    if (data === "[DONE]") return;
    try {
      reader.read(JSON.parse(data));
    } catch {
      // A malformed event is skipped; the rest of the answer is kept
    }
  });
  return {
    readDocument: (text: string) => reader.readWhole(JSON.parse(text)),
    /** Throws the error that an event reported. */
    readEvents(text: string): void {
      parse(text);
      if (streamError !== null) throw streamError;
    },
    /** Returns the whole answer; throws AiProblem when it was cut off or says nothing. */
    finish(): Turn {
      const turn = reader.finish();
      if (turn === null) throw new AiProblem("cut", host);
      if (turn.text === "" && turn.toolCalls.length === 0) throw new AiProblem("malformed", host);
      return turn;
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
    const response = await open(request, deps, watch.signal);
    const limit = { host, mostBytes: deps.mostBytes };
    if (response.headers.get("content-type")?.startsWith("application/json")) {
      let document = "";
      const take = (text: string) => (document += text);
      if (response.body) await readText(response.body, limit, take, onChunk);
      reader.readDocument(document);
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

interface SilenceLimits {
  /** Longest wait for the first byte and between two chunks, in milliseconds. */
  readonly silenceMs: number;
  /** Longest duration of one request, in milliseconds. */
  readonly longestMs: number;
}

/** Creates an abort signal that fires on a stalled provider, after the longest duration and on the user's Stop. */
function createSilenceWatch(outer: AbortSignal, { silenceMs, longestMs }: SilenceLimits) {
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
    end: () => clearTimeout(timer),
  };
}
