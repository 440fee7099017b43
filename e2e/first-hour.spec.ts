import { expect, type Locator, type Page } from "@playwright/test";
import { test } from "./running-product.ts";

/** Looks that the journey is filmed in. */
const LOOKS = [
  { name: "1440 dark", width: 1440, height: 900, theme: "dark" },
  { name: "390 light", width: 390, height: 844, theme: "light" },
] as const;

/** A visitor's hand: counts clicks and typed amounts, and keeps a picture of each step. */
function createHand(page: Page, folder: (name: string) => string) {
  let clicks = 0;
  let amounts = 0;
  let pictures = 0;
  return {
    counts: () => ({ clicks, amounts }),
    async click(target: Locator) {
      await target.click();
      clicks += 1;
    },
    async typeAmount(target: Locator, amount: string) {
      await target.fill(amount);
      amounts += 1;
    },
    async film(name: string) {
      pictures += 1;
      const number = String(pictures).padStart(2, "0");
      await page.screenshot({ path: folder(`${number}-${name}.png`) });
    },
  };
}

for (const { name, width, height, theme } of LOOKS) {
  test(`the first hour of a newcomer, filmed at ${name}`, async ({ page, running }, info) => {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme: theme });
    const hand = createHand(page, (file) => info.outputPath(file));
    const button = (label: string | RegExp) =>
      page.getByRole("button", { name: label, exact: true });
    const dialog = page.getByRole("dialog");
    const approve = () => hand.click(button("Approve"));

    await page.goto(running.product.url);
    await expect(page.getByRole("list", { name: "Last trades of the sample agent" })).toBeVisible();
    await hand.film("first-page");
    await hand.click(button("Connect wallet").first());
    await hand.click(page.getByRole("menuitem", { name: /Practice wallet/ }));
    await approve();
    await hand.click(button("Sign in").first());
    await approve();
    await hand.click(button("Get practice money"));
    await expect(page.getByText("Practice money received")).toBeVisible();
    await hand.film("practice-money");

    await hand.click(button("Create agent").first());
    await hand.click(dialog.getByRole("tab", { name: /Alerts/ }));
    await hand.click(dialog.getByRole("button", { name: "Start from a template" }));
    const starter = dialog.getByRole("listitem").filter({ hasText: "Trend following" });
    await expect(starter.getByText(/^Trades about/)).toBeVisible();
    await hand.film("starters");
    await hand.click(starter.getByRole("button", { name: "Use Trend following" }));
    await hand.click(dialog.getByRole("button", { name: "Create", exact: true }));
    await expect(dialog.getByText(/Transaction 1 of 1/)).toBeVisible();
    await hand.click(button("Approve in Practice wallet"));
    await approve();
    await hand.typeAmount(dialog.getByLabel("USDC amount"), "500");
    await hand.click(dialog.getByRole("button", { name: /^Deposit/ }));
    await approve();
    await hand.click(button("Approve in Practice wallet"));
    await approve();
    await expect(page.getByText("Deposit successful")).toBeVisible();

    // The countdown and the figures of the next bar
    await hand.click(page.getByRole("tab", { name: "Portfolio" }));
    await expect(
      page.getByText(/^EMA 20 [\d.]+, fires on a cross above EMA 50 \([\d.]+\)$/),
    ).toBeVisible();
    await expect(page.getByRole("timer")).toHaveText(/^(\d+:)?\d\d:\d\d$/);
    await page.getByRole("timer").scrollIntoViewIfNeeded();
    await hand.film("next-decision");
    await hand.click(button("Watch last week"));
    await expect(page.getByText(/^This agent's last seven days on SOL, simulated: /)).toBeVisible();
    await hand.film("last-week");

    info.annotations.push({ type: "counted", description: JSON.stringify(hand.counts()) });
    console.log(name, hand.counts());
  });
}
