// @vitest-environment node
import { headersOf } from "./ai-settings.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AiReply, type AiServer, startAiServer } from "../../../../test/ai-server.ts";
import { AiProblem } from "./ai-problem.ts";
import type { AiApi, AnsweredTurn, Source } from "./ai-provider.ts";
import { askAi } from "./ask-ai.ts";

const SOURCES = [
  { url: "https://example.org/a", title: "First" },
  { url: "https://example.net/b?c=1", title: "Second" },
];
const TOOL = { name: "read_trades", description: "Trades.", parameters: { type: "object" } };

let server: AiServer;
beforeAll(async () => {
  server = await startAiServer();
});
afterAll(() => server.close());

interface Options {
  readonly signal?: AbortSignal;
  readonly key?: string;
  readonly past?: readonly AnsweredTurn[];
  readonly silenceMs?: number;
  readonly longestMs?: number;
  readonly mostBytes?: number;
  readonly isOnline?: boolean;
  readonly baseUrl?: string;
  readonly onText?: (text: string) => void;
}

async function ask(
  api: AiApi,
  reply: AiReply | ((asked: number) => AiReply),
  options: Options = {},
) {
  server.answer(typeof reply === "function" ? (_request, asked) => reply(asked) : reply);
  const start = server.seen.length;
  let text = "";
  let searches = 0;
  const sources: Source[] = [];
  const turn = askAi(
    {
      settings: { baseUrl: options.baseUrl ?? server.baseUrl, model: "test-model", api },
      key: options.key ?? "sk-test",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: "Hi" },
      ],
      tools: api === "chat" ? [] : [TOOL],
      past: options.past ?? [],
      signal: options.signal ?? new AbortController().signal,
      onText: (piece) => {
        text += piece;
        options.onText?.(piece);
      },
      onSource: (source) => sources.push(source),
      onSearch: () => (searches += 1),
    },
    {
      fetch,
      isOnline: () => options.isOnline ?? true,
      silenceMs: options.silenceMs ?? 5000,
      longestMs: options.longestMs ?? 60_000,
      mostBytes: options.mostBytes ?? 1024 ** 2,
      retryPauseMs: 1,
    },
  );
  const outcome = await turn.then(
    (value) => ({ turn: value }),
    (problem: AiProblem) => ({ problem }),
  );
  return { ...outcome, text, sources, searches, seen: server.seen.slice(start) };
}

const kindOf = async (asked: ReturnType<typeof ask>) => {
  const { problem, seen, text } = (await asked) as Awaited<typeof asked> & { problem?: AiProblem };
  return [problem?.kind, seen.length, text];
};

describe.each(["chat", "responses"] as const)("the %s format", (api) => {
  it("streams text and citations completely", async () => {
    const said = "Sol **rose** — 🚀 by 3.2 %.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n".repeat(9);
    const answer = await ask(api, { text: said, sources: SOURCES, pieceLength: 5 });
    expect(answer.text).toBe(said);
    expect(answer.sources).toEqual(SOURCES);
    expect(answer).toMatchObject({ turn: { text: said, toolCalls: [] } });
  });

  it("sends the key in its header and nowhere else", async () => {
    const { seen } = await ask(api, { text: "Yes." });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.key).toBe("sk-test");
    expect(JSON.stringify([seen[0]?.path, seen[0]?.body])).not.toContain("sk-test");
  });

  it("cites https pages only", async () => {
    const sources = [
      { url: "javascript:alert(1)", title: "a" },
      { url: "http://plain.example/", title: "b" },
      { url: "https://fine.example/", title: "" },
    ];
    const answer = await ask(api, { text: "x", sources });
    expect(answer.sources).toEqual([{ url: "https://fine.example/", title: "fine.example" }]);
  });

  it("accepts an answer that arrives as one document", async () => {
    const answer = await ask(api, { text: "Whole.", sources: SOURCES, isWhole: true });
    expect([answer.text, answer.sources]).toEqual(["Whole.", SOURCES]);
  });

  it("loses no text to a damaged chunk", async () => {
    expect((await ask(api, { text: "Still here.", isMalformed: true })).text).toBe("Still here.");
  });

  it("reports a broken connection, and keeps the received text without asking again", async () => {
    const [kind, requests, text] = await kindOf(
      ask(api, { text: "One two three four", pieceLength: 4, cutAfter: 3 }),
    );
    expect([kind, requests]).toEqual(["cut", 1]);
    expect("One two three four".startsWith(text as string)).toBe(true);
    expect(text).not.toBe("");
  });

  it("reports an error within the stream", async () => {
    const streamError = { code: "insufficient_quota", message: "No credit." };
    expect(await kindOf(ask(api, { text: "Par", streamError }))).toEqual(["quota", 1, "Par"]);
  });

  it("gives up when the provider stops sending", async () => {
    expect((await kindOf(ask(api, { hangs: true }, { silenceMs: 60 })))[0]).toBe("timeout");
  });

  it.each([false, true])("ends an answer that does not end (one document: %s)", async (isWhole) => {
    const asked = ask(api, { text: "word ".repeat(9_000), isWhole }, { mostBytes: 1024 * 32 });
    const { problem } = (await asked) as { problem?: AiProblem };
    expect(problem?.kind).toBe("endless");
    expect(problem?.message).toContain("it sent more than 0.03125 MB");
  });

  it("ends an answer that takes too long, however steadily it arrives", async () => {
    const slow = { text: "word ".repeat(1_000), pieceLength: 1, pauseMs: 5 };
    expect((await kindOf(ask(api, slow, { longestMs: 120 })))[0]).toBe("endless");
  });

  it("stops at once when the user stops", async () => {
    const stop = new AbortController();
    const answer = await ask(
      api,
      { text: "word ".repeat(200), pauseMs: 5 },
      { signal: stop.signal, onText: () => stop.abort() },
    );
    expect(answer.text.length).toBeLessThan(100);
    expect((answer as { problem?: Error }).problem?.name).toBe("AbortError");
  });
});

describe("a question that fails before its answer begins", () => {
  const refusal = (status: number, code = "x", message = "Why not.") => ({
    status,
    error: { code, message },
  });

  it.each([
    ["a wrong key", refusal(401, "invalid_api_key"), "bad-key", 1],
    ["no credit", refusal(429, "insufficient_quota"), "quota", 1],
    ["too many requests", refusal(429, "rate_limit_exceeded"), "rate-limit", 2],
    ["trouble at the provider", refusal(503), "provider-down", 2],
    ["an unknown model", refusal(404, "model_not_found"), "model", 1],
    ["a refused request", refusal(400), "refused", 1],
  ])(
    "for %s names the reason and is repeated as often as allowed",
    async (_name, reply, kind, requests) => {
      expect(await kindOf(ask("chat", reply))).toEqual([kind, requests, ""]);
    },
  );

  it("is repeated once and then answered", async () => {
    const answer = await ask("responses", (asked) =>
      asked === 1 ? refusal(500) : { text: "Now." },
    );
    expect([answer.text, answer.seen.length]).toEqual(["Now.", 2]);
  });

  it("says whether provider or connection caused the silence", async () => {
    const nobody = "http://127.0.0.1:9/v1";
    expect((await kindOf(ask("chat", {}, { baseUrl: nobody })))[0]).toBe("unreachable");
    const offline = ask("chat", {}, { baseUrl: nobody, isOnline: false });
    expect((await kindOf(offline))[0]).toBe("offline");
  });

  it("is never sent without a key", async () => {
    expect(await kindOf(ask("chat", {}, { key: "" }))).toEqual(["no-key", 0, ""]);
  });
});

describe("the title of a failure", () => {
  const titleOf = async (asked: ReturnType<typeof ask>) =>
    ((await asked) as { problem?: AiProblem }).problem?.title;
  const refused = (message: string) => ({ status: 400, error: { code: "x", message } });

  it.each([
    ["a wrong key", { status: 401, error: { code: "x", message: "No." } }, "API key not accepted"],
    ["a refused request", refused("Why not."), "Question refused"],
    ["a cut answer", { text: "Half", cutAfter: 1 }, "Answer cut off"],
  ])("names %s", async (_name, reply, title) => {
    expect(await titleOf(ask("responses", reply))).toBe(title);
  });

  it("mentions the web search only where that failed", async () => {
    const { host } = new URL(server.baseUrl);
    expect(await titleOf(ask("chat", refused("The web_search tool failed.")))).toBe(
      `Failed to fetch web search results from ${host}`,
    );
    const openai = new AiProblem("provider-down", "api.openai.com", "Web search is down.");
    expect(openai.title).toBe("Failed to fetch web search results from OpenAI");
    expect(new AiProblem("cut", host).title).toBe("Answer cut off");
    expect(new AiProblem("cut", host).whileSearching().title).toBe(
      "Failed to fetch web search results",
    );
  });
});

describe("a request to the provider", () => {
  it("asks for medium web search and streaming in each format's fields", async () => {
    const chat = await ask("chat", { text: "x" });
    expect(chat.seen[0]).toMatchObject({
      path: "/v1/chat/completions",
      body: {
        model: "test-model",
        stream: true,
        web_search_options: { search_context_size: "medium" },
      },
    });
    expect(chat.seen[0]?.body).not.toHaveProperty("tools");
    const responses = await ask("responses", { text: "x" });
    expect(responses.seen[0]).toMatchObject({
      path: "/v1/responses",
      body: {
        stream: true,
        store: false,
        instructions: "Be brief.",
        tools: [{ type: "web_search", search_context_size: "medium" }, { name: "read_trades" }],
      },
    });
    const tools = await ask("chat-tools", { text: "x" });
    expect(tools.seen[0]?.body).not.toHaveProperty("web_search_options");
    expect(tools.seen[0]?.body).toMatchObject({ tools: [{ function: { name: "read_trades" } }] });
  });

  it.each(["chat-tools", "responses"] as const)("continues after a read in %s", async (api) => {
    const first = await ask(api, {
      toolCalls: [
        { name: "read_trades", arguments: { limit: 20 } },
        { name: "read_candles", arguments: { symbol: "SOLUSDT", interval: "1h" } },
      ],
    });
    if (!("turn" in first)) throw new Error("The first turn failed.");
    expect(first.turn.toolCalls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ["read_trades", { limit: 20 }],
      ["read_candles", { symbol: "SOLUSDT", interval: "1h" }],
    ]);
    const outputs = first.turn.toolCalls.map(({ id }) => ({ id, output: `[${id}]` }));
    const past = [{ turn: first.turn, outputs }];
    const second = await ask(api, { text: "You made none." }, { past });
    expect(second.text).toBe("You made none.");
    const sent = JSON.stringify(second.seen[0]?.body);
    for (const { id, output } of outputs) {
      expect(sent).toContain(id);
      expect(sent).toContain(output);
    }
  });
});

/** One choice of a stream of Chat Completions. */
const delta = (part: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: part, finish_reason }],
});
const callOf = (id: string | undefined, name: string | undefined, args: unknown, more = {}) => ({
  index: 0,
  ...(id !== undefined && { id, type: "function" }),
  function: { ...(name !== undefined && { name }), arguments: args },
  ...more,
});
const CALLED = delta({}, "tool_calls");

describe("what providers stream besides", () => {
  /** Asks with tools, has each call answered, and returns the calls and the message that goes back. */
  async function callsOf(lines: readonly object[], api: AiApi = "chat-tools") {
    const first = await ask(api, { lines });
    if (!("turn" in first)) throw new Error(`The turn failed: ${first.problem.message}`);
    const { turn } = first;
    const outputs = turn.toolCalls.map(({ id }) => ({ id, output: "{}" }));
    const next = await ask(api, { text: "Done." }, { past: [{ turn, outputs }] });
    const sent = next.seen[0]?.body[api === "responses" ? "input" : "messages"] as object[];
    return { calls: turn.toolCalls, sent: sent.slice(api === "responses" ? 1 : 2) };
  }
  const said = (calls: Awaited<ReturnType<typeof callsOf>>["calls"]) =>
    calls.map(({ id, name, arguments: args }) => [id, name, args]);

  it("takes two calls with one index for two", async () => {
    const { calls } = await callsOf([
      delta({ tool_calls: [callOf("c1", "read_trades", '{"agent":"a"}')] }),
      delta({ tool_calls: [callOf("c2", "read_position", '{"agent":"b"}')] }),
      CALLED,
    ]);
    expect(said(calls)).toEqual([
      ["c1", "read_trades", '{"agent":"a"}'],
      ["c2", "read_position", '{"agent":"b"}'],
    ]);
  });

  it("tells calls without ids and indexes apart, and gives each an id", async () => {
    const { calls, sent } = await callsOf([
      delta({ tool_calls: [{ function: { name: "read_trades", arguments: '{"a":1}' } }] }),
      delta({ tool_calls: [{ function: { name: "read_trades", arguments: '{"a":2}' } }] }),
      CALLED,
    ]);
    expect(calls.map((call) => call.arguments)).toEqual(['{"a":1}', '{"a":2}']);
    expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    expect(sent.slice(1)).toMatchObject(calls.map(({ id }) => ({ tool_call_id: id })));
  });

  it("joins the pieces of one call, whatever each piece repeats", async () => {
    const { calls } = await callsOf([
      delta({ tool_calls: [callOf("c1", "read_trades", "")] }),
      delta({ tool_calls: [callOf("c1", "read_trades", '{"limit"')] }),
      delta({ tool_calls: [callOf("other", "read_trades", ":1")] }),
      delta({ tool_calls: [callOf(undefined, undefined, "0}")] }),
      CALLED,
    ]);
    expect(said(calls)).toEqual([["c1", "read_trades", '{"limit":10}']]);
  });

  it("reads arguments that are an object and no text", async () => {
    const { calls } = await callsOf([
      delta({ tool_calls: [callOf("c1", "read_trades", { limit: 3 })] }),
      CALLED,
    ]);
    expect(calls[0]?.arguments).toBe('{"limit":3}');
  });

  it("sends empty and broken arguments back as an object", async () => {
    const { calls, sent } = await callsOf([
      delta({ tool_calls: [callOf("c1", "list_agents", "")] }),
      delta({ tool_calls: [{ ...callOf("c2", "list_agents", '{"a'), index: 1 }] }),
      CALLED,
    ]);
    expect(calls.map((call) => call.arguments)).toEqual(["{}", '{"a']);
    expect(sent[0]).toMatchObject({
      tool_calls: [{ function: { arguments: "{}" } }, { function: { arguments: "{}" } }],
    });
    const item = { type: "function_call", call_id: "c1", name: "list_agents", arguments: "" };
    const responses = await callsOf(
      [
        { type: "response.output_item.done", item },
        { type: "response.completed", response: {} },
      ],
      "responses",
    );
    expect(responses.calls[0]?.arguments).toBe("{}");
    expect(responses.sent[0]).toMatchObject({ call_id: "c1", arguments: "{}" });
  });

  it("carries signatures and reasoning back with the call", async () => {
    const signature = { google: { thought_signature: "SIG" } };
    const { sent } = await callsOf([
      delta({ reasoning_content: "I should ", extra_content: { google: { x: "TEXT" } } }),
      delta({ reasoning_content: "look." }),
      delta({
        tool_calls: [callOf("c1", "read_trades", "{}", { extra_content: signature })],
      }),
      delta({ tool_calls: [callOf("c2", "read_trades", "{}")] }),
      CALLED,
    ]);
    expect(sent[0]).toEqual({
      role: "assistant",
      content: null,
      reasoning_content: "I should look.",
      extra_content: { google: { x: "TEXT" } },
      tool_calls: [
        {
          id: "c1",
          type: "function",
          function: { name: "read_trades", arguments: "{}" },
          extra_content: signature,
        },
        { id: "c2", type: "function", function: { name: "read_trades", arguments: "{}" } },
      ],
    });
  });

  it("carries reasoning back that is there and empty", async () => {
    const { sent } = await callsOf([
      delta({ reasoning_content: "", tool_calls: [callOf("c1", "read_trades", "{}")] }),
      CALLED,
    ]);
    expect(sent[0]).toMatchObject({ reasoning_content: "" });
  });

  it("reads text in parts, and a refusal", async () => {
    const parts = [
      { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
      { type: "text", text: "Up." },
    ];
    const lines = [delta({ content: parts }), delta({ refusal: " No." }, "stop")];
    expect((await ask("chat-tools", { lines })).text).toBe("Up. No.");
  });

  const half = delta({ content: "Half of an answ" });
  const calling = delta({ tool_calls: [callOf("c1", "propose_agent", "{}")] });
  const incomplete = (reason: string) => ({
    type: "response.incomplete",
    response: { status: "incomplete", incomplete_details: { reason } },
  });
  it.each([
    ["length", "chat", [half, calling, delta({}, "length")]],
    ["filtered", "chat", [half, delta({}, "content_filter")]],
    ["cut", "chat", [half, delta({}, "error")]],
    ["length", "responses", [incomplete("max_output_tokens")]],
    ["filtered", "responses", [incomplete("content_filter")]],
  ] as const)("says %s of an answer of %s, and takes no call from it", async (kind, api, lines) => {
    expect((await kindOf(ask(api, { lines })))[0]).toBe(kind);
  });

  it.each([
    ["chat", { choices: [{ message: { content: "Half" }, finish_reason: "length" }] }],
    [
      "responses",
      {
        status: "incomplete",
        incomplete_details: { reason: "max_output_tokens" },
        output: [{ type: "message", content: [{ type: "output_text", text: "Half" }] }],
      },
    ],
  ] as const)("says the same of one document of %s", async (api, document) => {
    const [kind, , text] = await kindOf(ask(api, { isWhole: true, document }));
    expect([kind, text]).toEqual(["length", "Half"]);
  });

  it.each(["chat", "responses"] as const)("reads an error in a list in %s", async (api) => {
    const error = { code: 400, message: "Function call is missing.", status: "INVALID_ARGUMENT" };
    const streamed = (await ask(api, { lines: [[{ error }]] })) as { problem?: AiProblem };
    const refused = (await ask(api, { status: 400, document: [{ error }] })) as typeof streamed;
    for (const { problem } of [streamed, refused]) {
      expect(problem?.kind).toBe("refused");
      expect(problem?.message).toContain("It says: Function call is missing.");
    }
  });

  it("takes an error that is null for none", async () => {
    const lines = [{ error: null, ...delta({ content: "Up." }, "stop") }];
    expect((await ask("chat", { lines })).text).toBe("Up.");
  });

  it.each([
    ["bad-key", 400, "API key not valid. Please pass a valid API key."],
    ["refused", 403, "Country, region, or territory not supported"],
    ["quota", 400, "Your credit balance is too low to access the Anthropic API."],
    ["rate-limit", 429, "You exceeded your current quota of requests per minute."],
  ])("calls it %s: %s %s", async (kind, status, message) => {
    const answer = await ask("chat", { status, document: [{ error: { code: status, message } }] });
    const { problem } = answer as { problem?: AiProblem };
    expect(problem?.kind).toBe(kind);
    if (kind !== "bad-key") expect(problem?.message).toContain(message);
  });

  it("reads no more of an error than of an answer", async () => {
    const document = { error: { message: "x".repeat(64 * 1024) } };
    const asked = ask("chat", { status: 400, document }, { mostBytes: 1024 });
    expect((await kindOf(asked))[0]).toBe("refused");
  });
});

describe("The headers of a call", () => {
  it("carry the key, and say to Anthropic alone that a browser calls", () => {
    const chat = "/chat/completions";
    expect(headersOf({ baseUrl: "https://api.openai.com/v1" }, "k", chat)).toEqual({
      Authorization: "Bearer k",
    });
    const anthropic = { baseUrl: "https://api.anthropic.com/v1" };
    expect(headersOf(anthropic, "k", chat)).toMatchObject({
      Authorization: "Bearer k",
      "x-api-key": "k",
      "anthropic-dangerous-direct-browser-access": "true",
    });
    expect(headersOf(anthropic, "k", "/models?limit=1000")).not.toHaveProperty("Authorization");
  });
});
