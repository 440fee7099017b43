import { expect, type Page } from "@playwright/test";
import type { Look } from "./look.ts";
import { approveInWallet } from "./page.ts";

/** Shows the wallet panel with exports, read tokens and notifications. */
export async function lookAtWalletMenu(
  page: Page,
  look: Look,
  close: () => Promise<void>,
): Promise<void> {
  const dialog = page.getByRole("dialog");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  // Uses a tab without controls, because targets half covered by a menu fail the check
  await page.getByRole("tab", { name: "Portfolio" }).click();
  await page.getByRole("banner").locator("[aria-haspopup=dialog]").last().click();
  await expect(button("Disconnect Wallet")).toBeVisible();
  await look("50-wallet-portfolio");
  await page.getByRole("tab", { name: "Activity" }).click();
  await look("51-wallet-activity");
  await dialog.getByRole("button", { name: "Export" }).click();
  await expect(dialog.getByRole("button", { name: "Download" })).toBeEnabled();
  await look("52-export");
  await dialog.getByLabel("From").fill("2026-11-22");
  await dialog.getByLabel("To, this day included").fill("2026-11-21");
  await expect(dialog.getByText("The last day is before the first.")).toBeVisible();
  await look("53-export-reversed");
  await close();
  await page.getByRole("banner").locator("[aria-haspopup=dialog]").last().click();
  await button("Read tokens").click();
  await expect(dialog.getByText("No tokens")).toBeVisible();
  await look("54-read-tokens");
  await dialog.getByLabel("Name").fill("Tax spreadsheet");
  await dialog.getByRole("button", { name: "Create" }).click();
  await approveInWallet(page);
  await expect(dialog.getByText("Copy it now. It is never shown again.")).toBeVisible();
  await look("55-read-token-made");
  await close();
  await page.getByRole("banner").locator("[aria-haspopup=dialog]").last().click();
  await page.route("**/api/notices", (route) => route.abort());
  await button("Notices").click();
  await expect(dialog.getByText(/^Your notices could not be loaded/)).toBeVisible();
  await look("56-notices-failed");
  await page.unroute("**/api/notices");
  await dialog.getByRole("button", { name: "Try again" }).click();
  await lookAtNotices(page, look);
}

/** Shows an e-mail address with an unsent code and an incomplete code. */
async function lookAtUnconfirmed(page: Page, look: Look): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Notices" });
  await dialog.getByRole("button", { name: "E-mail" }).click();
  await dialog.getByLabel("E-mail address").fill("owner@example.com");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await approveInWallet(page);
  const card = dialog.getByRole("article", { name: /^E-mail/ });
  await expect(card.getByText("The mail server could not be reached.")).toBeVisible();
  await card.getByLabel("Code from the mail").fill("123");
  await card.getByRole("button", { name: "Confirm" }).click();
  await expect(card.getByText("The code has 6 digits.")).toBeVisible();
  await page.mouse.move(0, 0);
  await expect(page.getByRole("button", { name: "Close notification" })).toHaveCount(0);
  await look("58-notices-unconfirmed");
}

/** Shows the notifications dialog without a channel, and with a webhook whose test failed. */
async function lookAtNotices(page: Page, look: Look): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Notices" });
  await expect(dialog.getByText("You are told nothing yet.")).toBeVisible();
  await look("56-notices-none");
  await dialog.getByRole("button", { name: "Webhook" }).click();
  await dialog.getByLabel("Address").fill("https://hooks.invalid/wheelhouse");
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await approveInWallet(page);
  await expect(dialog.getByText("It is shown only now.")).toBeVisible();
  await dialog.getByRole("switch", { name: "Quiet hours" }).click();
  await dialog.getByRole("button", { name: /^Send a test/ }).click();
  await expect(dialog.getByText("The name of the address was not found.").last()).toBeVisible();
  await dialog.getByRole("button", { name: /^What is sent/ }).click();
  // The toast closes by itself unless hovered
  await page.mouse.move(0, 0);
  await expect(page.getByRole("button", { name: "Close notification" })).toHaveCount(0);
  await look("57-notices");
  await lookAtUnconfirmed(page, look);
  await page.keyboard.press("Escape");
  await expect(dialog).toHaveCount(0);
}
