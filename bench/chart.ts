import { join } from "node:path";
import { chromium } from "@playwright/test";
import { findBrowser } from "../scripts/browser.mjs";
import { percentile } from "./http-load.ts";

const PAGE = join(import.meta.dirname, "../bench-page/chart-page.js");
const CANDLES = 10_000;
const TRADES = 1_000;
const ROUNDS = 15;
const LIMIT = 1.3;

interface Took {
  readonly product: number[];
  readonly bare: number[];
}

const median = (values: readonly number[]) =>
  percentile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

const executablePath = findBrowser(process.env);
const browser = await chromium.launch({
  ...(executablePath === undefined ? {} : { executablePath }),
  // Frames come as fast as they are drawn, so waiting for a screen's rhythm is not measured
  args: ["--no-sandbox", "--disable-gpu", "--disable-gpu-vsync", "--disable-frame-rate-limit"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
  await page.setContent("<!doctype html><body></body>");
  await page.addScriptTag({ path: PAGE });
  const took = await page.evaluate(
    ([candles, trades, rounds]) => {
      const { compareCharts } = globalThis as unknown as {
        compareCharts(candles: number, trades: number, rounds: number): Promise<Took>;
      };
      return compareCharts(candles, trades, rounds);
    },
    [CANDLES, TRADES, ROUNDS] as const,
  );
  const [product, bare] = [median(took.product), median(took.bare)];
  const ratio = product / bare;
  process.stdout.write(
    `chart of ${CANDLES} candles, volume and ${TRADES} trades: ${product.toFixed(0)} ms against ` +
      `${bare.toFixed(0)} ms of the bare library (${ratio.toFixed(2)}x of at most ${LIMIT}x)\n`,
  );
  if (ratio > LIMIT) process.exitCode = 1;
} finally {
  await browser.close();
}
