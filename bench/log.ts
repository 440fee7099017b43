import { randomBytes } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import type { Pool } from "pg";
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
import { fixed, say } from "./figures.ts";
import { percentile } from "./http-load.ts";
import { withProduct } from "./with-product.ts";

const ROWS = 10_000;
const LIMIT_MS = 50;
const VIEWPORT = { width: 1440, height: 900 };
/** Turns of the wheel, some a notch, some a swing. */
const WHEEL_STEPS = 150;
const ROW_PX = 48;

interface Scrolled {
  /** Time between one frame and the next, in milliseconds. */
  readonly frames: readonly number[];
  readonly longFrames: readonly LongFrame[];
  /** Longest task of the main thread in processor time, which excludes other programs, in milliseconds. */
  readonly longestTaskMs: number;
}

/** Scrolls with small and large steps in both directions, then drags to the end. */
async function scroll(browser: Browser, page: Page, selector: string): Promise<Scrolled> {
  await page.locator(selector).hover();
  await page.waitForTimeout(500);
  await takeLongFrames(page);
  await browser.startTracing(page, { categories: ["toplevel"] });
  await page.evaluate(() => {
    const frames: number[] = [];
    let last = performance.now();
    const step = (now: number) => {
      frames.push(now - last);
      last = now;
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
    Object.assign(globalThis, { frames });
  });
  for (let at = 0; at < WHEEL_STEPS; at += 1) {
    const sign = at % 5 === 4 ? -1 : 1;
    await page.mouse.wheel(0, sign * (at % 2 === 0 ? 120 : 2_400));
    await page.waitForTimeout(16);
  }
  await page.evaluate(async (query) => {
    const box = document.querySelector(query);
    if (!box) throw new Error(`Nothing at ${query}.`);
    for (let at = 0; at <= 120; at += 1) {
      box.scrollTop = (box.scrollHeight * at) / 120;
      await new Promise(requestAnimationFrame);
    }
  }, selector);
  await page.waitForTimeout(300);
  const frames = await page.evaluate(() =>
    (globalThis as unknown as { frames: number[] }).frames.splice(0),
  );
  const longFrames = await takeLongFrames(page);
  const longestTaskMs = longestMainTask(await browser.stopTracing());
  return { frames: frames.slice(1), longFrames, longestTaskMs };
}

/** Baseline: the same number of plain text lines. */
async function measureBare(browser: Browser): Promise<Scrolled> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await noteLongFrames(page);
  await page.goto("about:blank");
  const lines = "SOL-PERP 2.5 100% market long Open long 21 Nov 2026\n".repeat(ROWS);
  const style = `height:700px;overflow-y:auto;line-height:${ROW_PX}px`;
  await page.setContent(`<pre id="list" style="${style}">${lines}</pre>`);
  const scrolled = await scroll(browser, page, "#list");
  await page.close();
  return scrolled;
}

/** Inserts trades into the log, one per minute. */
async function writeTrades(pool: Pool, botId: string, chatId: string): Promise<void> {
  const ids = Array.from({ length: ROWS }, () => randomBytes(16).toString("hex"));
  await pool.query(
    `insert into trade_log (id, agent_id, chat_id, market, signal, type, side, status, base_size, base_decimals,
       percentage, quote_total, quote_decimals, price, fee, at)
     select id, $2, $3, 'SOL-PERP', case when n % 2 = 0 then 'OPEN_LONG' else 'CLOSE_LONG' end, 'market',
       case when n % 2 = 0 then 'long' else 'sell' end, 'success', '2500000000', 9, 100, '350000000', 6, '140000000',
       '350000', now() - n * interval '1 minute'
     from unnest($1::text[]) with ordinality as made (id, n)`,
    [ids, botId, chatId],
  );
}

async function measureProduct(
  browser: Browser,
  databaseUrl: string,
  pool: Pool,
): Promise<Scrolled> {
  let scrolled: Scrolled | undefined;
  const secret = randomBytes(32).toString("hex");
  await withProduct({ DATABASE_URL: databaseUrl, SESSION_SECRET: secret }, async (url) => {
    const trader = await createTrader(url);
    await trader.takePracticeMoney("5", "1000");
    const agent = await trader.createAgent("Agent ** SOL-1h");
    await writeTrades(pool, agent.botId, agent.chatId);
    const page = await browser.newPage({ viewport: VIEWPORT });
    await noteLongFrames(page);
    await openAs(page, trader, `${url}/chat/${agent.chatId}?tab=trade-log`);
    await page.locator(`table[aria-rowcount="${ROWS + 1}"]`).waitFor();
    scrolled = await scroll(browser, page, '[aria-label="Trade log entries"]');
    await page.locator(`tr[aria-rowindex="${ROWS + 1}"]`).waitFor();
  });
  if (scrolled === undefined) throw new Error("Nothing was measured.");
  return scrolled;
}

function describe({ frames, longFrames, longestTaskMs }: Scrolled): string {
  const sorted = [...frames].sort((a, b) => a - b);
  const worst = Math.max(0, ...longFrames.map(({ durationMs }) => durationMs));
  return (
    `${longFrames.length} frames of ${LIMIT_MS} ms or more (longest ${fixed(worst, 0)} ms), ` +
    `longest task ${fixed(longestTaskMs, 0)} ms of processor time, ` +
    `p50 ${fixed(percentile(sorted, 0.5), 0)} ms, p99 ${fixed(percentile(sorted, 0.99), 0)} ms`
  );
}

const browser = await launchBrowser();
try {
  const bare = await measureBare(browser);
  await withDatabase(async (url, pool) => {
    const product = await measureProduct(browser, url, pool);
    say(`trade log of ${ROWS} rows, scrolled: ${describe(product)}; bare list: ${describe(bare)}`);
    for (const { durationMs, scripts } of product.longFrames) {
      say(`  ${fixed(durationMs, 0)} ms: ${scripts.join(", ")}`);
    }
    if (product.longFrames.length > 0) process.exitCode = 1;
  });
} finally {
  await browser.close();
}
