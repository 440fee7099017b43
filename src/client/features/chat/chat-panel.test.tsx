import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useEffect } from "react";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { agentIdOf, chatIdOf } from "../../../../test/ids.ts";
import { type AiServer, startAiServer } from "../../../../test/ai-server.ts";
import { type ChatId, parseOwner } from "../../../domain/ids.ts";
import { writeNotes } from "../../lib/ai/agent-notes.ts";
import { DEFAULT_CHOICE, writeAiChoice } from "../../lib/ai/ai-settings.ts";
import { offerChartPicture } from "../../lib/chart-preview.ts";
import { replaceFetch } from "../../lib/api.ts";
import { closeDialog, type OpenDialog, useDialogs } from "../../lib/dialogs.ts";
import { requestPath } from "../../../../test/request-path.ts";
import { session } from "../../lib/session.ts";
import { saveAiKey } from "../../lib/ai/ai-key.ts";
import { Toaster } from "../../ui/toaster.tsx";
import { TooltipProvider } from "../../ui/tooltip-provider.tsx";
import { decodeAnswer, encodeAnswer } from "./assistant/answer-text.ts";
import ChatPanel, { forgetDrafts } from "./chat-panel.tsx";
import { answers, endAnswer } from "./assistant/live-answers.ts";
import { outbox, takeFromOutbox } from "./outbox.ts";
import { wallet } from "../../wallet/wallet.ts";

const ADDRESS = parseOwner("A77ytVV59RYYKW9U97puqc8h5MBUxEKjsSe5zPEDWqFo");
const CHAT = chatIdOf("c");
const AGENT_ID = agentIdOf("a");
const AT = "2026-11-21T08:00:00.000Z";

interface Posted {
  readonly _id: string;
  readonly type: "user" | "ai";
  readonly content: string;
  readonly timestamp: string;
}

const AGENT = {
  botId: AGENT_ID,
  chatId: CHAT,
  agentName: "Agent ** SOL-1h",
  assetPair: "SOL-PERP",
  interval: "1h",
  venue: "drift",
  network: "practice",
  pubkey: ADDRESS,
  tradingStatus: "off",
  stopping: false,
  slippageTolerance: 0.5,
  positionSizePercent: 100,
  maxSignalAgeSeconds: 300,
  hypothesisStatus: "off",
  buyReportPrompt: "",
  sellReportPrompt: "",
  updatedAt: "2026-11-22T00:00:00.000Z",
};
const TRADE = {
  _id: "b".repeat(32),
  market: "SOL-PERP",
  size: "1.5",
  percentage: "100",
  total: "210",
  type: "market",
  side: "long",
  webhookSignal: "OPEN_LONG",
  timestamps: AT,
  status: "success",
};

const QUOTE = { symbol: "USDC", decimals: 6 };
const PERFORMANCE = {
  network: "practice",
  quote: QUOTE,
  from: AT,
  to: AT,
  unbooked: 0,
  curve: [],
  gaps: [],
  returns: { timeWeighted: 0.0125, moneyWeighted: null },
  fall: { depth: 0.02, peakAt: AT, lowAt: AT },
  months: [],
  money: {
    realised: "12.5",
    unknownClosings: 0,
    unrealised: null,
    fees: "-1",
    funding: "0",
    interest: "0",
    deposited: "1000",
    withdrawn: "0",
    slippage: null,
    networkCost: "0",
    rent: "0",
  },
  trades: {
    known: 3,
    unknown: 0,
    wins: 2,
    losses: 1,
    hitRate: 2 / 3,
    averageWin: "8",
    averageLoss: "-3.5",
    profitFactor: null,
    longestLosingRun: 1,
    exposure: null,
  },
  alertToSent: null,
  alertToFilled: null,
};
const made = (amount: string) => ({ amount, share: null });
const PORTFOLIO = {
  at: AT,
  networks: [
    {
      network: "practice",
      quote: QUOTE,
      total: "1012.5",
      unread: 0,
      unbooked: 0,
      made: { today: made("2.5"), week: null, month: null, all: made("12.5") },
      curve: [],
      agents: [],
      deleted: [],
      exposure: [],
      wallet: null,
      pending: [],
      pendingCount: 0,
      flows: [],
    },
  ],
};

let ai: AiServer;
let stored: Posted[] = [];
let posts = 0;
let isUp = true;
let agent: typeof AGENT | null = null;
/** Every dialog that was opened, in order. */
let dialogs: OpenDialog[] = [];
const keyAsked = () => dialogs.filter(({ kind }) => kind === "api-key").length;
/** Bodies of the proposals that were stored. */
let proposed: unknown[] = [];

function Dialogs() {
  const { open } = useDialogs();
  useEffect(() => {
    if (open.kind !== "none") dialogs.push(open);
  }, [open]);
  return null;
}

beforeAll(async () => {
  ai = await startAiServer();
});
afterAll(() => ai.close());

const nativeFetch = globalThis.fetch.bind(globalThis);

/** Answers our own calls as the server does; calls to the provider go out over real HTTP. */
function serve(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  if (typeof input === "string" && input.startsWith(ai.origin)) return nativeFetch(input, init);
  const [path] = requestPath(input).split("?");
  const json = (body: unknown, status = 200) => Promise.resolve(Response.json(body, { status }));
  if (path === "/api/deployment") return json({ networks: [], aiOrigins: [ai.origin] });
  if (path === `/api/agents/get-agentBychatId/${CHAT}`) return json(agent);
  if (path === `/api/alerts/${AGENT_ID}` || path === `/api/rules/${AGENT_ID}`) return json([]);
  if (path === `/api/agents/${AGENT_ID}/signals`) return json([]);
  if (path === `/api/agents/${AGENT_ID}/performance`) return json(PERFORMANCE);
  if (path === `/api/wallets/${ADDRESS}/portfolio`) return json(PORTFOLIO);
  if (path === "/api/logs/get-all-by-chat-id") return json([TRADE]);
  if (path === "/api/proposals") {
    if (init?.method !== "POST") return json([]);
    const body = JSON.parse(String(init.body as string)) as object;
    proposed.push(body);
    const made = { id: "f".repeat(32), assistant: "The page's chat", digest: "d".repeat(64) };
    return json({ ...made, ...body, minutes: undefined, createdAt: AT, expiresAt: AT }, 201);
  }
  if (init?.method === "DELETE") {
    const before = stored.length;
    stored = stored.filter(({ _id }) => path !== `/api/chats/${CHAT}/messages/${_id}`);
    if (stored.length < before) return Promise.resolve(new Response(null, { status: 204 }));
    return json({ code: "not_found", title: "Error", message: "Not found.", requestId: "x" }, 404);
  }
  expect(path).toBe(`/api/chats/${CHAT}/messages`);
  if (init?.method !== "POST") return json(stored);
  posts += 1;
  if (!isUp) return Promise.reject(new TypeError("offline"));
  const message = JSON.parse(String(init.body as string)) as Posted;
  if (!stored.some(({ _id }) => _id === message._id)) stored = [...stored, message];
  return json(message, 201);
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  stored = [];
  posts = 0;
  isUp = true;
  closeDialog();
  agent = null;
  dialogs = [];
  proposed = [];
  for (const { message } of outbox.getState().entries) takeFromOutbox(message.id);
  writeAiChoice({ ...DEFAULT_CHOICE, baseUrl: ai.baseUrl });
  ai.answer({ text: "Hello." });
  replaceFetch(serve);
});

afterEach(() => {
  cleanup();
  act(() => {
    session.setState({ status: "signed-out", address: "" });
    wallet.store.setState({ status: "disconnected", type: null, address: "" });
    for (const { id } of answers.getState().live) endAnswer(id);
    answers.setState({ live: [], problems: {} });
    forgetDrafts();
  });
});

function signIn() {
  wallet.store.setState({ status: "connected", type: "practice", address: ADDRESS });
  session.setState({ status: "signed-in", address: ADDRESS });
}

function show(
  chatId: ChatId | "" = CHAT,
  onNewChat = () => Promise.resolve(CHAT),
  isUnknown = false,
) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  render(
    <QueryClientProvider client={client}>
      <TooltipProvider>
        <ChatPanel
          chatId={chatId}
          isUnknown={isUnknown}
          onNewChat={onNewChat}
          connectAction={null}
          offers={<p>Four offers</p>}
        />
        <Toaster />
        <Dialogs />
      </TooltipProvider>
    </QueryClientProvider>,
  );
  return userEvent.setup();
}

const box = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
const sendButton = () => screen.getByRole<HTMLButtonElement>("button", { name: "Send message" });
const messageOf = (type: Posted["type"], content: string, id: string = type): Posted => ({
  _id: `${id}-0000000`,
  type,
  content,
  timestamp: AT,
});
/** Returns this browser's stored messages and answers that the server does not have yet. */
const keptKeys = () =>
  Object.keys(localStorage).filter((key) => /^chat-(outbox|answers)/.test(key));
const typesStored = () => stored.map(({ type }) => type);

describe("before a message can be sent", () => {
  it("asks for a wallet first", () => {
    show();
    expect(screen.getByText("Connect your wallet to start chatting")).toBeTruthy();
    expect(box().placeholder).toBe("Connect wallet to chat...");
    expect(box().disabled).toBe(true);
  });

  it("asks for no wallet while the session of the last visit is being restored", () => {
    session.setState({ status: "restoring", address: "" });
    show("");
    expect(screen.queryByText("Connect your wallet to start chatting")).toBeNull();
    act(() => wallet.store.setState({ status: "connected", type: "practice", address: ADDRESS }));
    expect(screen.queryByText("Start a conversation")).toBeNull();
    act(() => {
      wallet.store.setState({ status: "disconnected", type: null, address: "" });
      session.setState({ status: "signed-out", address: "" });
    });
    expect(screen.getByText("Connect your wallet to start chatting")).toBeDefined();
  });

  it("says that there is no such chat instead of showing an empty one", () => {
    signIn();
    show("", () => Promise.resolve(CHAT), true);
    expect(screen.getByText("Chat not found")).toBeTruthy();
    expect(screen.queryByText("Start a conversation")).toBeNull();
  });

  it("needs text to send", async () => {
    signIn();
    const user = show();
    await screen.findByText(/Ask questions about Solana trading strategies/);
    expect(sendButton().disabled).toBe(true);
    await user.type(box(), "   ");
    expect(sendButton().disabled).toBe(true);
  });

  it("needs the user's AI key and keeps the text until there is one", async () => {
    signIn();
    const user = show();
    await screen.findByText(/Ask questions/);
    expect(screen.getByText("Four offers")).toBeDefined();
    await user.type(box(), "Is SOL overbought?{Enter}");
    expect(await screen.findByText("API Key Required")).toBeTruthy();
    expect(screen.getByText("Please configure your API key in the sidebar settings.")).toBeTruthy();
    expect(keyAsked()).toBe(1);
    expect(box().value).toBe("Is SOL overbought?");
    expect(stored).toEqual([]);
  });

  it("answers what the reads know without a key, and asks no provider", async () => {
    signIn();
    agent = AGENT;
    const asked = ai.seen.length;
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "What did you trade?{Enter}");
    expect(await screen.findByText(/1 order, 1 filled/)).toBeTruthy();
    expect(screen.getByText(/Open long, 1\.5 SOL-PERP/)).toBeTruthy();
    expect(await screen.findByText(/your last 1 trade/)).toBeTruthy();
    expect(ai.seen).toHaveLength(asked);
    expect(keyAsked()).toBe(0);
    await waitFor(() => expect(typesStored()).toEqual(["user", "ai"]));
  });

  it("needs a session", async () => {
    wallet.store.setState({ status: "connected", type: "practice", address: ADDRESS });
    saveAiKey(ai, "sk-test", false);
    const user = show();
    await user.type(box(), "Hi{Enter}");
    expect(await screen.findByText("Authentication Required")).toBeTruthy();
    expect(box().value).toBe("Hi");
  });
});

describe("a question", () => {
  beforeEach(() => {
    signIn();
    saveAiKey(ai, "sk-test", false);
  });

  it("is stored trimmed, answered, and the answer is stored once", async () => {
    ai.answer({
      text: "SOL is **strong**.",
      sources: [{ url: "https://example.org/sol", title: "Sol today" }],
      pieceLength: 3,
    });
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "  Is SOL overbought? {Enter}");
    expect(box().value).toBe("");
    expect((await screen.findByText("strong")).tagName).toBe("STRONG");
    const sources = await screen.findByRole("region", { name: "Sources" });
    expect(within(sources).getByRole("link").textContent).toBe("Sol today (example.org)");
    await expect.poll(typesStored).toEqual(["user", "ai"]);
    expect(stored[0]?.content).toBe("Is SOL overbought?");
    expect(decodeAnswer(stored[1]?.content ?? "")).toMatchObject({
      text: "SOL is **strong**.",
      ending: "complete",
    });
    expect(posts).toBe(2);
    expect(keptKeys()).toEqual([]);
    expect(ai.seen.at(-1)?.key).toBe("sk-test");
    const sent = JSON.stringify(ai.seen.at(-1)?.body["messages"]);
    expect(sent.match(/Is SOL overbought\?/g)).toHaveLength(1);
  });

  it("is answered in elements that remain when the answer is stored", async () => {
    ai.answer({ text: `SOL is **strong**. ${"More of it. ".repeat(30)}`, pauseMs: 3 });
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "Hi{Enter}");
    const word = await screen.findByText("strong");
    expect(stored).toHaveLength(1);
    await expect.poll(typesStored).toEqual(["user", "ai"]);
    await screen.findByRole("button", { name: "Send message" });
    expect(word.isConnected).toBe(true);
  });

  it("says when the answer used no search", async () => {
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "Hi{Enter}");
    expect(
      await screen.findByText("No source: nothing in this answer was looked up."),
    ).toBeTruthy();
  });

  it("carries the chart's picture by one click, which stays in the tab", async () => {
    writeAiChoice({ ...DEFAULT_CHOICE, baseUrl: ai.baseUrl, api: "responses" });
    const withdraw = offerChartPicture(() => "data:image/png;base64,AAAA");
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.click(screen.getByRole("button", { name: "Add a picture of the chart" }));
    expect(screen.getByAltText("The chart, as it goes with the question")).toBeDefined();
    await user.type(box(), "What do you see?{Enter}");
    await waitFor(() => expect(typesStored()).toEqual(["user", "ai"]));
    expect(stored[0]?.content).toBe("What do you see?\n\n[with a picture of the chart]");
    expect(JSON.stringify(ai.seen.at(-1)?.body["input"])).toContain(
      '{"type":"input_image","image_url":"data:image/png;base64,AAAA"}',
    );
    expect(screen.queryByAltText("The chart, as it goes with the question")).toBeNull();
    expect(JSON.stringify(localStorage)).not.toContain("base64,AAAA");
    act(withdraw);
    expect(screen.queryByRole("button", { name: "Add a picture of the chart" })).toBeNull();
  });

  it("carries the standing notes of its agent, and those of no other", async () => {
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.click(screen.getByRole("button", { name: "Standing notes" }));
    const notes = await screen.findByRole("textbox", { name: /^Standing notes/ });
    await user.type(notes, "Never suggest leverage.");
    writeNotes(chatIdOf("d"), "Of another agent.");
    await user.type(box(), "Hi{Enter}");
    await waitFor(() => expect(typesStored()).toEqual(["user", "ai"]));
    const sent = JSON.stringify(ai.seen.at(-1)?.body);
    expect(sent).toContain("for every answer in this conversation:\\nNever suggest leverage.");
    expect(sent).not.toContain("Of another agent.");
  });

  it("creates a chat with the first message", async () => {
    let made = 0;
    const user = show("", () => {
      made += 1;
      return Promise.resolve(CHAT);
    });
    await user.type(box(), "Hi{Enter}");
    await expect.poll(typesStored).toEqual(["user", "ai"]);
    expect(made).toBe(1);
  });

  it("that was not stored is marked, and Retry sends the same message", async () => {
    isUp = false;
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "hello{Enter}");
    expect(await screen.findByText("Not sent")).toBeTruthy();
    const [waiting] = outbox.getState().entries;
    isUp = true;
    await user.click(screen.getByRole("button", { name: "Retry" }));
    await expect.poll(typesStored).toEqual(["user", "ai"]);
    expect(stored[0]?._id).toBe(waiting?.message.id);
    expect(screen.queryByText("Not sent")).toBeNull();
  });

  it("can be stopped; the text so far stays and can be continued", async () => {
    ai.answer({ text: "One two three ".repeat(80), pauseMs: 4 });
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "Count{Enter}");
    await screen.findByText(/One two/);
    await user.click(screen.getByRole("button", { name: "Stop answering" }));
    await screen.findByText("Stopped before the end.");
    await expect.poll(typesStored).toEqual(["user", "ai"]);
    ai.answer({ text: "and four." });
    await user.click(screen.getByRole("button", { name: "Continue" }));
    await screen.findByText("and four.");
    await expect.poll(typesStored).toEqual(["user", "ai", "ai"]);
    const asked = JSON.stringify(ai.seen.at(-1)?.body["messages"]);
    expect(asked).toContain("Continue exactly where it stopped");
  });

  it("that fails shows the reason in place of the answer, and can be asked again", async () => {
    ai.answer({ status: 401, error: { code: "invalid_api_key", message: "No." } });
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "Hi{Enter}");
    const note = await within(screen.getByRole("log")).findByRole("alert");
    expect(note.textContent).toContain("does not accept this API key");
    await user.click(within(note).getByRole("button", { name: "API Key" }));
    expect(keyAsked()).toBe(1);
    ai.answer({ text: "Back." });
    await user.click(screen.getByRole("button", { name: "Try again" }));
    await screen.findByText("Back.");
    await expect.poll(typesStored).toEqual(["user", "ai"]);
  });

  it("that failed keeps its reason below it, after the next question and a reload too", async () => {
    ai.answer({ status: 401, error: { code: "invalid_api_key", message: "No." } });
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "Hi{Enter}");
    const log = () => within(screen.getByRole("log"));
    await screen.findByRole("log");
    await log().findByRole("alert");
    ai.answer({ text: "Back." });
    await user.type(box(), "Again{Enter}");
    await screen.findByText("Back.");
    const [first] = await log().findAllByRole("article");
    expect(first?.textContent).toContain("does not accept this API key");
    cleanup();
    // The module as a reload of the page evaluates it
    const reloaded = "./assistant/live-answers.ts?reloaded";
    const again = (await import(/* @vite-ignore */ reloaded)) as {
      readonly answers: typeof answers;
    };
    answers.setState(again.answers.getState(), true);
    expect(Object.values(answers.getState().problems)).toMatchObject([{ isAboutKey: true }]);
    show();
    await screen.findByRole("log");
    expect((await log().findByRole("alert")).textContent).toContain("does not accept this API key");
    await user.click(log().getAllByRole("button", { name: "Delete message" })[0]!);
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await expect.poll(() => log().queryByRole("alert")).toBeNull();
    expect(Object.keys(localStorage).filter((key) => key.startsWith("chat-problems"))).toEqual([]);
  });

  it("ends with a message when the provider keeps requesting reads at the user's cost", async () => {
    writeAiChoice({ ...DEFAULT_CHOICE, baseUrl: ai.baseUrl, api: "responses" });
    agent = AGENT;
    const before = ai.seen.length;
    const toolCalls = Array.from({ length: 20 }, () => ({ name: "read_trades", arguments: {} }));
    ai.answer({ toolCalls });
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "Hi{Enter}");
    const note = await within(screen.getByRole("log")).findByRole("alert");
    expect(note.textContent).toContain("it asked for more than 6 rounds of reads.");
    expect(ai.seen.length - before).toBe(7);
    const sent = JSON.stringify(ai.seen.at(-1)?.body);
    expect(sent.match(/Not read: at most 8 reads at a time/g)).toHaveLength(6 * 12);
  });

  it("keeps the text received before the connection broke", async () => {
    ai.answer({ text: "Half of it and more", pieceLength: 4, cutAfter: 3 });
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "Hi{Enter}");
    await screen.findByText("Interrupted before the end.");
    await expect.poll(typesStored).toEqual(["user", "ai"]);
    expect(decodeAnswer(stored[1]?.content ?? "").ending).toBe("interrupted");
  });

  it.each([
    ["length", "Cut off: the model writes no longer answer.", /greatest length/],
    ["content_filter", "Held back by the provider's filter before the end.", /A filter of /],
  ])(
    "that ends by %s is shown so, and no proposal is taken from it",
    async (reason, words, why) => {
      const block = `Like this:\n\n\`\`\`wheelhouse-agent\n{"asset":"SOL"}\n\`\`\`\nBut `;
      const choice = (delta: object, finish_reason: string | null) => ({
        choices: [{ index: 0, delta, finish_reason }],
      });
      ai.answer({ lines: [choice({ content: block }, null), choice({}, reason)] });
      const user = show();
      await screen.findByText(/Ask questions/);
      await user.type(box(), "Make it{Enter}");
      await screen.findByText(words);
      await screen.findByText(why);
      await screen.findByText(
        "This answer is not whole, so nothing is taken from its proposal. Ask again.",
      );
      expect(screen.queryByRole("button", { name: "Review and approve" })).toBeNull();
      await expect.poll(typesStored).toEqual(["user", "ai"]);
      expect(stored[1]?.content).toContain(
        `"ending":"${reason.replace("content_filter", "filtered")}"`,
      );
    },
  );

  it("is never sent to a host that the deployment does not allow", async () => {
    const evil = { ...DEFAULT_CHOICE, baseUrl: "https://evil.example/v1" };
    writeAiChoice(evil);
    saveAiKey(evil, "sk-test", false);
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "Hi{Enter}");
    const note = await within(screen.getByRole("log")).findByRole("alert");
    expect(note.textContent).toContain("evil.example");
  });

  it("includes the agent's figures as data where the model cannot read, and says so", async () => {
    agent = AGENT;
    writeAiChoice({ ...DEFAULT_CHOICE, baseUrl: ai.baseUrl, currentModel: "search-only" });
    ai.answer(({ body }) =>
      "tools" in body
        ? { status: 400, error: { code: "x", message: "Model incompatible arguments: tools" } }
        : { text: "Well." },
    );
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "How did I do?{Enter}");
    await screen.findByText(/Read .*your last 1 trade/);
    expect(screen.queryByText("Question refused")).toBeNull();
    const sent = JSON.stringify(ai.seen.at(-1)?.body["messages"]);
    expect(sent).toContain('\\"total\\":\\"210\\"');
    expect(sent).toContain('\\"realised\\":\\"12.5\\"');
    expect(sent).toContain('\\"total\\":\\"1012.5\\"');
    expect(sent).not.toContain(ADDRESS);
    // It is not asked with tools again
    const asked = ai.seen.length;
    await user.type(box(), "And now?{Enter}");
    await waitFor(() => expect(ai.seen).toHaveLength(asked + 1));
  });

  it("shows performance and portfolio as read, whatever the model says", async () => {
    agent = AGENT;
    ai.answer((_request, asked) =>
      asked === 1
        ? {
            toolCalls: [
              { name: "read_performance", arguments: { range: "7d" } },
              { name: "read_portfolio", arguments: {} },
            ],
          }
        : { text: "You doubled your money." },
    );
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "How did I do?{Enter}");
    await screen.findByText("You doubled your money.");
    const figuresOf = (name: string) =>
      [...screen.getByRole("region", { name }).querySelectorAll("dl > div")].map(
        (each) => `${each.children[0]?.textContent} ${each.children[1]?.textContent}`,
      );
    expect(figuresOf(`Performance: ${AGENT.agentName}, 7 days`)).toEqual([
      "Return +1.25%",
      "Money-weighted –",
      "Deepest fall −2.00%",
      "Realised 12.50 USDC",
      "Open –",
      "Fees −1.00 USDC",
      "Funding 0.00 USDC",
      "Trades won 2 of 3",
    ]);
    expect(figuresOf("Portfolio")).toEqual([
      "Total 1,012.50 USDC",
      "Today 2.50 USDC",
      "7 days –",
      "All 12.50 USDC",
    ]);
    expect(decodeAnswer(stored.at(-1)?.content ?? "").results).toHaveLength(2);
  });

  it.each(["chat", "responses", "chat-tools"] as const)(
    "lets the model read over %s",
    async (api) => {
      agent = AGENT;
      writeAiChoice({ ...DEFAULT_CHOICE, baseUrl: ai.baseUrl, api });
      ai.answer((_request, asked) =>
        asked === 1
          ? {
              toolCalls: [
                { name: "read_trades", arguments: { limit: 20 } },
                { name: "set_trading_status", arguments: { status: "on" } },
              ],
            }
          : { text: "You bought 1.5 SOL." },
      );
      const user = show();
      await screen.findByText(/Ask questions/);
      await user.type(box(), "What did I trade?{Enter}");
      await screen.findByText("You bought 1.5 SOL.");
      expect(screen.getByText("Read your last 1 trade")).toBeTruthy();
      const sent = JSON.stringify(ai.seen.at(-1)?.body);
      expect(sent).toContain("There is no such read.");
      expect(sent).toContain('\\"size\\":\\"1.5\\"');
    },
  );

  it("offers a proposed agent once the answer is complete", async () => {
    let letEnd = () => {};
    const isHeld = new Promise<void>((resolve) => (letEnd = resolve));
    ai.answer({
      text: `Like this:\n\n\`\`\`wheelhouse-agent\n{"asset":"SOL"}\n\`\`\`\n${"And so on. ".repeat(9)}`,
      pieceLength: 60,
      holdAfter: { count: 3, until: isHeld },
    });
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "Make it{Enter}");
    const review = () => screen.getByRole("button", { name: "Review and approve" });
    await screen.findByRole("region", { name: "Proposed agent" });
    expect(review()).toHaveProperty("disabled", true);
    letEnd();
    await waitFor(() => expect(review()).toHaveProperty("disabled", false));
  });

  it("stores a proposed agent for the wallet to sign, once it was clicked", async () => {
    const proposal = {
      asset: "SOL",
      rules: [{ action: "OPEN_LONG", conditions: [{ alert: "breakout", times: 2 }] }],
    };
    ai.answer({
      text: `Like this:\n\n\`\`\`wheelhouse-agent\n${JSON.stringify(proposal)}\n\`\`\`\n`,
    });
    const user = show();
    await screen.findByText(/Ask questions/);
    await user.type(box(), "Make it{Enter}");
    const card = await screen.findByRole("region", { name: "Proposed agent" });
    expect(card.textContent).toContain("Open long when breakout\u00a0×\u00a02");
    expect(proposed).toEqual([]);
    const review = within(card).getByRole("button", { name: "Review and approve" });
    await waitFor(() => expect(review).toHaveProperty("disabled", false));
    await user.click(review);
    await waitFor(() => expect(dialogs.map(({ kind }) => kind)).toContain("proposals"));
    expect(proposed).toMatchObject([
      {
        draft: {
          agent: { agentName: "Agent ** SOL-1h", assetPair: "SOL-PERP", chatId: CHAT },
          alerts: [{ name: "breakout" }],
          rules: [{ action: "OPEN_LONG", conditions: [{ requiredCount: 2 }] }],
        },
      },
    ]);
  });
});

describe("an unfinished answer of a closed tab", () => {
  it("is stored once, as interrupted", async () => {
    const left = {
      id: "left-over-1",
      owner: ADDRESS,
      chatId: CHAT,
      activity: "",
      text: "So far",
      sources: [],
      reads: [],
      results: [],
    };
    localStorage.setItem("chat-answers/left-over-1", JSON.stringify({ version: 1, value: left }));
    stored = [messageOf("user", "Hi")];
    signIn();
    show();
    await screen.findByText("So far");
    await screen.findByText("Interrupted before the end.");
    await screen.findByRole("button", { name: "Continue" });
    await expect.poll(typesStored).toEqual(["user", "ai"]);
    expect(stored[1]?._id).toBe("left-over-1");
    expect(keptKeys()).toEqual([]);
  });

  it("is followed while another tab still writes it", async () => {
    signIn();
    stored = [messageOf("user", "Hi")];
    show();
    await screen.findByText("Hi");
    const theirs = {
      id: "theirs-0001",
      owner: ADDRESS,
      chatId: CHAT,
      activity: "",
      text: "Coming in",
      sources: [],
      reads: [],
      results: [],
    };
    const key = "chat-answers/theirs-0001";
    localStorage.setItem(key, JSON.stringify({ version: 1, value: theirs }));
    act(() => {
      window.dispatchEvent(new StorageEvent("storage", { key }));
    });
    await screen.findByText("Coming in");
    expect(screen.queryByRole("button", { name: "Send message" })).toBeNull();
    localStorage.removeItem(key);
    act(() => {
      window.dispatchEvent(new StorageEvent("storage", { key }));
    });
    expect(screen.queryByText("Coming in")).toBeNull();
    expect(posts).toBe(0);
  });
});

describe("a chat with messages", () => {
  beforeEach(() => {
    signIn();
    saveAiKey(ai, "sk-test", false);
    stored = [
      messageOf("user", "Is SOL up?", "user-1"),
      messageOf(
        "ai",
        encodeAnswer({
          text: "Yes, **up**.",
          sources: [],
          reads: [],
          results: [],
          ending: "complete",
        }),
        "ai-1",
      ),
      messageOf("user", "And BTC?", "user-2"),
    ];
  });

  it("offers to answer the last unanswered question", async () => {
    const user = show();
    await user.click(await screen.findByRole("button", { name: "Get an answer" }));
    await screen.findByText("Hello.");
    await expect.poll(typesStored).toEqual(["user", "ai", "user", "ai"]);
  });

  it("edits and resends, and copies", async () => {
    const user = show();
    const [first] = await screen.findAllByRole("button", { name: "Edit and resend" });
    await user.click(first!);
    expect(box().value).toBe("Is SOL up?");
    const answer = screen.getByRole("article", { name: "Assistant" });
    await user.click(within(answer).getByRole("button", { name: "Copy message" }));
    expect(await navigator.clipboard.readText()).toBe("Yes, **up**.");
  });

  it("replaces an edited question and what came after it", async () => {
    const user = show();
    const [edit] = await screen.findAllByRole("button", { name: "Edit and resend" });
    if (edit) await user.click(edit);
    expect(screen.getByText(/what came after it are replaced/)).toBeDefined();
    await user.clear(box());
    await user.type(box(), "And ETH?{Enter}");
    await waitFor(() => expect(typesStored()).toEqual(["user", "ai"]));
    expect(stored[0]?.content).toBe("And ETH?");
    expect(screen.queryByText(/what came after it are replaced/)).toBeNull();
  });

  it("deletes one message after a question, even if another tab already deleted it", async () => {
    signIn();
    stored = [
      messageOf("user", "Is SOL up?"),
      messageOf("ai", "It is."),
      messageOf("user", "Sure?", "last"),
    ];
    const user = show();
    await screen.findByText("It is.");
    const [, answer, last] = screen.getAllByRole("button", { name: "Delete message" });
    await user.click(answer as HTMLElement);
    const dialog = await screen.findByRole("alertdialog", { name: "Delete this message?" });
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(typesStored()).toEqual(["user", "ai", "user"]);
    await user.click(answer as HTMLElement);
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await expect.poll(() => screen.queryByText("It is.")).toBeNull();
    expect(typesStored()).toEqual(["user", "user"]);
    stored = stored.slice(0, 1);
    await user.click(last as HTMLElement);
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await expect.poll(() => screen.queryByText("Sure?")).toBeNull();
    expect(screen.getByText("Is SOL up?")).toBeTruthy();
  });

  it("drops a deleted message that was never stored", async () => {
    signIn();
    saveAiKey(ai, "sk-test", false);
    isUp = false;
    const user = show();
    await user.type(box(), "Hi{Enter}");
    await screen.findByText("Not sent");
    await user.click(
      screen.getAllByRole("button", { name: "Delete message" }).at(-1) as HTMLElement,
    );
    await user.click(await screen.findByRole("button", { name: "Delete" }));
    await expect.poll(() => screen.queryByText("Not sent")).toBeNull();
    expect(outbox.getState().entries).toEqual([]);
    expect(keptKeys()).toEqual([]);
  });

  it("shows the day of each message", async () => {
    show();
    await screen.findByText("And BTC?");
    expect(screen.getAllByText(/^Nov 21, \d\d:00$/)).toHaveLength(3);
  });

  it("finds messages by their text", async () => {
    const user = show();
    await screen.findByText("And BTC?");
    await user.click(screen.getByRole("button", { name: "Search this chat" }));
    await user.type(screen.getByRole("searchbox", { name: "Search this chat" }), "btc");
    expect(screen.getByText("1 found")).toBeTruthy();
    expect(screen.queryByText("Is SOL up?")).toBeNull();
    await user.keyboard("{Escape}");
    expect(screen.getByText("Is SOL up?")).toBeTruthy();
  });
});
