import { expect } from "@playwright/test";
import { createNewcomer } from "./page.ts";
import type { Product } from "./product.ts";
import { test } from "./running-product.ts";

let product: Product;

test.beforeAll(({ running }) => {
  ({ product } = running);
});

test("a plan is written as sentences, saved, read again and simulated", async ({ page }) => {
  const dialog = page.getByRole("dialog");
  const newcomer = createNewcomer(page, product.url);
  await newcomer.connectAndSignIn();
  await newcomer.openNewChat();
  await page.getByRole("button", { name: "Create agent" }).first().click();
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  await dialog.getByRole("button", { name: "Start from a template" }).click();
  await dialog.getByRole("button", { name: /^Use / }).first().click();

  const plan = dialog.getByRole("region", { name: "Plan for an open position" });
  // A starter has a plan of its own, which is written anew here
  await plan.getByRole("button", { name: "Delete stop" }).click();
  await plan.getByRole("button", { name: "Stop", exact: true }).focus();
  await page.keyboard.press("Enter");
  await plan.getByRole("button", { name: "Target", exact: true }).click();
  await plan.getByRole("button", { name: "Trailing", exact: true }).click();
  await plan.getByLabel("Target 1, % profit").fill("2");
  await plan.getByLabel("Stop, %", { exact: true }).fill("0");
  await expect(plan.getByRole("alert")).toHaveText("Choose 0.1 % to 50 %.");
  await plan.getByLabel("Stop, %", { exact: true }).fill("3");
  await expect(plan.getByRole("alert")).toBeHidden();

  // By keyboard and by hand, a level of the picture is its sentence's figure
  const level = plan.getByRole("slider", { name: "Stop, level" });
  await level.press("ArrowUp");
  await expect(level).toHaveAttribute(
    "aria-valuetext",
    "2.9 % on the losing side of the average entry",
  );
  await expect(plan.getByLabel("Stop, %", { exact: true })).toHaveValue("2.9");
  await level.hover();
  await page.mouse.down();
  const box = await level.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 60, { steps: 5 });
  await page.mouse.up();
  await expect(plan.getByLabel("Stop, %", { exact: true })).not.toHaveValue("2.9");

  // In multiples of the ATR of the market's own last bars, too
  const measuredIn = async (unit: string) => {
    await plan.getByRole("combobox", { name: "Stop measured in" }).click();
    await page.getByRole("option", { name: unit }).click();
  };
  await expect(plan.getByText(/, last \d+ closes; as if entered/)).toBeVisible();
  await measuredIn("times the ATR");
  await expect(level).toHaveAttribute("aria-valuetext", /^2 times the ATR of 14 bars, [\d.]+ % on/);
  await level.press("ArrowDown");
  await expect(plan.getByLabel("Stop, times the ATR", { exact: true })).toHaveValue("2.1");
  await measuredIn("of the price");
  await expect(plan.getByLabel("Stop, %", { exact: true })).toHaveValue("3");

  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  // Nothing is under way once the set-up lacks money, so that the page can be loaded again
  await expect(dialog.getByText("Insufficient Wallet Balance")).toBeVisible();
  await page.reload();
  await page.getByRole("tab", { name: "Simulate" }).click();
  await expect(page.getByText(/Stop|stop/).first()).toBeVisible();
});
