// @vitest-environment node
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { AI_PRESETS, ANTHROPIC, choiceOf, DEFAULT_CHOICE } from "./ai-settings.ts";
import { chooseModel, findModelFault, type Model, proposeChoice, readModels } from "./models.ts";

const NOW = Date.parse("2026-11-28T12:00:00Z");
const model = (id: string, more: Partial<Model> = {}): Model => ({
  id,
  createdMs: 0,
  endsMs: null,
  ...more,
});

let stop = () => {};
afterEach(() => stop());

/** Reads the list of a provider that is played by a local server, wherever it would be. */
async function read(
  baseUrl: string,
  answer: (response: ServerResponse) => void,
  limits: { readonly mostBytes?: number; readonly silenceMs?: number } = {},
) {
  const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? "", headers: request.headers });
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  const there: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(input as string);
    return fetch(`http://127.0.0.1:${port}${pathname}${search}`, init);
  };
  const deps = { fetch: there, isOnline: () => true, mostBytes: 1024 ** 2, silenceMs: 5_000 };
  const asked = readModels({ baseUrl }, "sk", { ...deps, ...limits }, new AbortController().signal);
  const [outcome] = await Promise.allSettled([asked]);
  return { outcome, seen };
}

const json = (body: unknown) => (response: ServerResponse) =>
  void response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

describe("A provider's list of models", () => {
  it("is read from each provider as its page shows it", async () => {
    const openai = await read(
      "https://api.openai.com/v1",
      json({
        object: "list",
        data: [
          {
            id: "gpt-5",
            object: "model",
            created: 1_754_425_777,
            owned_by: "system",
            shutdown_date: "2026-12-11",
          },
          {
            id: "gpt-6-luna",
            object: "model",
            created: 1_780_000_000,
            owned_by: "system",
            shutdown_date: null,
          },
        ],
      }),
    );
    expect(openai.outcome).toMatchObject({
      value: [
        { id: "gpt-5", createdMs: 1_754_425_777_000, endsMs: Date.parse("2026-12-11") },
        { id: "gpt-6-luna", endsMs: null },
      ],
    });
    stop();
    const anthropic = await read(
      ANTHROPIC.baseUrl,
      json({
        data: [
          {
            type: "model",
            id: "claude-sonnet-5-5",
            display_name: "Claude Sonnet 5.5",
            created_at: "2026-10-01T00:00:00Z",
          },
        ],
        has_more: false,
      }),
    );
    expect(anthropic.outcome).toMatchObject({
      value: [{ id: "claude-sonnet-5-5", createdMs: Date.parse("2026-10-01") }],
    });
    expect(anthropic.seen[0]?.url).toBe("/v1/models?limit=1000");
    expect(anthropic.seen[0]?.headers).toMatchObject({ "x-api-key": "sk" });
    expect(anthropic.seen[0]?.headers).not.toHaveProperty("authorization");
    stop();
    const google = await read(
      "https://generativelanguage.googleapis.com/v1beta/openai",
      json({
        object: "list",
        data: [
          { id: "models/gemini-3.8-flash", object: "model", owned_by: "google" },
          { id: 7 },
          null,
        ],
      }),
    );
    expect(google.outcome).toMatchObject({ value: [{ id: "gemini-3.8-flash", createdMs: 0 }] });
  });

  it("that hangs, does not end or breaks off is given up", async () => {
    const hung = await read("http://a.test/v1", () => {}, { silenceMs: 60 });
    expect(hung.outcome).toMatchObject({ reason: { kind: "timeout" } });
    stop();
    const endless = await read("http://a.test/v1", json({ data: "x".repeat(9_000) }), {
      mostBytes: 1024,
    });
    expect(endless.outcome).toMatchObject({ reason: { kind: "endless" } });
    stop();
    const broken = await read("http://a.test/v1", (response) => {
      response.writeHead(200, { "content-type": "application/json" }).write('{"data":[');
      setTimeout(() => response.destroy(), 20);
    });
    expect(broken.outcome).toMatchObject({ status: "rejected" });
  });

  it("of ten thousand is cut there", async () => {
    const data = Array.from({ length: 12_000 }, (_, at) => ({ id: `m-${at}` }));
    const { outcome } = await read("http://a.test/v1", json({ data }));
    expect((outcome as PromiseFulfilledResult<readonly Model[]>).value).toHaveLength(10_000);
  });
});

describe("A chosen model", () => {
  const at = (endsMs: number | null) =>
    findModelFault([model("gpt-5-search-api", { endsMs })], DEFAULT_CHOICE, NOW);
  it("is told of when it ends within thirty days or has ended", () => {
    expect(at(Date.parse("2026-12-11"))).toBe("This model ends on 11 December. Choose another.");
    expect(at(Date.parse("2026-11-27"))).toBe("This model ended on 27 November. Choose another.");
    expect(at(Date.parse("2027-04-01"))).toBeNull();
    expect(at(null)).toBeNull();
  });

  it("is told of when it is not listed, unless nothing is", () => {
    const choice = { ...choiceOf(ANTHROPIC), currentModel: "claude-sonnet-4-5" };
    expect(findModelFault([model("claude-sonnet-5-5")], choice, NOW)).toBe(
      "api.anthropic.com does not offer claude-sonnet-4-5. Choose another.",
    );
    expect(findModelFault([], choice, NOW)).toBeNull();
  });
});

describe("The proposed model", () => {
  const soon = { endsMs: Date.parse("2026-12-11") };
  it("of OpenAI searches in the specified call, else in the Responses API", () => {
    const others = [
      model("gpt-6.1-terra", { createdMs: 2 }),
      model("o3-deep-research", { createdMs: 9 }),
    ];
    expect(proposeChoice([...others, model("gpt-7-search-api")], DEFAULT_CHOICE, NOW)).toEqual({
      ...DEFAULT_CHOICE,
      currentModel: "gpt-7-search-api",
    });
    const without = [...others, model("gpt-5-search-api", soon)];
    for (const api of ["chat", "chat-tools", "responses"] as const) {
      expect(proposeChoice(without, { ...DEFAULT_CHOICE, api }, NOW)).toMatchObject({
        currentModel: "gpt-6.1-terra",
        api: "responses",
      });
    }
    expect(chooseModel(DEFAULT_CHOICE, "gpt-5-search-api").api).toBe("chat");
  });

  it.each([
    [
      "Anthropic",
      ["claude-opus-5-5", "claude-sonnet-5-5", "claude-sonnet-4-6"],
      "claude-sonnet-5-5",
    ],
    [
      "Google",
      ["gemma-4-27b-it", "gemini-3.10-flash", "gemini-3.8-flash", "gemini-4-pro"],
      "gemini-3.10-flash",
    ],
    ["Ollama", ["nomic-embed-text:latest", "llama3.1:8b-instruct"], "llama3.1:8b-instruct"],
  ])("of %s is of its middle family and new", (label, ids, best) => {
    const preset = AI_PRESETS.find((one) => one.label === label) ?? ANTHROPIC;
    const models = ids.map((id) => model(id));
    expect(proposeChoice(models, choiceOf(preset), NOW)).toMatchObject({
      currentModel: best,
      api: "chat-tools",
    });
  });

  it("is none where none lives and writes", () => {
    const models = [model("gpt-5-search-api", soon), model("text-embedding-3-large")];
    expect(proposeChoice(models, DEFAULT_CHOICE, NOW)).toBeNull();
    expect(proposeChoice([], DEFAULT_CHOICE, NOW)).toBeNull();
  });
});
