import { expect, type Page } from "@playwright/test";
import { pressAt, walkTo } from "./keyboard.ts";
import { approveInWallet, createNewcomer, pick } from "./page.ts";
import type { Product } from "./product.ts";
import { test } from "./running-product.ts";
import { findSoonClosing, type SoonClosing } from "./soon-closing.ts";
import { patient } from "../test/patient.ts";

let product: Product;

test.beforeAll(({ running }) => {
  ({ product } = running);
});

const dialogOf = (page: Page) => page.getByRole("dialog");

/** Selects an interval with a close soon and returns it. */
async function chooseSoonClosing(page: Page): Promise<SoonClosing> {
  const dialog = dialogOf(page);
  await dialog.getByRole("tab", { name: "Setup" }).click();
  await pick(page, "Time interval", "Custom interval");
  const soon = findSoonClosing(Date.now());
  await dialog.getByLabel("Custom interval number").fill(String(soon.minutes));
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  return soon;
}

test("a newcomer without a charting platform reaches a trade", async ({ page }) => {
  const dialog = dialogOf(page);
  const newcomer = createNewcomer(page, product.url);
  await newcomer.connectAndSignIn();
  await newcomer.takePracticeMoney();
  await newcomer.openNewChat();

  // A template is simulated before it is applied
  await page.getByRole("button", { name: "Create agent" }).first().click();
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  await dialog.getByRole("button", { name: "Start from a template" }).click();
  const starter = dialog.getByRole("listitem").filter({ hasText: "Averaging in" });
  await expect(starter.getByText(/90 days, practice market: \d+ trades/)).toBeVisible();
  await starter.getByRole("button", { name: "Use Averaging in" }).click();
  await dialog.getByRole("button", { name: "Edit condition of week begins" }).click();
  const first = dialog.getByRole("region", { name: "Condition of week begins" });
  await expect(first.getByText("Fires at 12:00 UTC, Mon")).toBeVisible();
  await expect(
    // Nearly three weeks: four hours of each have two Mondays instead of three
    first.getByText(/^Fired [23] times in the last 500 bars \(about once in (7|10) days\)/),
  ).toBeVisible();
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await newcomer.approveCustody();
  await newcomer.deposit("500");

  // No connection prompt appears
  await page.getByRole("tab", { name: "Portfolio" }).click();
  await expect(page.getByText("Waiting for your first condition to be met")).toBeVisible();
  await expect(page.getByText(/^The next bar closes/)).toBeVisible();
  await expect(page.getByText(/In TradingView, open your chart/)).toBeHidden();

  await page.getByRole("tab", { name: "Simulate" }).click();
  await expect(page.getByRole("heading", { name: "How far to believe it" })).toBeVisible();

  // The condition holds at the next close; the agent is on, so the wallet must confirm
  await page.getByRole("button", { name: "Configure agent" }).click();
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  await dialog.getByRole("button", { name: "Edit condition of week begins" }).click();
  await pick(page, "This alert fires when a bar closes and", "prices and indicators say so");
  await pick(page, "Figure, left of comparison 1", "close");
  await pick(page, "How comparison 1 compares", "is above");
  await first.getByLabel("Number, right of comparison 1").fill("0");
  await expect(first.getByText("Fires when close above 0")).toBeVisible();
  await expect(first.getByText(/^Fired 500 times in the last 500 bars/)).toBeVisible();
  const soon = await chooseSoonClosing(page);
  await expect(
    page.getByText(/by itself it fires, by 1 alert: the alert "week begins" when close above 0/),
  ).toBeVisible();
  await approveInWallet(page);
  await expect(page.getByText("Agent Updated")).toBeVisible();
  const waitMs = soon.closesAtMs - Date.now();
  expect(waitMs, "saved before the bar closed").toBeGreaterThan(0);
  test.setTimeout(patient(400_000 + waitMs));

  await page.getByRole("tab", { name: "Trade Log" }).click();
  await expect(page.getByRole("table").getByText("Open long")).toBeVisible({
    timeout: waitMs + 60_000,
  });
  await page.getByRole("button", { name: "Configure agent" }).click();
  await dialog.getByRole("tab", { name: "Signals" }).click();
  const received = dialog.getByRole("table", { name: "Received alerts" });
  await expect(received.getByText("Built-in condition")).toBeVisible();
  await expect(received.getByText(/^close above 0: \d/)).toBeVisible();
  await expect(received.getByText("open long: filled")).toBeVisible();

  // Covers the whole path from bar to fill
  await page.keyboard.press("Escape");
  const log = page.getByRole("table", { name: "Trade log" });
  await log
    .getByRole("row", { name: /Open long/ })
    .getByRole("button", { expanded: false })
    .click();
  await page.getByRole("button", { name: "Why this trade" }).click();
  const graph = page.getByRole("group", { name: "Graph of the decision" });
  await expect(graph.getByRole("button", { name: /Alert.*week begins/ })).toBeVisible();
  await expect(graph.getByRole("button", { name: /Outcome.*Filled/ })).toBeVisible();
});

test("a condition can be written by keyboard alone, and each error stands at its field", async ({
  page,
}) => {
  const dialog = dialogOf(page);
  const newcomer = createNewcomer(page, product.url);
  await newcomer.connectAndSignIn();
  await newcomer.openNewChat();
  const writes: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") writes.push(request.url());
  });

  await page.getByRole("button", { name: "Create agent" }).first().focus();
  await page.keyboard.press("Enter");
  await walkTo(page, "Setup");
  await page.keyboard.press("ArrowRight");
  await walkTo(page, "Alert name");
  await page.keyboard.type("dip");
  await pressAt(page, "Add a built-in condition to dip");
  const condition = dialog.getByRole("region", { name: "Condition of dip" });
  await walkTo(page, "period of RSI, left of comparison 1");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("501");
  const words = "RSI: period is a whole number from 2 to 500.";
  await expect(condition.getByRole("alert").getByText(words)).toBeVisible();
  await expect(condition.getByText(`Not finished: ${words}`)).toBeVisible();
  await expect(condition.getByText(/in the last \d+ bars/)).toHaveCount(0);
  await pressAt(page, "Create");
  // Shown beside the field, in the sentence, and as the reason that blocks creation
  await expect(page.getByText(words)).toHaveCount(3);
  await expect(dialog).toBeVisible();

  await walkTo(page, "period of RSI, left of comparison 1");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("7");
  await walkTo(page, "Number, right of comparison 1");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("-1.5");
  await expect(condition.getByText("Fires when RSI 7 crosses above -1.5")).toBeVisible();
  for (let count = 1; count < 4; count++) await pressAt(page, "And another comparison");
  await expect(condition.getByText("Four is the most one condition takes.")).toBeVisible();
  await expect(condition.getByText(/in the last 500 bars/)).toBeVisible();
  expect(writes.filter((url) => url.includes("/api/agents"))).toEqual([]);
});
