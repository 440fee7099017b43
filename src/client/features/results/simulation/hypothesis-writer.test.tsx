import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type AiServer, startAiServer } from "../../../../../test/ai-server.ts";
import { buildAgent } from "../../../../../test/shown-agent.ts";
import { parseOwner } from "../../../../domain/ids.ts";
import type { Agent } from "../../../../contract/agent.ts";
import { DEFAULT_CHOICE, writeAiChoice } from "../../../lib/ai/ai-settings.ts";
import { replaceFetch } from "../../../lib/api.ts";
import { requestPath } from "../../../../../test/request-path.ts";
import { saveAiKey } from "../../../lib/ai/ai-key.ts";
import { countHypothesis } from "./hypothesis-writer.tsx";
import HypothesisWriter from "./hypothesis-writer.tsx";
import { session } from "../../../lib/session.ts";

const OWNER = parseOwner("5E9rRCLgieqMgY1vyKfvRNSGHf9ovvKakHmUG8PCFCSn");

session.setState({ status: "signed-in", address: OWNER });
const id = (digit: string) => digit.repeat(32);
let agentCount = 0;

let agent: Agent;
let ai: AiServer;
/** Trades without a hypothesis at first, newest first. */
let log: { _id: string }[] = [];
let stored: { logId: string; hypothesis: string }[] = [];
let refusal: string | null = null;

const nativeFetch = globalThis.fetch.bind(globalThis);
const trade = (digit: string, changes: object = {}) => ({
  _id: id(digit),
  market: "SOL-PERP",
  size: "1.5",
  percentage: "100",
  total: "210.37",
  type: "market",
  side: "long",
  webhookSignal: "OPEN_LONG",
  timestamps: `2026-11-21T0${digit}:00:00.000Z`,
  status: "success",
  ...changes,
});

beforeAll(async () => {
  ai = await startAiServer();
});
afterAll(() => ai.close());

beforeEach(() => {
  localStorage.clear();
  saveAiKey(ai, "sk-test", false);
  writeAiChoice({ ...DEFAULT_CHOICE, baseUrl: ai.baseUrl });
  ai.answer({ text: "Momentum.", sources: [{ url: "https://example.org/", title: "Page" }] });
  stored = [];
  refusal = null;
  agentCount += 1;
  agent = buildAgent({
    id: agentCount.toString(16).padStart(32, "0"),
    chatId: id("c"),
    name: "Agent ** SOL-1h",
    marketId: "SOL-PERP",
    interval: "1h",
    venue: "drift",
    network: "practice",
    owner: OWNER,
    autoTrade: "on",
    slippagePercent: 0.5,
    positionSizePercent: 100,
    maxSignalAgeSeconds: 300,
    isFunded: true,
    writesHypotheses: true,
    buyReportPrompt: "Explain the breakout.",
    sellReportPrompt: "",
    updatedAt: "2026-11-22T00:00:00.000Z",
  });
  replaceFetch((input, init) => {
    if (typeof input === "string" && input.startsWith(ai.origin)) return nativeFetch(input, init);
    const [path] = requestPath(input).split("?");
    const json = (body: unknown, status = 200) => Promise.resolve(Response.json(body, { status }));
    if (path === "/api/deployment") return json({ networks: [], aiOrigins: [ai.origin] });
    if (path?.startsWith("/api/hypothesis/unexplained/")) {
      const missing = log.filter(({ _id }) => !stored.some(({ logId }) => logId === _id));
      return json({ count: missing.length, oldest: missing.at(-1) });
    }
    expect(path).toBe("/api/hypothesis/create");
    if (refusal) return json({ code: refusal, message: "No.", requestId: "r" }, 409);
    const body = JSON.parse(String(init?.body as string)) as (typeof stored)[number];
    stored.push(body);
    return json({ ...body, _id: body.logId }, 201);
  });
});

function open(tabs = 1) {
  const asked = ai.seen.length;
  for (let tab = 0; tab < tabs; tab += 1) {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    render(
      <QueryClientProvider client={client}>
        <HypothesisWriter agents={[agent]} />
      </QueryClientProvider>,
    );
  }
  return () => ai.seen.slice(asked);
}

it("writes a hypothesis for every trade without one, oldest first", async () => {
  log = [trade("5"), trade("2")];
  const asked = open();
  await expect.poll(() => stored.map(({ logId }) => logId)).toEqual([id("2"), id("5")]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(stored[0]?.hypothesis).toBe("Momentum.\n\nSources\n1. Page https://example.org/");
  expect(asked()).toHaveLength(2);
});

it("asks with the trade's figures and the user's prompt for its side, or the default prompt", async () => {
  log = [trade("2"), trade("1", { webhookSignal: "CLOSE_LONG", total: "99.5" })];
  const asked = open();
  await expect.poll(() => stored.length).toBe(2);
  const [sell, buy] = asked().map(({ body }) => JSON.stringify(body["messages"]));
  expect(buy).toContain("Total: 210.37");
  expect(buy).toContain("Explain the breakout.");
  expect(sell).toContain("Total: 99.5");
  expect(sell).toContain("Why was this decision made?");
});

it("writes only one when the page is open twice", async () => {
  log = [trade("2")];
  const asked = open(2);
  await expect.poll(() => stored.length).toBe(1);
  expect(asked()).toHaveLength(1);
});

it("asks no more than 20 times a day", async () => {
  log = [trade("1"), trade("2")];
  countHypothesis(agent.id, Date.now(), 19);
  const asked = open();
  await expect.poll(() => stored.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked()).toHaveLength(1);
});

it("accepts the server's answer that another tab was first", async () => {
  log = [trade("2")];
  refusal = "hypothesis_exists";
  const asked = open();
  await expect.poll(() => asked().length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked()).toHaveLength(1);
  expect(stored).toEqual([]);
});
