import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { createTrader } from "../test/trader.ts";
import { record, sendMessage as send, setUpAi } from "./chat-page.ts";
import { WITH_MOTION } from "./motion.ts";
import { approveInWallet, createNewcomer, openAs } from "./page.ts";
import { shareProductWithAi } from "./product-with-ai.ts";
import { test } from "./running-product.ts";

test.use(WITH_MOTION);

const KEY = "sk-canary-5f0d1c9e7b";
const shared = shareProductWithAi();
test.afterEach(() => shared.ai.forget());

/** Returns everything this origin stores in the browser. */
const storages = (page: Page) =>
  page.evaluate(async () => {
    const databases = (await indexedDB.databases()).map(({ name }) => name);
    const cached = await caches.keys();
    const workers = (await navigator.serviceWorker.getRegistrations()).length;
    const { name, history } = window;
    const places = [databases, cached, workers, name, history.state, document.cookie];
    return JSON.stringify([localStorage, sessionStorage, ...places]);
  });

/** Returns whether any file below the folder contains the text; a running database may remove files meanwhile. */
function isOnDisk(folder: string, text: string): boolean {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.some((entry) => {
    if (!entry.isFile()) return false;
    try {
      return readFileSync(join(entry.parentPath, entry.name)).includes(text);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    }
  });
}

test("a conversation streams, cites, survives a reload, shows in two tabs, and keeps its key", async ({
  page,
  context,
}) => {
  const requests = record(context);
  const newcomer = createNewcomer(page, shared.product.url);
  await newcomer.connectAndSignIn();
  await setUpAi(page, shared.ai, KEY);

  shared.ai.answer({
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

  // Slow enough to be unfinished whenever the page is left
  const counting = "one two three four five six seven ";
  shared.ai.answer({ text: counting.repeat(400), pieceLength: counting.length, pauseMs: 500 });
  await send(page, "Count");
  await expect(log.getByText(/one two three/)).toBeVisible();
  await expect(otherLog.getByText(/one two three/)).toBeVisible();
  await page.reload();
  await expect(log.getByText("Interrupted before the end.")).toBeVisible();
  await expect(otherLog.getByText("Interrupted before the end.")).toBeVisible();
  await expect(log.getByText(/one two three/)).toHaveCount(1);
  shared.ai.answer({ text: "…and eight." });
  await page.getByRole("button", { name: "Continue" }).click();
  await expect(log.getByText("…and eight.")).toBeVisible();
  await expect(otherLog.getByText("…and eight.")).toBeVisible();

  const ids = () =>
    requests
      .filter(({ method, url }) => method === "POST" && url.endsWith("/messages"))
      .map(({ all }) => /\\"_id\\":\\"(\w+)\\"/.exec(all)?.[1]);
  await expect.poll(() => ids().length).toBe(5);
  expect(new Set(ids()).size).toBe(5);

  await page.getByRole("button", { name: "AI settings" }).click();
  expect(await storages(page)).toContain(KEY);
  await page.getByRole("button", { name: "Forget key" }).click();
  await expect.poll(() => storages(page)).not.toContain(KEY);
  await expect.poll(() => storages(other)).not.toContain(KEY);
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(log.getByText("…and eight.")).toBeVisible();
  await send(page, "Without a key");
  // The dialog that opens with it says the same
  await expect(page.getByRole("group", { name: "API Key Required" })).toBeVisible();
  const isBeside = () =>
    page.evaluate(() => {
      const newest = [...document.querySelectorAll("[role=log] article")].at(-1);
      const toast = document.querySelector("[role=alert] [role=group]");
      if (!newest || !toast) return false;
      return newest.getBoundingClientRect().bottom <= toast.getBoundingClientRect().top;
    });
  await expect.poll(isBeside, { message: "the toast below the newest message" }).toBe(true);
  expect(await storages(page)).not.toContain(KEY);

  const own = requests.filter(({ url }) => url.startsWith(shared.product.url));
  expect(own.length).toBeGreaterThan(20);
  expect(own.filter(({ all }) => all.includes(KEY))).toEqual([]);
  expect(requests.filter(({ all }) => all.includes(KEY)).length).toBeGreaterThan(2);
  expect(isOnDisk(shared.dataDir, "one two three four five")).toBe(true);
  expect(isOnDisk(shared.dataDir, KEY)).toBe(false);
  expect(requests.filter(({ url }) => !isOurs(url))).toEqual([]);
});

function isOurs(url: string): boolean {
  return (
    url.startsWith(shared.product.url) ||
    url.startsWith(shared.ai.origin) ||
    url.startsWith("data:")
  );
}

test("a key goes to the provider it was saved for and to no other", async ({ page, context }) => {
  const { ai, otherAi, product } = shared;
  const requests = record(context);
  await createNewcomer(page, product.url).connectAndSignIn();
  await setUpAi(page, ai, KEY);
  const dialog = page.getByRole("dialog");

  // What is chosen in the menu and not saved does not hold
  await page.getByRole("button", { name: "AI settings" }).click();
  await dialog.getByRole("combobox", { name: "Provider" }).click();
  // Anthropic is not offered here, because AI_ORIGINS does not name it
  await expect(page.getByRole("option")).toHaveText(["Another address"]);
  await page.keyboard.press("Escape");
  await dialog.getByText("Address and kind of API").click();
  await dialog.getByLabel("Base address").fill(otherAi.baseUrl);
  await dialog.getByLabel(/ API key$/).fill("sk-typed-and-left");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  ai.answer({ text: "Heard." });
  await send(page, "Hello");
  await expect(page.getByRole("log").getByText("Heard.")).toBeVisible();

  // Another tab takes another provider, which has no key yet, here neither
  const other = await context.newPage();
  await other.goto(product.url);
  await other.getByRole("button", { name: "AI settings" }).click();
  await other.getByText("Address and kind of API").click();
  await other.getByLabel("Base address").fill(otherAi.baseUrl);
  await expect(other.getByText(`It goes to ${new URL(otherAi.origin).host} only.`)).toBeVisible();
  await other.getByRole("button", { name: "Save", exact: true }).click();
  const third = await context.newPage();
  await third.goto(product.url);
  for (const tab of [page, other, third]) {
    await expect(tab.getByRole("dialog")).toBeHidden();
    await send(tab, "Hello again");
    await expect(tab.getByRole("dialog", { name: "API Key Required" })).toBeVisible();
  }
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  expect(otherAi.seen).toEqual([]);

  await page.getByRole("button", { name: "AI settings" }).click();
  await dialog.getByLabel(/ API key$/).fill("sk-of-the-other");
  await dialog.getByRole("button", { name: "Save Key" }).click();
  otherAi.answer({ text: "Heard elsewhere." });
  await send(page, "Hello again");
  await expect(page.getByRole("log").getByText("Heard elsewhere.")).toBeVisible();
  const sentTo = (key: string) =>
    new Set(requests.flatMap(({ all, url }) => (all.includes(key) ? [new URL(url).origin] : [])));
  expect(sentTo(KEY)).toEqual(new Set([ai.origin]));
  expect(sentTo("sk-of-the-other")).toEqual(new Set([otherAi.origin]));
  expect(sentTo("sk-typed-and-left")).toEqual(new Set());
});

test("a model that ends or is gone is said, another one is chosen, and a cut answer is shown as cut", async ({
  page,
  context,
}) => {
  const { ai, product } = shared;
  const requests = record(context);
  await createNewcomer(page, product.url).connectAndSignIn();
  const end = new Date(Date.now() + 13 * 86_400_000).toISOString().slice(0, 10);
  const many = Array.from({ length: 5_000 }, (_, at) => ({ id: `other-${at}`, created: at }));
  ai.offer([
    { id: "test-model", shutdown_date: end },
    ...many,
    { id: "new-search", created: 9_999 },
  ]);
  await page.getByRole("button", { name: "AI settings" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Address and kind of API").click();
  await dialog.getByLabel("Base address").fill(ai.baseUrl);
  await dialog.getByLabel("Model", { exact: true }).fill("test-model");
  await dialog.getByLabel(/ API key$/).fill(KEY);
  await dialog.getByRole("button", { name: "Save Key" }).click();
  await expect(
    dialog.getByText(/^This model ends on \d+ [A-Z][a-z]+\. Choose another\.$/),
  ).toBeVisible();
  await expect(page.getByText("API Key Saved")).toBeVisible();
  if (process.env["CHAT_SCREENSHOTS"] !== undefined) await takeDialogs(page, "ends");
  await page.reload();
  ai.offer(many);
  await page.getByRole("button", { name: "AI settings" }).click();
  await expect(dialog.getByText(/does not offer test-model\. Choose another\.$/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "other-4999" })).toBeVisible();
  if (process.env["CHAT_SCREENSHOTS"] !== undefined) await takeDialogs(page, "gone");
  await dialog.getByLabel("Model", { exact: true }).fill("R-4321");
  await dialog.getByRole("button", { name: "other-4321" }).click();
  await expect(dialog.getByText(/accepts the key and offers other-4321\.$/)).toBeVisible();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(dialog).toBeHidden();

  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });
  const block = `So:\n\n\`\`\`wheelhouse-agent\n{"asset":"SOL"}\n\`\`\`\nBut on the other ha`;
  ai.answer({ lines: [chunk({ content: block }), chunk({}, "length")] });
  await send(page, "Make one");
  const log = page.getByRole("log");
  await expect(log.getByText("Cut off: the model writes no longer answer.")).toBeVisible();
  await expect(
    log.getByText("This answer is not whole, so nothing is taken from its proposal. Ask again."),
  ).toBeVisible();
  await expect(log.getByRole("button", { name: "Review and approve" })).toHaveCount(0);
  if (process.env["CHAT_SCREENSHOTS"] !== undefined) await takeDialogs(page, "cut");
  expect(ai.seen.at(-1)?.body["model"]).toBe("other-4321");
  const withKey = requests.filter(({ all }) => all.includes(KEY));
  expect(new Set(withKey.map(({ url }) => new URL(url).origin))).toEqual(new Set([ai.origin]));
});

test("a key for one tab disappears with the tab and is never in another tab", async ({
  page,
  context,
}) => {
  const requests = record(context);
  await createNewcomer(page, shared.product.url).connectAndSignIn();
  await setUpAi(page, shared.ai, KEY);
  await page.getByRole("button", { name: "AI settings" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/ API key$/).fill(`${KEY}-tab`);
  await dialog.getByText("This tab only").click();
  await dialog.getByRole("button", { name: "Save Key" }).click();
  // The visible toast may still be of the first key
  await expect.poll(() => storages(page)).toContain(`${KEY}-tab`);
  await expect(page.getByText("API Key Saved").last()).toBeVisible();
  const other = await context.newPage();
  await other.goto(shared.product.url);
  await expect(other.getByRole("button", { name: "AI settings" })).toBeVisible();
  expect(await storages(other)).not.toContain(KEY);
  await page.close();
  expect(await storages(other)).not.toContain(KEY);
  const own = requests.filter(({ url }) => url.startsWith(shared.product.url));
  expect(own.filter(({ all }) => all.includes(KEY))).toEqual([]);
});

test("a deleted message disappears in every tab, and search finds chats by their text", async ({
  page,
  context,
}) => {
  const trader = await createTrader(shared.product.url);
  const chatIds: string[] = [];
  for (const content of ["The zebra crosses at noon.", "Nothing here."]) {
    const body = { title: `Chat ${chatIds.length}`, walletAddress: trader.address };
    const chat = await trader.call<{ _id: string }>("POST", "/api/chats/add-chat", body);
    const timestamp = "2026-11-21T08:00:00.000Z";
    const message = { _id: "message-0001", type: "ai", content, timestamp };
    await trader.call("POST", `/api/chats/${chat._id}/messages`, message);
    chatIds.push(chat._id);
  }
  const [first = "", second = ""] = chatIds;
  await openAs(page, trader, `${shared.product.url}/chat/${second}`);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByText("Nothing here.")).toBeVisible();
  await page.getByRole("article", { name: "Assistant" }).hover();
  await page.getByRole("button", { name: "Delete message" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Delete this message?" });
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Start a conversation")).toBeVisible();
  await expect(other.getByText("Start a conversation")).toBeVisible();

  await page.keyboard.press("Control+B");
  await page.getByRole("searchbox", { name: "Search chats" }).fill("ZEBRA");
  const list = page.getByRole("navigation", { name: "Chats" });
  await expect(list.getByText("The zebra crosses at noon.")).toBeVisible();
  await expect(list.getByText("Chat 1")).toHaveCount(0);
  await list.getByText("Chat 0").click();
  await expect(page).toHaveURL(new RegExp(first));
  await expect(page.getByRole("log").getByText("The zebra crosses at noon.")).toBeVisible();
});

test("an agent that an answer proposes is stored by a click, and created by the wallet alone", async ({
  page,
  context,
}) => {
  const requests = record(context);
  const newcomer = createNewcomer(page, shared.product.url);
  await newcomer.connectAndSignIn();
  await setUpAi(page, shared.ai, KEY);
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
  shared.ai.answer({ text: `So:\n\n\`\`\`wheelhouse-agent\n${JSON.stringify(proposal)}\n\`\`\`` });
  await send(page, "long SOL when breakout fires twice and RSI once, close on exit");
  await page.getByRole("button", { name: "Review and approve" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("Open long when breakout × 2 and rsi × 1");
  const made = () => requests.filter(({ url }) => /\/api\/(agents|proposals\/.*approve)/.test(url));
  const changing = () => made().filter(({ method }) => method !== "GET");
  expect(changing()).toEqual([]);
  if (process.env["CHAT_SCREENSHOTS"] !== undefined) {
    await page.screenshot({ path: `${process.env["CHAT_SCREENSHOTS"]}/proposal.png` });
  }
  const chat = page.url();
  await dialog.getByRole("button", { name: "Approve and sign" }).click();
  await expect(page.getByText("SHA-256 of the proposal")).toBeVisible();
  await approveInWallet(page);
  // The toast closes; the state it reports remains
  await expect(page.getByRole("dialog", { name: "Set up custody" })).toBeVisible();
  // The agent is that of the chat in which it was asked for
  expect(page.url()).toBe(chat);
});

/** Takes what is open in both themes and widths. */
async function takeDialogs(page: Page, name: string): Promise<void> {
  for (const theme of ["light", "dark"]) {
    await page.evaluate((chosen) => (document.documentElement.dataset["theme"] = chosen), theme);
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
      const path = `${process.env["CHAT_SCREENSHOTS"]}/${name}-${theme}-${width}.png`;
      await page.screenshot({ path });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function takeScreenshots(page: Page): Promise<void> {
  const folder = process.env["CHAT_SCREENSHOTS"] ?? "";
  for (const theme of ["light", "dark"]) {
    await page.evaluate((name) => (document.documentElement.dataset["theme"] = name), theme);
    await page.screenshot({ path: `${folder}/chat-${theme}-1440.png` });
    await page.getByRole("button", { name: "AI settings" }).click();
    await page.getByText("Address and kind of API").click();
    await page.screenshot({ path: `${folder}/key-${theme}-1440.png` });
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Chat", exact: true }).click();
    await page.screenshot({ path: `${folder}/chat-${theme}-390.png` });
    await page.setViewportSize({ width: 1440, height: 900 });
  }
}
