import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "@playwright/test";
import { openAs } from "../e2e/page.ts";
import { createTrader } from "../test/trader.ts";
import { launchBrowser } from "./browser.ts";
import { fixed, machineLoad, say } from "./figures.ts";
import { type LoopFigures, measureLoops } from "./simulate-loop.ts";
import { withProduct } from "./with-product.ts";

const GOAL_RATIO = 0.5;
const FIRST_RESULT_MS = 200;
const FRAME_MS = 50;

const million = (figure: number) => `${fixed(figure / 1e6)} million`;

function report(where: string, { simulated, bare, trades }: LoopFigures): boolean {
  const ratio = simulated / bare;
  say(
    `${where}: ${million(simulated)} bars a second with 10 indicators, bare ${million(bare)}, ${fixed(ratio)}x (goal: at least ${GOAL_RATIO}x); ${trades} trades`,
  );
  return ratio >= GOAL_RATIO;
}

/** Runs the loops in a worker of a page that has nothing else. */
async function measureInChromium(browser: Browser): Promise<LoopFigures> {
  const script = readFileSync(
    join(import.meta.dirname, "../bench-page/simulate-thread.js"),
    "utf8",
  );
  const page = await browser.newPage();
  const figures = await page.evaluate(
    (code) =>
      new Promise<LoopFigures>((resolve, reject) => {
        const worker = new Worker(
          URL.createObjectURL(new Blob([code], { type: "text/javascript" })),
        );
        worker.addEventListener("message", ({ data }: MessageEvent<LoopFigures>) => resolve(data));
        worker.addEventListener("error", ({ message }) => reject(new Error(message)));
      }),
    script,
  );
  await page.close();
  return figures;
}

const rsi = { kind: "indicator", name: "RSI", output: "value", parameters: [14] };
const CONDITIONS = [
  ["enter", "crosses-below", 35],
  ["exit", "crosses-above", 60],
] as const;

/** Measures the product: re-simulating a year of 1-hour bars with other costs, and a grid of 400 while counting frames. */
async function measurePage(browser: Browser, url: string): Promise<boolean> {
  const trader = await createTrader(url);
  await trader.takePracticeMoney("5", "1000");
  const agent = await trader.createAgent("Bench ** SOL-1h");
  for (const [name, is, value] of CONDITIONS) {
    const all = [{ left: rsi, is, right: { kind: "number", value } }];
    const condition = { kind: "comparisons", all };
    await trader.call("PUT", `/api/alerts/${agent.botId}/${name}`, { name, condition });
  }
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await openAs(page, trader, `${url}/chat/${agent.chatId}?tab=simulation`);
  const hash = page.locator("code");
  await hash.waitFor();
  const times: number[] = [];
  for (const money of ["1100", "1200", "1300", "1400", "1500"]) {
    await page.getByLabel(/^Money at the start/).fill(money);
    times.push(
      await page.evaluate(async () => {
        const shown = () => document.querySelector("code")?.textContent;
        const before = shown();
        const startedAt = performance.now();
        const buttons = [...document.querySelectorAll("button")];
        buttons.find(({ textContent }) => textContent === "Run with these")?.click();
        while (shown() === before) {
          await new Promise(requestAnimationFrame);
          if (performance.now() - startedAt > 60_000) throw new Error("Nothing was drawn");
        }
        return performance.now() - startedAt;
      }),
    );
  }
  const first = Math.min(...times);
  say(
    `a year of 1-hour bars, from the click to the drawn result: ${times.map((ms) => fixed(ms, 0)).join(", ")} ms (goal: at most ${FIRST_RESULT_MS})`,
  );
  const grid = await page.evaluate(async () => {
    const button = [...document.querySelectorAll("button")].find(({ textContent }) =>
      /^Run \d+ variants$/.test(textContent ?? ""),
    );
    const frames: number[] = [];
    let last = performance.now();
    const startedAt = last;
    button?.click();
    while (!/variants gained/.test(document.body.textContent ?? "")) {
      const now = await new Promise<number>(requestAnimationFrame);
      frames.push(now - last);
      last = now;
    }
    return { ms: performance.now() - startedAt, frames, cores: navigator.hardwareConcurrency };
  });
  const slow = grid.frames.filter((ms) => ms >= FRAME_MS).length;
  const sorted = grid.frames.toSorted((a, b) => a - b);
  say(
    `grid of 400 on ${grid.cores} cores: ${fixed(grid.ms / 1_000)} s; frames: median ${fixed(sorted[Math.floor(sorted.length / 2)] ?? 0, 1)} ms, ${slow} of ${sorted.length} took ${FRAME_MS} ms or more`,
  );
  await page.close();
  return first <= FIRST_RESULT_MS;
}

const browser = await launchBrowser();
try {
  say(`load ${machineLoad()}`);
  let reached = report("Node", measureLoops());
  reached = report("a worker in Chromium", await measureInChromium(browser)) && reached;
  await withProduct({}, async (url) => {
    reached = (await measurePage(browser, url)) && reached;
  });
  say(`load ${machineLoad()}`);
  if (!reached) process.exitCode = 1;
} finally {
  await browser.close();
}
