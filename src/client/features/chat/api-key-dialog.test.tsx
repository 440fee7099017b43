import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
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
  localStorage.clear();
  sessionStorage.clear();
  writeAiChoice({ ...DEFAULT_CHOICE, baseUrl: ai.baseUrl, currentModel: "test-model" });
  replaceFetch((input, init) => {
    if (typeof input === "string" && input.startsWith(ai.origin)) return nativeFetch(input, init);
    expect(input).toBe("/api/deployment");
    return Promise.resolve(
      Response.json({ networks: [], aiOrigins: [ai.origin, "https://api.openai.com"] }),
    );
  });
});

/** Shows the dialog for as long as the workspace has it open. */
function OpenedDialog() {
  return useDialogs().open.kind === "api-key" ? <ApiKeyDialog /> : <p>No dialog is open</p>;
}

function open() {
  openDialog({ kind: "api-key" });
  render(
    <QueryClientProvider client={new QueryClient()}>
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
    expect(screen.getByText("No dialog is open")).toBeTruthy();
  });

  it("can be kept for this tab only, and then replaces the stored key", async () => {
    saveAiKey(ai, "sk-old", false);
    const user = open();
    await user.type(keyField(), KEY);
    await user.click(screen.getByRole("switch", { name: "Keep it for this tab only" }));
    await user.click(button("Save Key"));
    expect(keyHere()).toBe(KEY);
    expect(JSON.stringify(localStorage)).not.toContain("sk-");
  });

  it("is in no storage once it was removed", async () => {
    saveAiKey(ai, KEY, false);
    const user = open();
    await user.click(button("Forget key"));
    expect(keyHere()).toBeNull();
    expect(JSON.stringify([localStorage, sessionStorage])).not.toContain(KEY);
    expect(screen.queryByRole("button", { name: "Forget key" })).toBeNull();
  });

  it("is tested at the host that it is sent to", async () => {
    const user = open();
    expect(screen.getByText(new URL(ai.origin).host)).toBeTruthy();
    await user.type(keyField(), "sk-bad");
    await user.click(button("Test key"));
    expect(await screen.findByText(/does not accept this API key/)).toBeTruthy();
    await user.clear(keyField());
    await user.type(keyField(), KEY);
    await user.click(button("Test key"));
    expect(await screen.findByText(/accepts the key and offers test-model/)).toBeTruthy();
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
    expect(await screen.findByText(reason)).toBeTruthy();
    expect(button("Save settings").disabled).toBe(true);
    expect(readAiChoice().baseUrl).toBe(ai.baseUrl);
  });

  it("and the model are kept in the setting ai-model", async () => {
    const user = open();
    await user.clear(field("Model"));
    await user.type(field("Model"), "local-model");
    await user.click(button("Save settings"));
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
  it("holds once its key is saved, under the specified name for OpenAI", async () => {
    saveAiKey(ai, "sk-other", false);
    const user = open();
    await choose(user, "OpenAI");
    expect(readAiChoice().baseUrl).toBe(ai.baseUrl);
    expect(button("Save Key").disabled).toBe(true);
    await user.type(field("OpenAI API key"), KEY);
    await user.click(button("Save Key"));
    expect(readAiChoice()).toEqual(DEFAULT_CHOICE);
    expect(localStorage.getItem("openai_api_key")).toBe(KEY);
    expect(keyHere()).toBe("sk-other");
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
    expect(button("Test key").disabled).toBe(true);
  });

  it("is used again with the key that it has", async () => {
    saveAiKey(DEFAULT_CHOICE, KEY, false);
    const user = open();
    await choose(user, "OpenAI");
    await user.click(button("Use OpenAI"));
    expect(readAiChoice()).toEqual(DEFAULT_CHOICE);
    expect(readAiKey(DEFAULT_CHOICE)).toBe(KEY);
  });

  it("says what the deployment has to allow, and where its keys are made", async () => {
    const user = open();
    await choose(user, "Anthropic");
    expect(await screen.findByLabelText("Anthropic API key")).toBeDefined();
    expect(screen.getByText("Get a key from Anthropic")).toBeDefined();
    expect(
      screen.getAllByText(/can add https:\/\/api\.anthropic\.com to AI_ORIGINS/).length,
    ).toBeGreaterThan(0);
    await choose(user, "Ollama");
    expect(screen.getByText("localhost:11434")).toBeDefined();
    expect(screen.getByText("A program on this computer takes any text.")).toBeDefined();
    expect(screen.queryByText(/^Get a key from/)).toBeNull();
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
