import { expect, type Page } from "@playwright/test";
import type { Look } from "./look.ts";

/** Shows the owner's limits with one out of range, and an unreadable health line. */
export async function lookAtLimits(page: Page, look: Look): Promise<void> {
  await page.route("**/api/agents/*/status", (route) => route.abort());
  await page.getByRole("tab", { name: "Manage Funds" }).click();
  await page.reload();
  await expect(page.getByText(/^Health could not be read/)).toBeVisible();
  await page.getByLabel("Largest loss a day").fill("50");
  const refuse = async () => {
    await page.getByRole("button", { name: "Save limits" }).click();
    await expect(page.getByText("From 0.1% to 10%, or empty for no limit.")).toBeVisible();
  };
  await refuse();
  await look("44-limits-wrong", { again: refuse });
  await page.unroute("**/api/agents/*/status");
}

/** Shows the confirmation for stopping every agent, and a failed stop. */
export async function lookAtStopAll(page: Page, look: Look): Promise<void> {
  await page.getByRole("tab", { name: "Portfolio" }).click();
  await page.route("**/api/agents/*/trading-status", (route) => route.abort());
  await page.getByRole("button", { name: "Stop all agents" }).click();
  await expect(page.getByRole("alertdialog", { name: "Stop 1 agent?" })).toBeVisible();
  await look("45-stop-all");
  await page.getByRole("button", { name: "Stop all", exact: true }).click();
  const progress = page.getByRole("dialog", { name: "Some did not stop" });
  await expect(progress.getByText("Not stopped")).toBeVisible();
  await look("45-stop-all-failed");
  await page.unroute("**/api/agents/*/trading-status");
  await page.keyboard.press("Escape");
  await expect(progress).toHaveCount(0);
}
