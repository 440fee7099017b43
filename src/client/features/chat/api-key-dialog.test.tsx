import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AiServer, startAiServer } from "../../../../test/ai-server.ts";
import { readAiKey } from "../../lib/ai/ai-key.ts";
import {
  DEFAULT_CHOICE,
  readAiChoice,
  settingsOf,
  writeAiChoice,
} from "../../lib/ai/ai-settings.ts";
import { replaceFetch } from "../../lib/api.ts";
import { storedAiKey } from "../../lib/stored.ts";
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

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const button = (name: string) => screen.getByRole<HTMLButtonElement>("button", { name });

describe("the key", () => {
  it("is saved trimmed under the specified name", async () => {
    const user = open();
    expect(field("OpenAI API key").type).toBe("password");
    expect(button("Save Key").disabled).toBe(true);
    await user.type(field("OpenAI API key"), "   ");
    expect(button("Save Key").disabled).toBe(true);
    await user.type(field("OpenAI API key"), `${KEY}  `);
    await user.click(button("Save Key"));
    expect(localStorage.getItem("openai_api_key")).toBe(KEY);
    expect(screen.getByText("No dialog is open")).toBeTruthy();
  });

  it("can be kept for this tab only, and then replaces the stored key", async () => {
    storedAiKey.write("sk-old");
    const user = open();
    await user.type(field("OpenAI API key"), KEY);
    await user.click(screen.getByRole("switch", { name: "Keep it for this tab only" }));
    await user.click(button("Save Key"));
    expect(readAiKey()).toBe(KEY);
    expect(JSON.stringify(localStorage)).not.toContain("sk-");
  });

  it("is in no storage once it was removed", async () => {
    storedAiKey.write(KEY);
    sessionStorage.setItem("openai_api_key", KEY);
    const user = open();
    await user.click(button("Forget key"));
    expect(readAiKey()).toBeNull();
    expect(JSON.stringify([localStorage, sessionStorage])).not.toContain(KEY);
    expect(screen.queryByRole("button", { name: "Forget key" })).toBeNull();
  });

  it("is tested at the host that it is sent to", async () => {
    const user = open();
    expect(screen.getByText(new URL(ai.origin).host)).toBeTruthy();
    await user.type(field("OpenAI API key"), "sk-bad");
    await user.click(button("Test key"));
    expect(await screen.findByText(/does not accept this API key/)).toBeTruthy();
    await user.clear(field("OpenAI API key"));
    await user.type(field("OpenAI API key"), KEY);
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
  it("sets address, model and kind of API, and says what the deployment has to allow", async () => {
    const user = open();
    await user.click(await screen.findByRole("combobox", { name: "Provider" }));
    await user.click(await screen.findByRole("option", { name: "Anthropic" }));
    expect(readAiChoice()).toEqual({
      baseUrl: "https://api.anthropic.com/v1",
      currentModel: "claude-sonnet-4-5",
      api: "chat-tools",
    });
    expect(await screen.findByLabelText("Anthropic API key")).toBeDefined();
    expect(screen.getByText("Get a key from Anthropic")).toBeDefined();
    expect(
      screen.getAllByText(/can add https:\/\/api\.anthropic\.com to AI_ORIGINS/).length,
    ).toBeGreaterThan(0);
    await user.click(screen.getByRole("combobox", { name: "Provider" }));
    await user.click(await screen.findByRole("option", { name: "Ollama" }));
    expect(readAiChoice().baseUrl).toBe("http://localhost:11434/v1");
    expect(screen.getByText("A program on this computer takes any text.")).toBeDefined();
    expect(screen.queryByText(/^Get a key from/)).toBeNull();
  });
});
