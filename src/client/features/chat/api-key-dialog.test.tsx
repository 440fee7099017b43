import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen, within } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AiServer, startAiServer } from "../../../../test/ai-server.ts";
import { readAiKey, saveAiKey } from "../../lib/ai/ai-key.ts";
import {
  DEFAULT_CHOICE,
  readAiChoice,
  settingsOf,
  writeAiChoice,
} from "../../lib/ai/ai-settings.ts";
import { replaceFetch } from "../../lib/api.ts";
import { openDialog, useDialogs } from "../../lib/dialogs.ts";
import { deploymentQuery } from "../../queries/deployment.ts";
import { toasts } from "../../lib/toast.ts";
import { TooltipProvider } from "../../ui/tooltip-provider.tsx";
import ApiKeyDialog from "./api-key-dialog.tsx";

const KEY = "sk-secret";
let ai: AiServer;

beforeAll(async () => {
  ai = await startAiServer();
});
afterAll(() => ai.close());

const nativeFetch = globalThis.fetch.bind(globalThis);

beforeEach(() => {
  ai.forget();
  localStorage.clear();
  sessionStorage.clear();
  writeAiChoice({ ...DEFAULT_CHOICE, baseUrl: ai.baseUrl, currentModel: "test-model" });
  allowed = [ai.origin, "https://api.openai.com", "http://localhost:11434"];
  replaceFetch((input, init) => {
    if (typeof input === "string" && input.startsWith(ai.origin)) return nativeFetch(input, init);
    expect(input).toBe("/api/deployment");
    return Promise.resolve(Response.json({ networks: [], aiOrigins: allowed }));
  });
});

let allowed: string[] = [];

/** Has the test's provider answer for those on the internet. */
function playOpenAi(): void {
  ai.offer([{ id: "gpt-5-search-api", object: "model", created: 1, owned_by: "system" }]);
  replaceFetch((input, init) => {
    const url = String(input as string);
    if (url === "/api/deployment") {
      return Promise.resolve(Response.json({ networks: [], aiOrigins: allowed }));
    }
    const { origin, pathname, search } = new URL(url);
    expect(allowed).toContain(origin);
    return nativeFetch(`${ai.origin}${pathname}${search}`, init);
  });
}

/** Shows the dialog for as long as the workspace has it open. */
function OpenedDialog() {
  return useDialogs().open.kind === "api-key" ? <ApiKeyDialog /> : <p>No dialog is open</p>;
}

function open() {
  openDialog({ kind: "api-key" });
  const client = new QueryClient();
  client.setQueryData(deploymentQuery.queryKey, { networks: [], aiOrigins: allowed });
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <OpenedDialog />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

/** Field of the key for the test's provider, an address of the user's own. */
const keyField = () => field(`${new URL(ai.origin).host} API key`);
const keyHere = () => readAiKey({ baseUrl: ai.baseUrl });

async function choose(user: UserEvent, provider: string): Promise<void> {
  await user.click(await screen.findByRole("combobox", { name: "Provider" }));
  await user.click(await screen.findByRole("option", { name: provider }));
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

describe("the key", () => {
  it("is saved trimmed, for the provider that it was typed for", async () => {
    const user = open();
    expect(keyField().type).toBe("password");
    expect(button("Save Key").disabled).toBe(true);
    await user.type(keyField(), "   ");
    expect(button("Save Key").disabled).toBe(true);
    await user.type(keyField(), `${KEY}  `);
    await user.click(button("Save Key"));
    expect(keyHere()).toBe(KEY);
    expect(localStorage.getItem("openai_api_key")).toBeNull();
    expect(await screen.findByText("No dialog is open")).toBeTruthy();
  });

  it("can be kept for this tab only, and then replaces the stored key", async () => {
    saveAiKey(ai, "sk-old", false);
    const user = open();
    await user.type(keyField(), KEY);
    await user.click(screen.getByRole("switch", { name: "Keep it for this tab only" }));
    await user.click(button("Save Key"));
    expect(keyHere()).toBe(KEY);
    expect(JSON.stringify(localStorage)).not.toContain("sk-");
    expect(await screen.findByText("No dialog is open")).toBeTruthy();
  });

  it("is in no storage once it was removed", async () => {
    saveAiKey(ai, KEY, false);
    const user = open();
    await user.click(button("Forget key"));
    expect(keyHere()).toBeNull();
    expect(JSON.stringify([localStorage, sessionStorage])).not.toContain(KEY);
    expect(screen.queryByRole("button", { name: "Forget key" })).toBeNull();
  });

  it("is tested at the host that it is sent to, once it is saved", async () => {
    const user = open();
    expect(screen.getByText(new URL(ai.origin).host)).toBeTruthy();
    await user.type(keyField(), "sk-bad");
    await user.click(button("Save Key"));
    expect(await screen.findByText(/does not accept this API key/)).toBeTruthy();
    await user.type(keyField(), KEY);
    await user.click(button("Save Key"));
    expect(await screen.findByText("No dialog is open")).toBeTruthy();
    const asked = ai.seen.map(({ path, key }) => [path, key]);
    expect(asked.slice(-2)).toEqual([
      ["/v1/models", "sk-bad"],
      ["/v1/models", KEY],
    ]);
  });
});

describe("the provider", () => {
  it.each([
    ["https://evil.example/v1", /Whoever runs it can add https:\/\/evil\.example to AI_ORIGINS/],
    ["http://api.openai.com/v1", /must start with https/],
    ["https://me:pw@api.openai.com/v1", /must not hold a user name/],
    ["openai", /Enter an address like/],
  ])("cannot be %s", async (address, reason) => {
    const user = open();
    await user.clear(field("Base address"));
    await user.type(field("Base address"), address);
    expect((await screen.findAllByText(reason)).length).toBeGreaterThan(0);
    expect(button("Save").disabled).toBe(true);
    expect(readAiChoice().baseUrl).toBe(ai.baseUrl);
  });

  it("and the model are kept in the setting ai-model", async () => {
    const user = open();
    await user.clear(field("Model"));
    await user.type(field("Model"), "local-model");
    await user.click(button("Save"));
    expect(JSON.parse(localStorage.getItem("ai-model") ?? "")).toMatchObject({
      value: { currentModel: "local-model", baseUrl: ai.baseUrl, api: "chat" },
    });
  });

  it("is OpenAI with the model gpt by default", () => {
    localStorage.clear();
    expect(readAiChoice()).toEqual({
      currentModel: "gpt",
      baseUrl: "https://api.openai.com/v1",
      api: "chat",
    });
    expect(settingsOf(readAiChoice()).model).not.toBe("gpt");
  });
});

describe("A provider chosen by name", () => {
  beforeEach(() => {
    playOpenAi();
  });

  it("holds once its key is saved, under the specified name for OpenAI", async () => {
    saveAiKey(ai, "sk-other", false);
    const user = open();
    await choose(user, "OpenAI");
    expect(readAiChoice().baseUrl).toBe(ai.baseUrl);
    expect(button("Save").disabled).toBe(false);
    await user.type(field("OpenAI API key"), KEY);
    await user.click(button("Save Key"));
    expect(readAiChoice()).toEqual(DEFAULT_CHOICE);
    expect(localStorage.getItem("openai_api_key")).toBe(KEY);
    expect(keyHere()).toBe("sk-other");
    expect(await screen.findByText("No dialog is open")).toBeTruthy();
  });

  it("is forgotten by Escape, with what was typed for it", async () => {
    saveAiKey(ai, KEY, false);
    const user = open();
    await choose(user, "OpenAI");
    await user.type(field("OpenAI API key"), "sk-openai");
    await user.keyboard("{Escape}");
    expect(screen.getByText("No dialog is open")).toBeTruthy();
    expect(readAiChoice().baseUrl).toBe(ai.baseUrl);
    expect(readAiKey(DEFAULT_CHOICE)).toBeNull();
  });

  it("does not get a key that was typed for another one", async () => {
    const user = open();
    await user.type(keyField(), KEY);
    await choose(user, "OpenAI");
    expect(field("OpenAI API key").value).toBe("");
  });

  it("is used again with the key that it has", async () => {
    saveAiKey(DEFAULT_CHOICE, KEY, false);
    const user = open();
    await choose(user, "OpenAI");
    await user.click(button("Save"));
    expect(await screen.findByText("No dialog is open")).toBeTruthy();
    expect(readAiChoice()).toEqual(DEFAULT_CHOICE);
    expect(readAiKey(DEFAULT_CHOICE)).toBe(KEY);
    expect(toasts.getState().at(-1)?.title).toBe("OpenAI answers with gpt-5-search-api");
  });

  it("is offered only where the deployment allows it", async () => {
    const user = open();
    await user.click(await screen.findByRole("combobox", { name: "Provider" }));
    const offered = (await screen.findAllByRole("option")).map(({ textContent }) => textContent);
    expect(offered).toEqual(["OpenAI", "Ollama", "Another address"]);
  });

  it("says where its keys are made, and that a program here takes any", async () => {
    const user = open();
    await choose(user, "OpenAI");
    expect(screen.getByText("Get a key from OpenAI")).toBeDefined();
    await choose(user, "Ollama");
    expect(screen.getByText("localhost:11434")).toBeDefined();
    expect(screen.getByText("A program on this computer takes any text.")).toBeDefined();
    expect(screen.queryByText(/^Get a key from/)).toBeNull();
  });
});

const inDays = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const inWords = (date: string) =>
  new Date(date).toLocaleDateString("en-GB", { day: "numeric", month: "long", timeZone: "UTC" });

describe("The model", () => {
  const openai = () => screen.getByRole("list", { name: "Models of api.openai.com" });
  beforeEach(() => {
    playOpenAi();
    writeAiChoice(DEFAULT_CHOICE);
    saveAiKey(DEFAULT_CHOICE, KEY, false);
  });

  it("that ends within thirty days is said, with another one that lives and searches", async () => {
    const end = inDays(13);
    ai.offer([
      { id: "gpt-5-search-api", created: 1, shutdown_date: end },
      { id: "text-embedding-9", created: 9 },
      { id: "gpt-5", created: 2, shutdown_date: end },
      { id: "gpt-6.1-terra", created: 5, shutdown_date: null },
      { id: "gpt-6-astra", created: 4 },
    ]);
    const user = open();
    expect(
      await screen.findByText(`This model ends on ${inWords(end)}. Choose another.`),
    ).toBeTruthy();
    const [first] = within(openai()).getAllByRole("button");
    expect(first?.textContent).toBe("gpt-6.1-terra");
    await user.click(first as HTMLElement);
    await user.click(button("Save"));
    expect(await screen.findByText("No dialog is open")).toBeTruthy();
    expect(readAiChoice()).toEqual({
      ...DEFAULT_CHOICE,
      currentModel: "gpt-6.1-terra",
      api: "responses",
    });
  });

  it("of the specified call stays while one serves it, though it is another", async () => {
    ai.offer([
      { id: "gpt-6.1-terra", created: 5 },
      { id: "gpt-7-search-api", created: 3 },
    ]);
    open();
    expect(
      await screen.findByText("api.openai.com does not offer gpt-5-search-api. Choose another."),
    ).toBeTruthy();
    const [first] = within(openai()).getAllByRole("button");
    expect(first?.textContent).toBe("gpt-7-search-api");
  });

  it("that has ended is said of a key that is saved, and the dialog stays", async () => {
    const end = inDays(-1);
    ai.offer([{ id: "gpt-5-search-api", shutdown_date: end }]);
    const user = open();
    await user.type(field("OpenAI API key"), "sk-new");
    await user.click(button("Save Key"));
    expect(
      await screen.findByText(`This model ended on ${inWords(end)}. Choose another.`),
    ).toBeTruthy();
    expect(readAiKey(DEFAULT_CHOICE)).toBe("sk-new");
  });

  it("that has months left, or a name without its tag, is as good as any", async () => {
    ai.offer([
      { id: "gpt-5-search-api", shutdown_date: inDays(124) },
      { id: "gpt-5.5:latest", created: 3 },
    ]);
    const user = open();
    const good = "api.openai.com accepts the key and offers ";
    expect(await screen.findByText(`${good}gpt-5-search-api.`)).toBeTruthy();
    await user.clear(field("Model"));
    await user.type(field("Model"), "gpt-5.5");
    expect(await screen.findByText(`${good}gpt-5.5.`)).toBeTruthy();
  });

  it("is found among five thousand by a part of its name", async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => ({ id: `model-${at}`, created: at }));
    ai.offer([...many, { id: "gpt-5-search-api", created: 1 }]);
    const user = open();
    await screen.findByText(/offers gpt-5-search-api/);
    await user.clear(field("Model"));
    expect(within(openai()).getAllByRole("button")).toHaveLength(30);
    expect(within(openai()).getByText(/^4971 more: type a part/)).toBeTruthy();
    await user.type(field("Model"), "L-4321");
    expect(within(openai()).getAllByRole("button")).toHaveLength(1);
    await user.click(within(openai()).getByText("model-4321"));
    expect(field("Model").value).toBe("model-4321");
  });

  it.each([
    ["no list", { status: 404, document: { detail: "Not Found" } }, /lists no models: enter/],
    ["an error in a list", { status: 400, document: [{ error: { message: "Why." } }] }, /Why\./],
    ["no JSON", { status: 200, document: "<html>" }, /lists no models/],
    ["trouble", { status: 503, document: {} }, /has a problem of its own/],
  ])("of a provider with %s is entered by hand", async (_name, offered, words) => {
    ai.offer(offered);
    open();
    expect(await screen.findByText(words)).toBeTruthy();
  });

  it("is taken from the list of a provider for which none is built in", async () => {
    ai.offer([
      { id: "models/gemini-3.5-flash-lite" },
      { id: "models/gemini-3.8-flash" },
      { id: "models/gemini-3.9-pro-preview" },
      { id: "models/gemma-5-27b-it" },
    ]);
    allowed = [...allowed, "https://generativelanguage.googleapis.com"];
    const user = open();
    await choose(user, "Google");
    expect(field("Model").value).toBe("");
    await user.type(field("Google API key"), "sk-google");
    await user.click(button("Save Key"));
    expect(await screen.findByText("No dialog is open")).toBeTruthy();
    expect(readAiChoice()).toMatchObject({ currentModel: "gemini-3.8-flash", api: "chat-tools" });
  });
});

describe("A key from before keys were kept by provider", () => {
  const before = (baseUrl: string) => {
    const value = { currentModel: "any", baseUrl, api: "chat" };
    localStorage.setItem("ai-model", JSON.stringify({ version: 1, value }));
    localStorage.setItem("openai_api_key", KEY);
  };

  it("stays OpenAI's where OpenAI was chosen", () => {
    before("https://api.openai.com/v1");
    expect(readAiKey(readAiChoice())).toBe(KEY);
  });

  it("is asked for again where another provider was chosen, and later ones stay", () => {
    before("https://api.anthropic.com/v1");
    expect(readAiKey(readAiChoice())).toBeNull();
    expect(readAiKey(DEFAULT_CHOICE)).toBeNull();
    saveAiKey(DEFAULT_CHOICE, "sk-new", false);
    expect(readAiChoice().baseUrl).toBe("https://api.anthropic.com/v1");
    expect(readAiKey(DEFAULT_CHOICE)).toBe("sk-new");
  });
});
