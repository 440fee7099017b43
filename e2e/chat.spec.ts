import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { type AiServer, startAiServer } from "../test/ai-server.ts";
import { INJECTIONS } from "../test/recorded/injections.ts";
import { createNewcomer } from "./page.ts";
import { freePort, makeDataDir, type Product, startProduct } from "./product.ts";

const KEY = "sk-canary-5f0d1c9e7b";
const dataDir = makeDataDir();
let product: Product;
let ai: AiServer;

test.beforeAll(async () => {
  const port = await freePort();
  // Strict CORS: the product's own page and nobody else
  ai = await startAiServer((origin) => origin === `http://127.0.0.1:${port}`);
  product = await startProduct(dataDir.path, port, { AI_ORIGINS: ai.origin });
});

test.afterAll(async () => {
  await product.stop();
  await ai.close();
  dataDir.remove();
});

interface Recorded {
  readonly method: string;
  readonly url: string;
  /** Address, headers and body in one. */
  readonly all: string;
}

/** Everything the browser sends, whatever page or worker sends it. */
function record(context: BrowserContext): readonly Recorded[] {
  const requests: Recorded[] = [];
  context.on("request", (request) => {
    const [method, url] = [request.method(), request.url()];
    const all = JSON.stringify([url, request.headers(), request.postData()]);
    requests.push({ method, url, all });
  });
  return requests;
}

const box = (page: Page) => page.getByRole("textbox", { name: "Message" });
const send = async (page: Page, text: string) => {
  await box(page).fill(text);
  await box(page).press("Enter");
};

/** Points the page at the test's provider and saves the key, as a user does. */
async function setUpAi(page: Page, kind?: string): Promise<void> {
  await page.getByRole("button", { name: "AI settings" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Provider and model").click();
  const address = dialog.getByLabel("Base address");
  await address.fill("https://evil.example/v1");
  await expect(dialog.getByText(/Whoever runs it can add https:\/\/evil\.example/)).toBeVisible();
  await address.fill(ai.baseUrl);
  await dialog.getByLabel("Model").fill("test-model");
  if (kind !== undefined) {
    await dialog.getByLabel("Kind of API").click();
    await page.getByRole("option", { name: kind }).click();
  }
  await dialog.getByRole("button", { name: "Save settings" }).click();
  await expect(dialog.getByText(`It goes to ${new URL(ai.origin).host} only.`)).toBeVisible();
  await dialog.getByLabel("OpenAI API key").fill(KEY);
  await dialog.getByRole("button", { name: "Test key" }).click();
  await expect(dialog.getByText(/accepts the key and offers test-model/)).toBeVisible();
  await dialog.getByRole("button", { name: "Save Key" }).click();
  await expect(page.getByText("API Key Saved")).toBeVisible();
}

const storages = (page: Page) =>
  page.evaluate(() => JSON.stringify([localStorage, sessionStorage, document.cookie]));

test("a conversation streams, cites, survives a reload, shows in two tabs, and keeps its key", async ({
  page,
  context,
}) => {
  const requests = record(context);
  const newcomer = createNewcomer(page, product.url);
  await newcomer.connectAndSignIn();
  await setUpAi(page);

  ai.answer({
    text: "SOL is **up**.\n\n| Day | Close |\n|---|--:|\n| Mon | 140 |\n",
    sources: [{ url: "https://news.example/sol", title: "SOL rises" }],
    pauseMs: 5,
  });
  await send(page, "How is SOL?");
  await expect(page).toHaveURL(/\/chat\/[0-9a-f]{32}/);
  const log = page.getByRole("log");
  await expect(log.getByRole("cell", { name: "140" })).toBeVisible();
  await expect(
    log.getByRole("region", { name: "Sources" }).getByRole("link", { name: /news\.example/ }),
  ).toBeVisible();
  if (process.env["CHAT_SCREENSHOTS"] !== undefined) await takeScreenshots(page);

  const other = await context.newPage();
  await other.goto(page.url());
  const otherLog = other.getByRole("log");
  await expect(otherLog.getByRole("cell", { name: "140" })).toBeVisible();

  ai.answer({ text: "one two three four five six seven ".repeat(40), pauseMs: 40 });
  await send(page, "Count");
  await expect(log.getByText(/one two three/)).toBeVisible();
  await expect(otherLog.getByText(/one two three/)).toBeVisible();
  await page.reload();
  await expect(log.getByText("Interrupted before the end.")).toBeVisible();
  await expect(otherLog.getByText("Interrupted before the end.")).toBeVisible();
  await expect(log.getByText(/one two three/)).toHaveCount(1);
  ai.answer({ text: "…and eight." });
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(log.getByText("…and eight.")).toBeVisible();
  await expect(otherLog.getByText("…and eight.")).toBeVisible();

  const posts = requests.filter(
    ({ method, url }) => method === "POST" && url.endsWith("/messages"),
  );
  const ids = posts.map(({ all }) => /\\"_id\\":\\"(\w+)\\"/.exec(all)?.[1]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toHaveLength(5);

  await page.getByRole("button", { name: "AI settings" }).click();
  expect(await storages(page)).toContain(KEY);
  await page.getByRole("button", { name: "Forget key" }).click();
  expect(await storages(page)).not.toContain(KEY);
  expect(await storages(other)).not.toContain(KEY);

  const own = requests.filter(({ url }) => url.startsWith(product.url));
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter(({ all }) => all.includes(KEY))).toEqual([]);
  expect(requests.filter(({ url }) => !isOurs(url))).toEqual([]);
});

function isOurs(url: string): boolean {
  return url.startsWith(product.url) || url.startsWith(ai.origin) || url.startsWith("data:");
}

test("two hundred injected texts change nothing and reach nobody", async ({ page, context }) => {
  test.setTimeout(240_000);
  expect(INJECTIONS.length).toBeGreaterThanOrEqual(200);
  const requests = record(context);
  const newcomer = createNewcomer(page, product.url);
  await newcomer.connectAndSignIn();
  await setUpAi(page, "Responses: web search and reads on demand");
  await newcomer.openNewChat();
  const setUpCount = requests.length;

  const perAnswer = 12;
  for (let start = 0; start < INJECTIONS.length; start += perAnswer) {
    const texts = INJECTIONS.slice(start, start + perAnswer);
    ai.answer((_request, asked) =>
      asked === 1
        ? {
            toolCalls: [
              { name: "set_trading_status", arguments: { status: "on" } },
              { name: "create_rule", arguments: { action: "OPEN_LONG", note: texts[0] } },
              { name: "fetch", arguments: { url: "https://evil.example/" } },
            ],
          }
        : {
            text: `${texts.join("\n\n")}\n\nEnd of part ${start}.`,
            sources: [{ url: "https://evil.example/source", title: texts[1] ?? "x" }],
            pieceLength: 400,
          },
    );
    await send(page, `Summarise the page ${texts[2] ?? ""}`);
    await expect(page.getByText(`End of part ${start}.`, { exact: false }).last()).toBeAttached();
    await expect(page.getByRole("button", { name: "Send message" })).toBeVisible();
  }
  await page.reload();
  await expect(page.getByText(/End of part/).last()).toBeAttached();

  const log = page.getByRole("log");
  await expect(log.locator("img, script, iframe, style, form, link, meta, image")).toHaveCount(0);
  const hrefs = await log
    .locator("a")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).protocol));
  expect([...new Set(hrefs)]).toEqual(["https:"]);

  const after = requests.slice(setUpCount);
  expect(after.filter(({ url }) => !isOurs(url)).map(({ url }) => url)).toEqual([]);
  const changing = after.filter(
    ({ method, url }) => url.startsWith(product.url) && method !== "GET" && method !== "HEAD",
  );
  const expected = /\/api\/chats\/[0-9a-f]{32}\/messages$|\/api\/auth\/refresh$/;
  expect(changing.filter(({ url }) => !expected.test(url)).map(({ url }) => url)).toEqual([]);
  expect(after.filter(({ url, all }) => url.startsWith(product.url) && all.includes(KEY))).toEqual(
    [],
  );
});

test("a proposed agent fills the form, and only the user's click saves it", async ({
  page,
  context,
}) => {
  const requests = record(context);
  const newcomer = createNewcomer(page, product.url);
  await newcomer.connectAndSignIn();
  await setUpAi(page);
  const proposal = {
    asset: "SOL",
    rules: [
      {
        action: "OPEN_LONG",
        conditions: [
          { alert: "breakout", times: 2 },
          { alert: "rsi", times: 1 },
        ],
      },
      { action: "CLOSE_LONG", conditions: [{ alert: "exit", times: 1 }] },
    ],
  };
  ai.answer({ text: `So:\n\n\`\`\`wheelhouse-agent\n${JSON.stringify(proposal)}\n\`\`\`` });
  await send(page, "long SOL when breakout fires twice and RSI once, close on exit");
  await page.getByRole("button", { name: "Review in the form" }).click();
  const dialog = page.getByRole("dialog");
  const changes = dialog.getByRole("region", { name: "Proposed changes" });
  await expect(changes.getByText("OPEN_LONG when breakout × 2 and rsi × 1")).toBeVisible();
  const saves = () => requests.filter(({ url }) => url.includes("/api/agents/create"));
  expect(saves()).toEqual([]);
  if (process.env["CHAT_SCREENSHOTS"] !== undefined) {
    await page.screenshot({ path: `${process.env["CHAT_SCREENSHOTS"]}/proposal.png` });
  }
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByText("Agent Created")).toBeVisible();
  expect(saves()).toHaveLength(1);
  expect(saves()[0]?.all).toContain("breakout");
});

async function takeScreenshots(page: Page): Promise<void> {
  const folder = process.env["CHAT_SCREENSHOTS"] ?? "";
  for (const theme of ["light", "dark"]) {
    await page.evaluate((name) => (document.documentElement.dataset["theme"] = name), theme);
    await page.screenshot({ path: `${folder}/chat-${theme}-1440.png` });
    await page.getByRole("button", { name: "AI settings" }).click();
    await page.getByText("Provider and model").click();
    await page.screenshot({ path: `${folder}/key-${theme}-1440.png` });
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Chat", exact: true }).click();
    await page.screenshot({ path: `${folder}/chat-${theme}-390.png` });
    await page.setViewportSize({ width: 1440, height: 900 });
  }
}
