import { type BrowserContext, expect, type Page } from "@playwright/test";
import { createTrader, type Trader } from "../test/trader.ts";
import { WITH_MOTION } from "./motion.ts";
import { openAs } from "./page.ts";
import { shareProductWithAi } from "./product-with-ai.ts";
import { test } from "./running-product.ts";

test.use(WITH_MOTION);

const MESSAGES = 200;
const shared = shareProductWithAi();

async function addChat(trader: Trader, title: string): Promise<string> {
  const body = { title, walletAddress: trader.address };
  return (await trader.call<{ _id: string }>("POST", "/api/chats/add-chat", body))._id;
}

const say = (trader: Trader, chatId: string, _id: string, type: "user" | "ai", content: string) =>
  trader.call("POST", `/api/chats/${chatId}/messages`, {
    _id,
    type,
    content,
    timestamp: "2026-11-21T08:00:00.000Z",
  });

/** Returns the index of the first fully visible message, after the rows above have been measured. */
const firstVisible = (page: Page) =>
  page.getByRole("log").evaluate(async (list) => {
    const read = () => {
      const edge = list.getBoundingClientRect().top;
      for (const row of list.querySelectorAll("article")) {
        const { top } = row.getBoundingClientRect();
        if (top >= edge) return { place: row.ariaPosInSet ?? "", top: top - edge };
      }
      return { place: "", top: 0 };
    };
    let last = read();
    for (let calm = 0; calm < 3;) {
      await new Promise(requestAnimationFrame);
      const now = read();
      calm = now.place === last.place && now.top === last.top ? calm + 1 : 0;
      last = now;
    }
    return last;
  });

const topOf = (page: Page, place: string) =>
  page.getByRole("log").evaluate((list, at) => {
    const row = list.querySelector(`article[aria-posinset="${at}"]`);
    return row ? row.getBoundingClientRect().top - list.getBoundingClientRect().top : null;
  }, place);

test("a long chat draws only what is visible, keeps its scroll position and can be read by keyboard", async ({
  page,
}) => {
  const trader = await createTrader(shared.product.url);
  const chatId = await addChat(trader, "Long");
  for (let at = 1; at <= MESSAGES; at += 1) {
    const lines = `- point of ${at} **bold**\n`.repeat((at * 7) % 23);
    const content = at % 2 === 1 ? `Question ${at}.` : `Answer ${at}.\n\n${lines}`;
    await say(trader, chatId, `message-${1000 + at}`, at % 2 === 1 ? "user" : "ai", content);
  }
  await openAs(page, trader, `${shared.product.url}/chat/${chatId}`);
  const log = page.getByRole("log");
  const newest = log.getByRole("article").last();
  await expect(newest).toContainText(`Answer ${MESSAGES}.`);
  await expect(newest).toBeInViewport();
  await expect(newest).toHaveAttribute("aria-setsize", String(MESSAGES));
  expect(await log.getByRole("article").count()).toBeLessThan(40);
  await expect(log).toHaveAttribute("aria-live", "polite");

  // Scrolling up moves the text by the wheel's distance, whatever the heights of messages above
  await log.hover();
  await firstVisible(page);
  const untilEnd = () =>
    log.evaluate((list) => list.scrollHeight - list.scrollTop - list.clientHeight);
  // Messages that are measured late grow in the frame of the wheel, above what is seen and below
  await log.evaluate((list) => {
    const grow = () => {
      const rows = [...list.querySelectorAll("article")];
      rows.at(0)?.style.setProperty("padding-top", "60px");
      rows.at(-1)?.style.setProperty("padding-bottom", "120px");
    };
    list.addEventListener("wheel", grow, { once: true, passive: true });
  });
  await page.mouse.wheel(0, -30);
  await expect.poll(untilEnd).toBeGreaterThan(20);
  await page.setViewportSize({ width: 1440, height: 880 });
  await firstVisible(page);
  expect(await untilEnd()).toBeGreaterThan(20);
  for (let step = 0; step < 40; step += 1) {
    const before = await firstVisible(page);
    await page.mouse.wheel(0, -150);
    await expect
      .poll(async () => Math.abs(((await topOf(page, before.place)) ?? 0) - before.top - 150))
      .toBeLessThan(3);
  }
  await expect(log).toHaveAttribute("aria-live", "off");
  const read = await firstVisible(page);
  await say(trader, chatId, "message-later", "ai", "Came later.");
  await expect(newest).not.toHaveAttribute("aria-setsize", String(MESSAGES));
  expect(await topOf(page, read.place)).toBeCloseTo(read.top, 0);

  await log.focus();
  await page.keyboard.press("Home");
  await expect(log.getByText("Question 1.")).toBeInViewport();
  await log.getByRole("button", { name: "Copy message" }).first().focus();
  await page.keyboard.press("End");
  await expect(log.getByText("Came later.")).toBeInViewport();
  await expect(log).toBeFocused();
  await expect(log).toHaveAttribute("aria-live", "polite");

  await page.keyboard.press("Control+f");
  await page.getByRole("searchbox", { name: "Search this chat" }).fill("question 7");
  await expect(page.getByText("6 found")).toBeVisible();
  await expect(log.getByText("Question 7.")).toBeVisible();
});

/** Gives pages a model, which answers with one word. */
async function useModel(context: BrowserContext): Promise<void> {
  await context.addInitScript((baseUrl) => {
    const value = { currentModel: "test-model", baseUrl, api: "chat-tools" };
    const stored = { version: 1, value: { ...value, keysHaveOrigins: true } };
    localStorage.setItem("ai-model", JSON.stringify(stored));
    localStorage.setItem(`ai_api_key/${new URL(baseUrl).origin}`, "sk-test");
  }, shared.ai.baseUrl);
  shared.ai.answer({ text: "Heard." });
}

test("who asks while reading far above sees the question and its answer", async ({
  page,
  context,
}) => {
  const trader = await createTrader(shared.product.url);
  const chatId = await addChat(trader, "Read above");
  for (let at = 1; at <= 6; at += 1) {
    await say(trader, chatId, `message-${at}`, "ai", `Row ${at}.\n\n${"- a point\n".repeat(20)}`);
  }
  await useModel(context);
  await openAs(page, trader, `${shared.product.url}/chat/${chatId}`);
  const log = page.getByRole("log");
  await expect(log.getByText("Row 6.")).toBeAttached();
  await log.focus();
  await page.keyboard.press("Home");
  await expect(log.getByText("Row 1.")).toBeInViewport();
  await page.getByRole("textbox", { name: "Message" }).fill("Asked from above");
  await page.keyboard.press("Enter");
  await expect(log.getByText("Asked from above")).toBeInViewport();
  await expect(log.getByText("Heard.")).toBeInViewport();
});

test("messages that two tabs send at the same moment are all stored and answered", async ({
  page,
  context,
}) => {
  const trader = await createTrader(shared.product.url);
  const chats = [await addChat(trader, "One"), await addChat(trader, "Two")];
  await useModel(context);
  const other = await context.newPage();
  await openAs(page, trader, `${shared.product.url}/chat/${chats[0]}`);
  await other.goto(`${shared.product.url}/chat/${chats[1]}`);
  for (let round = 1; round <= 4; round += 1) {
    const sends = [page, other].map(async (tab, at) => {
      const box = tab.getByRole("textbox", { name: "Message" });
      await box.fill(`Round ${round} of ${at}`);
      await expect(tab.getByRole("button", { name: "Send message" })).toBeEnabled();
      return box;
    });
    const boxes = await Promise.all(sends);
    await Promise.all(boxes.map((box) => box.press("Enter")));
    for (const tab of [page, other]) {
      await expect(tab.getByRole("log").getByText("Heard.")).toHaveCount(round);
      await expect(tab.getByRole("button", { name: "Send message" })).toBeVisible();
    }
  }
  for (const chatId of chats) {
    const path = `/api/chats/${chatId}/messages`;
    const contents = async () =>
      (await trader.call<{ content: string }[]>("GET", path)).map(({ content }) => content);
    await expect.poll(async () => (await contents()).length).toBe(8);
  }
});
