import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { shareFundedAgent } from "./funded-agent.ts";
import { findViolations } from "./accessibility.ts";
import { openAs } from "./page.ts";
import { test } from "./running-product.ts";

const shared = shareFundedAgent();

test.describe.configure({ mode: "default" });
test.use({ colorScheme: "dark" });

const chartOf = (page: Page) => page.getByRole("application", { name: "SOL/USD price chart" });
const summaryOf = (page: Page, text: RegExp | string) => chartOf(page).getByText(text);
const openChart = (page: Page) => page.getByRole("tab", { name: "Chart" }).click();

/** Returns the number of chart pixels in exactly that colour. */
function pixelsOf(page: Page, colour: string): Promise<number> {
  return chartOf(page).evaluate((chart, wanted) => {
    const probe = document.createElement("canvas").getContext("2d");
    if (!probe) return 0;
    probe.fillStyle = wanted;
    probe.fillRect(0, 0, 1, 1);
    const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
    let count = 0;
    for (const canvas of chart.querySelectorAll("canvas")) {
      const { width, height } = canvas;
      const data = width && height && canvas.getContext("2d")?.getImageData(0, 0, width, height);
      if (!data) continue;
      for (let at = 0; at < data.data.length; at += 4) {
        const [r, g, b, alpha] = data.data.subarray(at, at + 4);
        if (r === red && g === green && b === blue && alpha === 255) count += 1;
      }
    }
    return count;
  }, colour);
}

const CANDLE_UP = "#26a69a";
const tokenOf = (page: Page, name: string) =>
  page.evaluate(
    (token) => getComputedStyle(document.documentElement).getPropertyValue(token).trim(),
    name,
  );

test("a trade appears on its agent's chart, under the page's real policy", async ({ page }) => {
  const problems: string[] = [];
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(shared.product.url)) problems.push(request.url());
  });
  await openAs(page, shared.trader, `${shared.product.url}/chat/${shared.agent.chatId}`);
  await openChart(page);
  await expect(page.getByRole("heading", { name: "SOL/USD" })).toBeVisible();
  await expect(page.getByText("Practice market", { exact: true })).toBeVisible();
  await expect(summaryOf(page, /200 candles of 1 hour\. .* No trades\.$/)).toBeAttached();
  await expect.poll(() => pixelsOf(page, CANDLE_UP)).toBeGreaterThan(1000);
  const up = await tokenOf(page, "--up");
  expect(await pixelsOf(page, up)).toBe(0);

  expect((await shared.agent.fire("enter")).status).toBe(202);
  await expect(summaryOf(page, / 1 trade\.$/)).toBeAttached();
  await expect.poll(async () => (await shared.agent.log())[0]?.status).toBe("success");
  await expect(chartOf(page).getByText(/^BUY [\d.]+ at \$[\d.,]+$/)).toBeVisible();
  await expect.poll(() => pixelsOf(page, up)).toBeGreaterThan(20);
  const strip = page.getByRole("region", { name: "Chart" }).locator("header");
  await expect(strip).toContainText(/Pos: (?!0\.00)[\d.]+ SOL/);
  await expect(strip).toContainText(/P&L: [+−]?[\d.]+%/);
  await expect(strip).toContainText(/\$\d[\d,.]+$/);
  expect(problems).toEqual([]);
});

test("the user changes timeframe, chart type and comparison, and the tab remembers them", async ({
  page,
}) => {
  await page.goto(shared.product.url);
  await openChart(page);
  for (const [name, summary] of [
    ["30m", /300 candles of 30 minutes/],
    ["1h", /200 candles of 1 hour/],
    ["1W", /52 candles of 1 week/],
    ["1M", /120 candles of 1 month/],
    ["3M", /90 candles of 1 day/],
    ["1D", /365 candles of 1 day/],
    ["1h", /200 candles of 1 hour/],
  ] as const) {
    await page.getByRole("button", { name, exact: true }).click();
    await expect(summaryOf(page, summary)).toBeAttached();
  }
  await expect.poll(() => pixelsOf(page, CANDLE_UP)).toBeGreaterThan(500);

  for (const asset of ["BTC", "ADA"]) {
    await page.getByRole("button", { name: "Compare" }).click();
    await page.getByRole("menuitem", { name: asset }).click();
    await expect(chartOf(page).getByText(new RegExp(`^${asset} [+−][\\d.]+%$`))).toBeVisible();
  }
  await expect.poll(() => pixelsOf(page, "hsl(275, 80%, 68%)")).toBeGreaterThan(100);
  await page.getByRole("button", { name: "Compare" }).click();
  await expect(page.getByRole("menuitem")).toHaveText(["ETH", "DOT", "AVAX"]);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Line", exact: true }).click();
  await expect.poll(() => pixelsOf(page, CANDLE_UP)).toBe(0);

  await page.reload();
  await openChart(page);
  await expect(summaryOf(page, /200 candles of 1 hour.*Compared with BTC, ADA/)).toBeAttached();
  await expect(page.getByRole("button", { name: "Line", exact: true })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.getByRole("button", { name: "Remove BTC" }).click();
  await expect(summaryOf(page, /Compared with ADA\./)).toBeAttached();
});

test("the chart is read by keyboard, keeps its zoom on a refetch, and saves an image", async ({
  page,
}) => {
  await page.goto(shared.product.url);
  await openChart(page);
  await expect(summaryOf(page, /365 candles/)).toBeAttached();
  // The description appears before the chart's code has loaded, which handles the keys
  await expect.poll(() => pixelsOf(page, CANDLE_UP)).toBeGreaterThan(1000);
  const chart = chartOf(page);
  await page.getByRole("button", { name: "Save image" }).focus();
  await page.keyboard.press("Tab");
  await expect(chart).toBeFocused();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await expect(chart.locator("[aria-live]")).toHaveText(
    /^\d+ \w{3} \d{4}, open [\d.]+, high [\d.]+, low [\d.]+, close [\d.]+, [+−][\d.]+%, volume /,
  );
  await page.keyboard.press("Escape");
  for (let press = 0; press < 5; press += 1) await page.keyboard.press("+");

  const timeAxis = () =>
    chart.evaluate(async (element) => {
      // The effect of a key is drawn in the next frame
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      const all = [...element.querySelectorAll("tr:last-of-type canvas")] as HTMLCanvasElement[];
      return all.map((canvas) => canvas.toDataURL()).join();
    });
  let zoomed = "";
  const isAtRest = async () => {
    const before = zoomed;
    zoomed = await timeAxis();
    return zoomed === before;
  };
  await expect.poll(isAtRest).toBe(true);
  // Longer than the cache's stale time, so that returning to the page refetches
  await page.waitForTimeout(5_500);
  const answered = page.waitForResponse(/\/api\/candles/);
  await page.evaluate(() =>
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true })),
  );
  await answered;
  // By then an answer that resets the zoom would be visible
  await page.waitForTimeout(300);
  expect(await timeAxis()).toBe(zoomed);
  await page.keyboard.press("Alt+r");
  await expect.poll(timeAxis).not.toBe(zoomed);

  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save image" }).click();
  const download = await saved;
  expect(download.suggestedFilename()).toMatch(/^SOL-USD-1D-\d{4}-\d\d-\d\d\.png$/);
  const image = readFileSync(await download.path());
  expect(image.subarray(1, 4).toString()).toBe("PNG");
  expect(image.length).toBeGreaterThan(5_000);
});

test("theme and tab changes keep the existing chart", async ({ page }) => {
  await page.goto(shared.product.url);
  await openChart(page);
  await expect(summaryOf(page, /365 candles/)).toBeAttached();
  await expect.poll(() => pixelsOf(page, CANDLE_UP)).toBeGreaterThan(1000);
  await chartOf(page)
    .locator("canvas")
    .first()
    .evaluate((canvas) => (canvas.id = "first-made"));
  const grid = await tokenOf(page, "--hover");
  await expect.poll(() => pixelsOf(page, grid)).toBeGreaterThan(100);
  expect(await findViolations(page, '[aria-label="Chart"]')).toEqual([]);

  await page.getByRole("button", { name: "Use light theme" }).click();
  await expect.poll(() => pixelsOf(page, grid)).toBe(0);
  await expect
    .poll(async () => pixelsOf(page, await tokenOf(page, "--hover")))
    .toBeGreaterThan(100);
  expect(await findViolations(page, '[aria-label="Chart"]')).toEqual([]);

  await page.getByRole("tab", { name: "Portfolio" }).click();
  await expect(chartOf(page)).toBeHidden();
  await openChart(page);
  await expect(chartOf(page).locator("#first-made")).toHaveCount(1);
  await expect.poll(() => pixelsOf(page, CANDLE_UP)).toBeGreaterThan(1000);
});

test("without candles the chart says that its data is sample data, and recovers", async ({
  page,
}) => {
  let answer = () => {};
  const isSeen = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/candles*", async (route) => {
    await isSeen;
    await route.fulfill({ status: 503, json: { code: "unavailable", message: "down" } });
  });
  await page.goto(shared.product.url);
  await openChart(page);
  await expect(page.getByText("Loading chart...")).toBeVisible();
  answer();
  await expect(page.getByText("Failed to load chart data")).toBeVisible();
  await expect(page.getByText("Sample data - not market prices")).toBeVisible();
  expect(await findViolations(page, '[aria-label="Chart"]')).toEqual([]);
  await page.unroute("**/api/candles*");
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(summaryOf(page, /365 candles/)).toBeAttached();
  await expect(page.getByText("Sample data - not market prices")).toBeHidden();
  const oldPrice = page.getByTitle("Newer candles could not be loaded");
  await expect(oldPrice).toBeHidden();

  await page.route("**/api/candles*", (route) =>
    route.fulfill({ status: 503, json: { code: "unavailable", message: "down" } }),
  );
  await page.getByRole("button", { name: "1W", exact: true }).click();
  await expect(page.getByText("Failed to load chart data")).toBeVisible();
  await expect(oldPrice).toHaveText(/^\$\d+\.\d\d/);
});
