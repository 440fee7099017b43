import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { Toaster } from "sonner";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replaceFetch } from "../../lib/api.ts";
import { requestPath } from "../../lib/request-path.ts";
import { session } from "../../lib/session.ts";
import { storedAiKey } from "../../lib/storage.ts";
import { wallet } from "../../wallet/wallet.ts";
import { ChatPanel } from "./chat-panel.tsx";

const ADDRESS = "A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo";
const CHAT = "c".repeat(32);

let stored: unknown[] = [];
let isUp = true;
let keyAsked = 0;

beforeEach(() => {
  localStorage.clear();
  stored = [];
  isUp = true;
  keyAsked = 0;
  replaceFetch((input, init) => {
    expect(requestPath(input)).toBe(`/api/chats/${CHAT}/messages`);
    if (init?.method !== "POST") return Promise.resolve(Response.json(stored));
    if (!isUp) return Promise.reject(new TypeError("offline"));
    const message: unknown = JSON.parse(String(init.body as string));
    stored = [...stored, message];
    return Promise.resolve(Response.json(message, { status: 201 }));
  });
});

afterEach(() => {
  cleanup();
  act(() => {
    session.setState({ status: "signed-out", address: "" });
    wallet.store.setState({ status: "disconnected", type: null, address: "" });
  });
});

function signIn() {
  wallet.store.setState({ status: "connected", type: "practice", address: ADDRESS });
  session.setState({ status: "signed-in", address: ADDRESS });
}

function show(chatId = CHAT, onNewChat = () => Promise.resolve(CHAT)) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <ChatPanel
        chatId={chatId}
        onNewChat={onNewChat}
        onApiKeyMissing={() => keyAsked++}
        connectAction={null}
      />
      <Toaster />
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
const sendButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Send message" });

describe("the chat panel", () => {
  it("asks for a wallet before anything else", () => {
    show();
    expect(screen.getByText("Connect your wallet to start chatting")).toBeTruthy();
    expect(box().placeholder).toBe("Connect wallet to chat...");
    expect(box().disabled).toBe(true);
  });

  it("needs text to send", async () => {
    signIn();
    const user = show();
    await screen.findByText(/Ask questions about Solana trading strategies/);
    expect(sendButton().disabled).toBe(true);
    await user.type(box(), "   ");
    expect(sendButton().disabled).toBe(true);
  });

  it("needs the user's own AI key and keeps the text until there is one", async () => {
    signIn();
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "Is SOL overbought?{Enter}");
    expect(await screen.findByText("API Key Required")).toBeTruthy();
    expect(screen.getByText("Please configure your API key in the sidebar settings.")).toBeTruthy();
    expect(keyAsked).toBe(1);
    expect(box().value).toBe("Is SOL overbought?");
    expect(stored).toEqual([]);
  });

  it("stores the trimmed text and empties the box", async () => {
    signIn();
    storedAiKey.write("sk-test");
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "  Is SOL overbought? {Enter}");
    await screen.findByText(/Your message is stored/);
    expect(screen.getByText("Is SOL overbought?")).toBeTruthy();
    expect(stored).toMatchObject([{ type: "user", content: "Is SOL overbought?" }]);
    expect(box().value).toBe("");
  });

  it("marks a message that was not sent, and Retry sends the same one", async () => {
    signIn();
    storedAiKey.write("sk-test");
    isUp = false;
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "hello{Enter}");
    expect(await screen.findByText("Not sent")).toBeTruthy();
    isUp = true;
    await user.click(screen.getByRole("button", { name: "Retry" }));
    await screen.findByText(/Your message is stored/);
    expect(screen.queryByText("Not sent")).toBeNull();
    expect(stored).toHaveLength(1);
  });
});
