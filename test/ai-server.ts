import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export interface AiRequestSeen {
  readonly method: string;
  readonly path: string;
  readonly key: string | undefined;
  readonly origin: string | undefined;
  // Parsed body of any shape; tests read it directly
  readonly body: Record<string, unknown>;
}

/** Provider's reaction to one request. */
export interface AiReply {
  readonly text?: string;
  readonly sources?: readonly { readonly url: string; readonly title: string }[];
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: object }[];
  /** HTTP status of an error answer. */
  readonly status?: number;
  readonly error?: { readonly code: string; readonly message: string };
  /** Characters per event. */
  readonly pieceLength?: number;
  readonly pauseMs?: number;
  /** Called after each event with the number of events sent. */
  readonly onSent?: (count: number) => void;
  /** Withholds the remaining events after `count` until `until` resolves. */
  readonly holdAfter?: { readonly count: number; readonly until: Promise<void> };
  /** Closes the connection after this many events. */
  readonly cutAfter?: number;
  /** Sends first an event that is not JSON and one of an unknown shape. */
  readonly isMalformed?: boolean;
  /** Accepts the request and never answers. */
  readonly hangs?: boolean;
  /** Answers with one JSON document, as servers without streaming do. */
  readonly isWhole?: boolean;
  /** Sends these events alone, as a provider's page shows them. */
  readonly lines?: readonly object[];
  /** Body of an answer that is no stream, or of an error, instead of the usual one. */
  readonly document?: unknown;
  /** Reports this error within the stream, after the text. */
  readonly streamError?: { readonly code: string; readonly message: string };
}

export interface AiServer {
  /** Base address for the settings, ending in /v1. */
  readonly baseUrl: string;
  readonly origin: string;
  readonly seen: readonly AiRequestSeen[];
  /** Sets the answers to all following requests. */
  answer(reply: AiReply | ((request: AiRequestSeen, asked: number) => AiReply)): void;
  /** Sets the models that the list names, or how the list fails. */
  offer(models: readonly object[] | { readonly status: number; readonly document: unknown }): void;
  /** Is as it was at first: nothing seen, nothing decided. */
  forget(): void;
  close(): Promise<void>;
}

type Event = readonly [name: string | null, data: unknown];

const ALLOWED_HEADERS = ["authorization", "content-type"];
const WELCOME: AiReply = { text: "Hello." };
const OFFERED: readonly object[] = [{ id: "test-model", object: "model" }];

function pieces(text: string, length: number): string[] {
  return text.match(new RegExp(`[^]{1,${length}}`, "gu")) ?? [];
}

/** Events of Chat Completions version 1, as the reference of November 2026 shows them. */
function chatEvents(reply: AiReply): Event[] {
  const delta = (part: object, finish: string | null = null): Event => [
    null,
    {
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1_763_700_000,
      model: "test-model",
      choices: [{ index: 0, delta: part, finish_reason: finish }],
    },
  ];
  const events = [delta({ role: "assistant", content: "" })];
  for (const piece of pieces(reply.text ?? "", reply.pieceLength ?? 12)) {
    events.push(delta({ content: piece }));
  }
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const [head = "", ...rest] = pieces(JSON.stringify(call.arguments), 7);
    const named = { id: `call_${index}`, type: "function", index };
    events.push(
      delta({ tool_calls: [{ ...named, function: { name: call.name, arguments: head } }] }),
    );
    for (const piece of rest) {
      events.push(delta({ tool_calls: [{ index, function: { arguments: piece } }] }));
    }
  }
  if (reply.sources) {
    events.push(
      delta({
        annotations: reply.sources.map((source, index) => ({
          type: "url_citation",
          url_citation: { ...source, start_index: index, end_index: index + 1 },
        })),
      }),
    );
  }
  if (reply.streamError) events.push([null, { error: reply.streamError }]);
  else events.push(delta({}, reply.toolCalls ? "tool_calls" : "stop"));
  return events;
}

/** Events of the Responses API version 1, as the reference of November 2026 shows them. */
function responseEvents(reply: AiReply): Event[] {
  const of = (type: string, part: object): Event => [type, { type, ...part }];
  const events = [of("response.created", { response: { id: "resp_1", status: "in_progress" } })];
  if (reply.sources) events.push(of("response.web_search_call.searching", { item_id: "ws_1" }));
  for (const delta of pieces(reply.text ?? "", reply.pieceLength ?? 12)) {
    events.push(of("response.output_text.delta", { item_id: "msg_1", delta }));
  }
  for (const [index, source] of (reply.sources ?? []).entries()) {
    const annotation = {
      type: "url_citation",
      start_index: index,
      end_index: index + 1,
      ...source,
    };
    events.push(of("response.output_text.annotation.added", { item_id: "msg_1", annotation }));
  }
  for (const [index, call] of (reply.toolCalls ?? []).entries()) {
    const item = {
      type: "function_call",
      id: `fc_${index}`,
      call_id: `call_${index}`,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
    };
    events.push(of("response.output_item.done", { output_index: index, item }));
  }
  if (reply.streamError) events.push(of("error", reply.streamError));
  else events.push(of("response.completed", { response: { id: "resp_1", status: "completed" } }));
  return events;
}

function wholeAnswer(path: string, { text = "", sources = [] }: AiReply): object {
  const cited = sources.map((source) => ({ type: "url_citation", ...source }));
  if (path.endsWith("/responses")) {
    return {
      output: [{ type: "message", content: [{ type: "output_text", text, annotations: cited }] }],
    };
  }
  const annotations = sources.map((source) => ({ type: "url_citation", url_citation: source }));
  return {
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, annotations },
        finish_reason: "stop",
      },
    ],
  };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
}

/**
 * Starts a provider that speaks both OpenAI formats over real HTTP. It answers pages of the allowed origins only, and
 * a preflight only for the two headers the strictest compatible servers take.
 */
export async function startAiServer(
  isAllowed: (origin: string) => boolean = () => true,
): Promise<AiServer> {
  const seen: AiRequestSeen[] = [];
  let decide: (request: AiRequestSeen, asked: number) => AiReply = () => WELCOME;
  let asked = 0;
  let offered: Parameters<AiServer["offer"]>[0] = OFFERED;

  function allowOrigin(request: IncomingMessage, response: ServerResponse): boolean {
    const { origin } = request.headers;
    if (origin === undefined) return true;
    if (!isAllowed(origin)) return false;
    response.setHeader("access-control-allow-origin", origin);
    response.setHeader("vary", "origin");
    return true;
  }

  function preflight(request: IncomingMessage, response: ServerResponse): void {
    const wanted = (request.headers["access-control-request-headers"] ?? "").split(",");
    const isKnown = wanted.every((name) => ["", ...ALLOWED_HEADERS].includes(name.trim()));
    if (!allowOrigin(request, response) || !isKnown) {
      response.removeHeader("access-control-allow-origin");
      response.writeHead(403).end();
      return;
    }
    response.setHeader("access-control-allow-headers", ALLOWED_HEADERS.join(", "));
    response.setHeader("access-control-allow-methods", "GET, POST");
    response.writeHead(204).end();
  }

  async function stream(response: ServerResponse, path: string, reply: AiReply): Promise<void> {
    const isResponses = path.endsWith("/responses");
    response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" });
    if (reply.isMalformed) response.write('data: {"choices":[{\n\ndata: [1,2]\n\n: comment\n\n');
    const usual = isResponses ? responseEvents(reply) : chatEvents(reply);
    const events = reply.lines?.map((line): Event => [null, line]) ?? usual;
    for (const [index, [name, data]] of events.entries()) {
      if (index === reply.cutAfter) {
        // Earlier events must be flushed before the connection closes
        await sleep(20);
        response.destroy();
        return;
      }
      if (response.destroyed) return;
      response.write(`${name === null ? "" : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`);
      reply.onSent?.(index + 1);
      if (index + 1 === reply.holdAfter?.count) await reply.holdAfter.until;
      if (reply.pauseMs !== undefined) await sleep(reply.pauseMs);
    }
    response.end(isResponses ? "" : "data: [DONE]\n\n");
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    if (method === "OPTIONS") {
      preflight(request, response);
      return;
    }
    allowOrigin(request, response);
    const one: AiRequestSeen = {
      method,
      path: url,
      key: headers.authorization?.replace("Bearer ", ""),
      origin: headers.origin,
      body: await readBody(request),
    };
    seen.push(one);
    const send = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (new URL(url, "http://ai").pathname.endsWith("/models")) {
      if (one.key === undefined || one.key.includes("bad")) {
        send(401, { error: { code: "invalid_api_key", message: "Incorrect API key provided." } });
      } else if ("status" in offered) send(offered.status, offered.document);
      else send(200, { object: "list", data: offered });
      return;
    }
    asked += 1;
    const reply = decide(one, asked);
    if (reply.hangs) return;
    if (reply.status !== undefined) {
      send(
        reply.status,
        reply.document ?? { error: reply.error ?? { code: "error", message: "No." } },
      );
    } else if (reply.isWhole) send(200, reply.document ?? wholeAnswer(url, reply));
    else await stream(response, url, reply);
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    baseUrl: `${origin}/v1`,
    seen,
    answer(reply) {
      asked = 0;
      decide = typeof reply === "function" ? reply : () => reply;
    },
    offer(models) {
      offered = models;
    },
    forget() {
      seen.length = 0;
      asked = 0;
      offered = OFFERED;
      decide = () => WELCOME;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
