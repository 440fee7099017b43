import type { Browser, Page } from "@playwright/test";
import type { Pool } from "pg";
import { randomBytes } from "node:crypto";
import { loadavg } from "node:os";
import { openAs } from "../e2e/page.ts";
import { createTrader } from "../test/trader.ts";
import { withDatabase } from "./bench-database.ts";
import {
  launchBrowser,
  longestMainTask,
  type LongFrame,
  noteLongFrames,
  takeLongFrames,
} from "./browser.ts";
import { fixed, median, say } from "./figures.ts";
import { longAnswer } from "./long-answer.ts";
import { withProduct } from "./with-product.ts";

const MESSAGES = 2_000;
const OPEN_LIMIT_MS = 300;
const TASK_LIMIT_MS = 50;
const ROUNDS = 5;
const VIEWPORT = { width: 1440, height: 900 };
/** Turns of the wheel back through the history, some a notch, some a swing. */
const WHEEL_STEPS = 150;
const NEWEST = "This is the newest message.";
const LIST = '[aria-label="Messages"]';

interface Opened {
  /** Time from the click on the chat to the frame with its newest message, in milliseconds. */
  readonly shownMs: number;
  /** Longest task of the main thread in processor time, which excludes other programs, in milliseconds. */
  readonly longestTaskMs: number;
}

/** Questions of a line and answers with headings, lists, tables and code, of 100 to 500 tokens. */
async function writeMessages(pool: Pool, chatId: string): Promise<void> {
  const contents = Array.from({ length: MESSAGES }, (_, at) => {
    if (at === MESSAGES - 1) return NEWEST;
    return at % 2 === 0 ? `What moved SOL, part ${at}?` : longAnswer(100 + ((at * 37) % 400));
  });
  await pool.query(
    `insert into messages (chat_id, id, type, content, sent_at)
     select $1, 'message-' || n, case when n % 2 = 1 then 'user' else 'ai' end, content, now() - ($3 - n) * interval '1 minute'
     from unnest($2::text[]) with ordinality as made (content, n)`,
    [chatId, contents, MESSAGES],
  );
}

/** Clicks a chat of the rail and waits for the frame with a text. */
function timeOpening(page: Page, chat: string, text: string): Promise<number> {
  return page.evaluate(
    async ([name, wanted]) => {
      const button = document.querySelector<HTMLElement>(`nav button[aria-label="${name}"]`);
      if (!button) throw new Error(`No chat ${name}.`);
      const startMs = performance.now();
      button.click();
      for (;;) {
        await new Promise(requestAnimationFrame);
        const last = [...document.querySelectorAll(`[aria-label="Messages"] article`)].at(-1);
        if (last?.textContent?.includes(wanted)) break;
      }
      await new Promise<void>((resolve) => {
        const channel = new MessageChannel();
        channel.port1.addEventListener("message", () => resolve(), { once: true });
        channel.port1.start();
        // The first task after the frame
        requestAnimationFrame(() => channel.port2.postMessage(null));
      });
      return performance.now() - startMs;
    },
    [chat, text] as const,
  );
}

async function open(browser: Browser, page: Page): Promise<Opened> {
  await timeOpening(page, "Short", "Hello.");
  await page.waitForTimeout(500);
  await browser.startTracing(page, { categories: ["toplevel"] });
  const shownMs = await timeOpening(page, "Long", NEWEST);
  await page.waitForTimeout(500);
  return { shownMs, longestTaskMs: longestMainTask(await browser.stopTracing()) };
}

interface Scrolled {
  readonly longFrames: readonly LongFrame[];
  readonly longestTaskMs: number;
}

/** Scrolls back through the history with a wheel, then drags to its beginning. */
async function scroll(browser: Browser, page: Page): Promise<Scrolled> {
  await page.locator(LIST).hover();
  await takeLongFrames(page);
  await browser.startTracing(page, { categories: ["toplevel"] });
  for (let at = 0; at < WHEEL_STEPS; at += 1) {
    const sign = at % 5 === 4 ? 1 : -1;
    await page.mouse.wheel(0, sign * (at % 2 === 0 ? 120 : 2_400));
    await page.waitForTimeout(16);
  }
  await page.evaluate(async (query) => {
    const box = document.querySelector(query);
    if (!box) throw new Error(`Nothing at ${query}.`);
    const from = box.scrollTop;
    for (let at = 120; at >= 0; at -= 1) {
      box.scrollTop = (from * at) / 120;
      await new Promise(requestAnimationFrame);
    }
  }, LIST);
  // Messages that were not loaded yet come in front of what is read; this key goes on to the first
  await page.locator(LIST).press("Home");
  await page.getByText("What moved SOL, part 0?").waitFor();
  const longestTaskMs = longestMainTask(await browser.stopTracing());
  return { longFrames: await takeLongFrames(page), longestTaskMs };
}

async function measure(browser: Browser, databaseUrl: string, pool: Pool) {
  const opened: Opened[] = [];
  let scrolled: Scrolled | undefined;
  let elementCount = 0;
  const secret = randomBytes(32).toString("hex");
  await withProduct({ DATABASE_URL: databaseUrl, SESSION_SECRET: secret }, async (url) => {
    const trader = await createTrader(url);
    const addChat = async (title: string) => {
      const body = { title, walletAddress: trader.address };
      return (await trader.call<{ _id: string }>("POST", "/api/chats/add-chat", body))._id;
    };
    await writeMessages(pool, await addChat("Long"));
    const short = await addChat("Short");
    const timestamp = "2026-11-21T08:00:00.000Z";
    const message = { _id: "message-0001", type: "ai", content: "Hello.", timestamp };
    await trader.call("POST", `/api/chats/${short}/messages`, message);
    const page = await browser.newPage({ viewport: VIEWPORT });
    await noteLongFrames(page);
    for (let round = 0; round < ROUNDS; round += 1) {
      // A freshly loaded page has no cached chat
      if (round === 0) await openAs(page, trader, `${url}/chat/${short}`);
      else await page.goto(`${url}/chat/${short}`);
      await page.getByRole("log").getByText("Hello.").waitFor();
      opened.push(await open(browser, page));
    }
    elementCount = await page.evaluate(() => document.querySelectorAll("*").length);
    scrolled = await scroll(browser, page);
  });
  if (scrolled === undefined) throw new Error("Nothing was measured.");
  return { opened, scrolled, elementCount };
}

const browser = await launchBrowser();
try {
  await withDatabase(async (url, pool) => {
    const { opened, scrolled, elementCount } = await measure(browser, url, pool);
    const shown = median(opened.map(({ shownMs }) => shownMs));
    const task = Math.max(...opened.map(({ longestTaskMs }) => longestTaskMs));
    const frame = Math.max(0, ...scrolled.longFrames.map(({ durationMs }) => durationMs));
    say(
      `chat of ${MESSAGES} messages, newest shown after ${fixed(shown, 0)} ms ` +
        `(${opened.map(({ shownMs }) => fixed(shownMs, 0)).join(", ")}), longest task ${fixed(task, 0)} ms ` +
        `of processor time, ${elementCount} elements on the page`,
    );
    say(
      `scrolled to its beginning: ${scrolled.longFrames.length} frames of ${TASK_LIMIT_MS} ms or more ` +
        `(longest ${fixed(frame, 0)} ms), longest task ${fixed(scrolled.longestTaskMs, 0)} ms of processor time; ` +
        `load of the machine ${loadavg()
          .map((load) => fixed(load, 1))
          .join(", ")}`,
    );
    const longest5 = [...scrolled.longFrames]
      .sort((a, b) => b.durationMs - a.durationMs)
      .slice(0, 5);
    for (const { durationMs, scripts } of longest5) {
      say(`  ${fixed(durationMs, 0)} ms: ${scripts.join(", ")}`);
    }
    const longest = Math.max(task, scrolled.longestTaskMs);
    if (shown > OPEN_LIMIT_MS || longest > TASK_LIMIT_MS) process.exitCode = 1;
  });
} finally {
  await browser.close();
}
