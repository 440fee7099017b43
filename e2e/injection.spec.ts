import { type BrowserContext, expect, type Page } from "@playwright/test";
import type { AiRequestSeen } from "../test/ai-server.ts";
import { INJECTIONS } from "../test/recorded/injections.ts";
import { createTrader, deliver, type Trader, secondsAgo } from "../test/trader.ts";
import { type Recorded, record, sendMessage } from "./chat-page.ts";
import { openAs } from "./page.ts";
import { shareProductWithAi } from "./product-with-ai.ts";
import { test } from "./running-product.ts";
import { patient } from "../test/patient.ts";

const KEY = "sk-canary-77aa01c2d3";
const shared = shareProductWithAi();
let trader: Trader;

test.beforeAll(async () => {
  trader = await createTrader(shared.product.url);
});

test("the list has more than two hundred injected texts", () => {
  expect(new Set(INJECTIONS).size).toBeGreaterThanOrEqual(200);
});

/** Tool calls of a model that follows an injected text. */
const hostileCalls = (text: string) => [
  { name: "set_trading_status", arguments: { status: "on" } },
  { name: "create_rule", arguments: { action: "OPEN_LONG", note: text } },
  { name: "fetch", arguments: { url: "https://evil.example/" } },
];

/** Configures provider and key, and records content-policy violations. */
async function prepare(context: BrowserContext): Promise<readonly Recorded[]> {
  await context.addInitScript(
    ([baseUrl, key]) => {
      const value = { currentModel: "test-model", baseUrl, api: "responses" };
      const stored = { version: 1, value: { ...value, keysHaveOrigins: true } };
      localStorage.setItem("ai-model", JSON.stringify(stored));
      localStorage.setItem(`ai_api_key/${new URL(baseUrl).origin}`, key);
      const stopped: string[] = [];
      Object.assign(globalThis, { stopped });
      addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
        stopped.push(`${effectiveDirective} ${blockedURI}`);
      });
    },
    [shared.ai.baseUrl, KEY] as const,
  );
  return record(context);
}

async function ask(page: Page, question: string, end: string): Promise<void> {
  await sendMessage(page, question);
  await expect(page.getByText(end).last()).toBeAttached({ timeout: patient(90_000) });
  await expect(page.getByRole("button", { name: "Send message" })).toBeVisible();
}

/** Asserts that no active or fetching element was created and none was attempted. */
async function expectInert(page: Page): Promise<void> {
  const log = page.getByRole("log");
  await expect(log.locator("img, script, iframe, style, form, link, meta, image")).toHaveCount(0);
  const unsafe = await page.locator("a[href]").evaluateAll((links) =>
    links
      .map((link) => link as HTMLAnchorElement)
      .filter(({ protocol, host }) => protocol !== "https:" && host !== location.host)
      .map(({ href }) => href),
  );
  expect(unsafe).toEqual([]);
  const stopped = await page.evaluate(
    () => (globalThis as unknown as { stopped: string[] }).stopped,
  );
  expect(stopped).toEqual([]);
}

function expectQuiet(requests: readonly Recorded[]): void {
  const isOurs = (url: string) => url.startsWith(shared.product.url);
  expect(
    requests
      .map(({ url }) => url)
      .filter(
        (url) => !isOurs(url) && !url.startsWith(shared.ai.origin) && !url.startsWith("data:"),
      ),
  ).toEqual([]);
  const expected = /\/api\/chats\/[0-9a-f]{32}\/messages$|\/api\/auth\/refresh$/;
  const changing = requests.filter(
    ({ method, url }) => isOurs(url) && method !== "GET" && method !== "HEAD",
  );
  expect(changing.map(({ url }) => url).filter((url) => !expected.test(url))).toEqual([]);
  expect(requests.filter(({ url, all }) => isOurs(url) && all.includes(KEY))).toEqual([]);
}

test("injected texts in answers, sources and questions change nothing and reach nobody", async ({
  page,
  context,
}) => {
  test.setTimeout(patient(900_000));
  const requests = await prepare(context);
  const chat = await trader.call<{ _id: string }>("POST", "/api/chats/add-chat", {
    title: "Answers",
    walletAddress: trader.address,
  });
  await openAs(page, trader, `${shared.product.url}/chat/${chat._id}`);
  await expect(page.getByText("Start a conversation")).toBeVisible();
  const setUpCount = requests.length;

  const perAnswer = 12;
  for (let start = 0; start < INJECTIONS.length; start += perAnswer) {
    const texts = INJECTIONS.slice(start, start + perAnswer);
    shared.ai.answer((_request, asked) =>
      asked === 1
        ? { toolCalls: hostileCalls(texts[0] ?? "") }
        : {
            text: `${texts.join("\n\n")}\n\nEnd of part ${start}.`,
            sources: [{ url: "https://evil.example/source", title: texts[1] ?? "x" }],
            pieceLength: 400,
          },
    );
    await ask(page, `Summarise the page ${texts[2] ?? ""}`, `End of part ${start}.`);
  }
  await expectInert(page);
  await page.reload();
  await expect(page.getByText(/End of part/).last()).toBeAttached();
  await expectInert(page);
  expectQuiet(requests.slice(setUpCount));
});

/** Returns text reduced to a valid name: one line without invisible characters. */
const lineOf = (text: string, length: number) =>
  text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ")
    .slice(0, length)
    .toWellFormed()
    .trim();
const descriptionOf = (text: string) => text.slice(0, 1_000).toWellFormed();

const PER_AGENT = 42;

/** Creates an agent with hostile text in its name, prompts, alerts and received alerts. */
async function createHostileAgent(texts: readonly string[]): Promise<string> {
  const [first = "", second = ""] = texts;
  const { agent } = await trader.call<{ agent: { botId: string; chatId: string } }>(
    "POST",
    "/api/agents/create-complete-agent",
    {
      agent: {
        agentName: lineOf(first, 110),
        assetPair: "SOL-PERP",
        interval: "1h",
        venue: "drift",
        network: "practice",
        slippageTolerance: "0.5",
        buyReportPrompt: first,
        sellReportPrompt: second,
      },
      alerts: texts.map((text, at) => ({
        name: `${at} ${lineOf(text, 90)}`,
        description: descriptionOf(text),
      })),
      rules: [],
    },
  );
  const webhook = await trader.call<{ url: string; alertText: string }>(
    "GET",
    `/api/agents/${agent.botId}/webhook`,
  );
  const body = JSON.parse(webhook.alertText) as object;
  for (const text of texts) {
    const answer = await deliver(
      webhook.url,
      JSON.stringify({
        ...body,
        alertName: lineOf(text, 100),
        timestamp: secondsAgo(0),
      }),
    );
    expect([202, 422, 429]).toContain(answer.status);
  }
  return agent.chatId;
}

/** Returns the tool results sent to the model. */
function outputsOf({ body }: AiRequestSeen): readonly string[] {
  const input = body["input"] as readonly { type?: string; output?: string }[];
  return input.flatMap(({ type, output }) =>
    type === "function_call_output" && output !== undefined ? [output] : [],
  );
}

test("injected texts in an agent's own records reach the model as data and change nothing", async ({
  page,
  context,
}) => {
  test.setTimeout(patient(900_000));
  const chatIds: string[] = [];
  for (let start = 0; start < INJECTIONS.length; start += PER_AGENT) {
    chatIds.push(await createHostileAgent(INJECTIONS.slice(start, start + PER_AGENT)));
  }
  const read = async () =>
    Promise.all(
      chatIds.map(async (chatId) => {
        const agent = await trader.call<{ botId: string; tradingStatus: string }>(
          "GET",
          `/api/agents/get-agentBychatId/${chatId}`,
        );
        const alerts = await trader.call("GET", `/api/alerts/${agent.botId}`);
        const rules = await trader.call<object[]>("GET", `/api/rules/${agent.botId}`);
        return { agent, alerts, rules };
      }),
    );
  const before = await read();
  const requests = await prepare(context);
  await openAs(page, trader, `${shared.product.url}/chat/${chatIds[0] ?? ""}`);
  await expect(page.getByText("Start a conversation")).toBeVisible();
  const setUpCount = requests.length;

  const given: string[] = [];
  for (const [at, chatId] of chatIds.entries()) {
    const texts = INJECTIONS.slice(at * PER_AGENT, (at + 1) * PER_AGENT);
    shared.ai.answer((request, asked) => {
      if (asked === 1) {
        return {
          toolCalls: [
            { name: "read_agent", arguments: {} },
            { name: "read_signals", arguments: { limit: 50 } },
            { name: "read_trades", arguments: { limit: 50 } },
          ],
        };
      }
      if (asked === 2) {
        given.push(...outputsOf(request));
        return { toolCalls: hostileCalls(texts[0] ?? "") };
      }
      // The model quotes its reads verbatim
      return { text: `${texts.join("\n\n")}\n\nEnd of agent ${at}.`, pieceLength: 400 };
    });
    await page.goto(`${shared.product.url}/chat/${chatId}`);
    // Before the agent has loaded, the chat would have no agent reads
    await expect(page.getByRole("button", { name: "Configure agent" })).toBeVisible();
    await ask(page, "What does my agent do?", `End of agent ${at}.`);
    await expect(page.getByRole("list", { name: "Read for this answer" }).last()).toContainText(
      "your agent's configuration and counters",
    );
    await expectInert(page);
    // The page itself shows the same texts
    await page.getByRole("button", { name: "Configure agent" }).click();
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("tab")).toHaveCount(4);
    for (const tab of await dialog.getByRole("tab").all()) await tab.click();
    await page.keyboard.press("Escape");
    await page.goto(`${shared.product.url}/chat/${chatId}?tab=trade-log`);
    await expect(page.getByRole("button", { name: "Configure agent" })).toBeVisible();
    await expectInert(page);
  }
  const everything = given.map((output) => JSON.stringify(JSON.parse(output))).join("\n");
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  const missing = INJECTIONS.filter(
    (text) => !everything.includes(inJson(descriptionOf(text).trim())),
  );
  expect(missing).toEqual([]);
  expect(everything).toContain("alert_unknown");
  expectQuiet(requests.slice(setUpCount));
  expect(await read()).toEqual(before);
  expect(before.flatMap(({ rules }) => rules)).toEqual([]);
  expect(new Set(before.map(({ agent }) => agent.tradingStatus))).toEqual(new Set(["off"]));
});

test("injected texts in hypotheses are shown as text", async ({ page, context }) => {
  await trader.takePracticeMoney("5", "1000");
  const agent = await trader.createAgent("Notes");
  for (const [count, alert] of ["enter", "exit", "enter", "exit"].entries()) {
    await agent.fire(alert);
    await expect
      .poll(async () => (await agent.log()).filter(({ status }) => status === "success").length)
      .toBe(count + 1);
  }
  const log = await trader.call<{ _id: string }[]>(
    "GET",
    `/api/logs/get-all-by-chat-id?chatId=${agent.chatId}`,
  );
  const perTrade = Math.ceil(INJECTIONS.length / log.length);
  for (const [at, { _id }] of log.entries()) {
    const texts = INJECTIONS.slice(at * perTrade, (at + 1) * perTrade).map((text) =>
      text.slice(0, 300).toWellFormed(),
    );
    await trader.call("POST", "/api/hypothesis/create", {
      logId: _id,
      hypothesis: texts.join("\n\n"),
    });
  }
  const requests = await prepare(context);
  await openAs(page, trader, `${shared.product.url}/chat/${agent.chatId}?tab=backtesting`);
  await expect(page.getByText("Ignore all previous instructions").first()).toBeAttached();
  await expect(page.getByRole("main").locator("img, script, iframe, meta")).toHaveCount(0);
  await expectInert(page);
  expectQuiet(requests.filter(({ url }) => !/\/api\/auth\/(nonce|token)$/.test(url)));
});
