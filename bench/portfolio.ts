import { randomBytes } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import { openAs } from "../e2e/page.ts";
import { parseOwner } from "../src/domain/ids.ts";
import { seedBookedAgents } from "../test/seed-book.ts";
import { createTrader, type Trader } from "../test/trader.ts";
import { withDatabase } from "./bench-database.ts";
import { launchBrowser, type MainThread, watchMainThread } from "./browser.ts";
import { fixed, machineLoad, median, say } from "./figures.ts";
import { percentile } from "./http-load.ts";
import { withProduct } from "./with-product.ts";

const AGENTS = 100;
const DAYS = 365;
const TRADES_PER_DAY = 250 / DAYS;
const CALLS = 40;
const CALL_LIMIT_MS = 100;
const DRAW_LIMIT_MS = 200;

/** Returns the durations of sequential calls without the first few. */
async function timeCalls(call: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < CALLS + 5; at += 1) {
    const from = performance.now();
    await call();
    if (at >= 5) times.push(performance.now() - from);
  }
  return times;
}

interface Drawing {
  /** Time from the answer's last byte to the first frame with every agent, in milliseconds. */
  readonly wallMs: number;
  /** Main thread time since the click, in milliseconds. */
  readonly workedMs: number;
}

/** Opens the tab from another one. */
async function timeDrawing(page: Page, readMain: () => Promise<MainThread>): Promise<Drawing> {
  await page.getByRole("tab", { name: "Trade Log" }).click();
  await page.evaluate((count) => {
    performance.clearResourceTimings();
    const seen = new MutationObserver(() => {
      if (document.querySelectorAll("tbody tr").length < count) return;
      seen.disconnect();
      requestAnimationFrame(() => Object.assign(globalThis, { drawnAt: performance.now() }));
    });
    Object.assign(globalThis, { drawnAt: 0, clickedAt: performance.now() });
    seen.observe(document, { childList: true, subtree: true });
  }, AGENTS);
  const before = await readMain();
  await page.getByRole("tab", { name: "Portfolio" }).click();
  await page.waitForFunction(() => (globalThis as unknown as { drawnAt: number }).drawnAt > 0);
  const after = await readMain();
  const wallMs = await page.evaluate(() => {
    const { drawnAt, clickedAt } = globalThis as unknown as Record<"drawnAt" | "clickedAt", number>;
    const calls = performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("/portfolio"));
    const answered = (calls[0] as PerformanceResourceTiming | undefined)?.responseEnd ?? 0;
    // Cached data is drawn before the call returns
    return drawnAt - (answered > 0 && answered < drawnAt ? answered : clickedAt);
  });
  return { wallMs, workedMs: after.allMs - before.allMs };
}

/** Baseline: the same rows in a plain table. */
async function timeBareDrawing(browser: Browser, body: unknown): Promise<number> {
  const page = await browser.newPage();
  await page.goto("about:blank");
  const time = await page.evaluate(async (answer) => {
    const from = performance.now();
    const { networks } = answer as {
      networks: { agents: { agentName: string; value: string; spark: (number | null)[] }[] }[];
    };
    document.body.innerHTML = `<table>${networks
      .flatMap(({ agents }) => agents)
      .map(
        ({ agentName, value, spark }) => `<tr><td>${agentName}<td>${value}<td>${spark.join(" ")}`,
      )
      .join("")}</table>`;
    await new Promise(requestAnimationFrame);
    return performance.now() - from;
  }, body);
  await page.close();
  return time;
}

async function measure(url: string, trader: Trader, browser: Browser, entries: number) {
  const path = `/api/wallets/${trader.address}/portfolio?range=1y`;
  const body = await trader.call("GET", path);
  const calls = await timeCalls(() => trader.call("GET", path));
  const bare = await timeCalls(() =>
    trader.call("GET", `/api/wallets/${trader.address}/balances?network=practice`),
  );
  const sorted = calls.toSorted((a, b) => a - b);
  say(
    `portfolio of ${AGENTS} agents, a year, ${entries} entries: call median ${fixed(median(calls), 1)} ms, ` +
      `p95 ${fixed(percentile(sorted, 0.95), 1)} ms; the wallet's balances alone ${fixed(median(bare), 1)} ms`,
  );
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await openAs(page, trader, `${url}/?tab=trade-log`);
  const readMain = await watchMainThread(page.context(), page);
  const drawings: Drawing[] = [];
  for (let at = 0; at < 5; at += 1) drawings.push(await timeDrawing(page, readMain));
  const drawn = median(drawings.map(({ wallMs }) => wallMs));
  const worked = median(drawings.map(({ workedMs }) => workedMs));
  const plain = await timeBareDrawing(browser, body);
  say(
    `drawn ${fixed(drawn, 0)} ms after the answer or the click, first time ${fixed(drawings[0]?.wallMs ?? 0, 0)} ms, ` +
      `${fixed(worked, 0)} ms of processor time; a plain table of the rows ${fixed(plain, 0)} ms; load ${machineLoad()}`,
  );
  if (median(calls) > CALL_LIMIT_MS || worked > DRAW_LIMIT_MS) process.exitCode = 1;
}

const browser = await launchBrowser();
try {
  await withDatabase(async (databaseUrl, pool) => {
    const env = { DATABASE_URL: databaseUrl, SESSION_SECRET: randomBytes(32).toString("hex") };
    await withProduct(env, async (url) => {
      const trader = await createTrader(url);
      const seeded = await seedBookedAgents(pool, Date.now(), {
        owner: parseOwner(trader.address),
        network: "practice",
        count: AGENTS,
        days: DAYS,
        tradesPerDay: TRADES_PER_DAY,
      });
      const entries = seeded.reduce((sum, book) => sum + book.entries, 0);
      await measure(url, trader, browser, entries);
    });
  });
} finally {
  await browser.close();
}
