import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import type { AlertCondition } from "../src/domain/condition/condition.ts";
import { findViolations } from "./accessibility.ts";
import { shareFundedAgent } from "./funded-agent.ts";
import { openAs } from "./page.ts";

const shared = shareFundedAgent();

test.describe.configure({ mode: "default" });

const rsi = { kind: "indicator", name: "RSI", output: "value", parameters: [14] } as const;
const CONDITIONS: Readonly<Record<string, AlertCondition>> = {
  enter: {
    kind: "comparisons",
    all: [{ left: rsi, is: "crosses-below", right: { kind: "number", value: 35 } }],
  },
  exit: {
    kind: "comparisons",
    all: [{ left: rsi, is: "crosses-above", right: { kind: "number", value: 60 } }],
  },
};

async function openSimulation(page: Page): Promise<void> {
  const { product, trader, agent } = shared;
  await openAs(page, trader, `${product.url}/chat/${agent.chatId}`);
  await page.getByRole("tab", { name: "Simulate" }).click();
}

test("an agent without conditions says what it needs, then one with them is simulated", async ({
  page,
}) => {
  const { trader, agent } = shared;
  await openSimulation(page);
  await expect(page.getByText("None of its alerts has a condition")).toBeVisible();

  for (const [name, condition] of Object.entries(CONDITIONS)) {
    await trader.call("PUT", `/api/alerts/${agent.botId}/${name}`, { name, condition });
  }
  await page.reload();
  await expect(page.getByRole("heading", { name: "How far to believe it" })).toBeVisible();
  await expect(
    page.getByText(/trades? (is|are) too few|Drawn anew from the same trades/).first(),
  ).toBeVisible();
  await expect(page.getByText("The practice market is made up")).toBeVisible();
  const hash = page.locator("code");
  const before = await hash.textContent();
  expect(before).toMatch(/^[0-9a-f]{64}$/);

  // Choosing a trade takes the chart there
  const trades = page.getByRole("table").filter({ hasText: "Entry" });
  await trades.getByRole("button").first().click();
  await page.getByRole("button", { name: "Show the whole run" }).click();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "JSON" }).click();
  const saved = JSON.parse(readFileSync(await (await download).path(), "utf8")) as {
    inputHash: string;
    run: { trades: unknown[]; startMoney: string };
  };
  expect(saved.inputHash).toBe(before);
  expect(saved.run.startMoney).toBe("1000000000");
  expect(saved.run.trades.length).toBeGreaterThan(10);

  await page.getByLabel(/^Money at the start/).fill("nothing");
  await page.getByRole("button", { name: "Run with these" }).click();
  await expect(page.getByText("An amount above zero")).toBeVisible();
  await page.getByLabel(/^Money at the start/).fill("2000");
  await page.getByLabel("Fee, %").fill("1");
  await page.getByRole("button", { name: "Run with these" }).click();
  await expect(hash).not.toHaveText(before ?? "");
  await expect(page.getByText("Costs took")).toBeVisible();
  expect(await findViolations(page, '[role="tabpanel"]')).toEqual([]);
  // Nothing sticks out on a phone; the other theme has colours of its own
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findViolations(page, '[role="tabpanel"]')).toEqual([]);
  const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(isWider).toBe(false);
});

test("a grid runs beside the page and can be cancelled", async ({ page }) => {
  await openSimulation(page);
  const run = page.getByRole("button", { name: /^Run \d+ variants$/ });
  await run.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await expect(run).toBeVisible();
  await run.click();
  await expect(page.getByText(/^\d+ of \d+ variants gained\./)).toBeVisible();
  await expect(page.getByText(/After \d+ variants tried|variants gained/).first()).toBeVisible();
});
