import { secondsAgo } from "../test/trader.ts";
import { execFileSync } from "node:child_process";
import { expect, type Page } from "@playwright/test";
import { getPosition } from "../src/contract/trade.ts";
import { WITH_MOTION } from "./motion.ts";
import { approveInWallet, createNewcomer } from "./page.ts";
import type { Product } from "./product.ts";
import { test } from "./running-product.ts";

test.use(WITH_MOTION);

let product: Product;

test.beforeAll(({ running }) => {
  ({ product } = running);
});

function sendWithCurl(address: string, body: string): string {
  return execFileSync(
    "curl",
    ["-sS", "--retry", "5", "-H", "content-type: application/json", "-d", body, address],
    { encoding: "utf8" },
  );
}

/** Takes the page's polls of the header's figures away: only a notice of the server brings new ones then. */
const withoutPolls = (page: Page) =>
  page.addInitScript((pollMs) => {
    const every = globalThis.setInterval;
    const never = (run: TimerHandler, ms?: number) => (ms === pollMs ? 0 : every(run, ms));
    Object.assign(globalThis, { setInterval: never });
  }, getPosition.pollMs);

test("a new user goes from an empty browser to an open and closed position", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await withoutPolls(page);
  const newcomer = createNewcomer(page, product.url);
  await newcomer.connectAndSignIn();
  await newcomer.takePracticeMoney();
  await newcomer.openNewChat();
  await newcomer.createAgent();
  await newcomer.approveCustody();
  await newcomer.deposit("500");
  const figure = (text: RegExp) =>
    page.getByRole("banner").getByText(text).filter({ visible: true });
  await expect(figure(/Account: \$500\.00/)).toBeVisible();

  await page.getByRole("button", { name: "Configure agent" }).click();
  const dialog = page.getByRole("dialog");
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const copy = async (label: string, wanted: RegExp) => {
    await dialog.getByRole("button", { name: label }).click();
    await expect.poll(clipboard).toMatch(wanted);
    return clipboard();
  };
  const address = await copy("Copy webhook URL", /\/webhook\/[0-9a-f]{32}$/);
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  await dialog.getByRole("button", { name: "Show alert texts" }).click();
  await approveInWallet(page);
  const openText = await copy("Copy alert action of Breakout", /"Breakout"/);
  const closeText = await copy("Copy alert action of Exit", /"Exit"/);
  await dialog.getByRole("button", { name: "Cancel" }).click();

  expect(sendWithCurl(address, openText.replace("{{timenow}}", secondsAgo(0)))).toContain(
    "accepted",
  );
  await page.getByRole("tab", { name: "Trade Log" }).click();
  const log = page.getByRole("table");
  await expect(log.getByText("Open long")).toBeVisible();
  await expect(figure(/Position: (?!0\.00)[\d.]+ SOL/)).toBeVisible();
  await expect(figure(/P&L: .*%/)).toBeVisible();
  await expect(figure(/Value: \$\d/)).toBeVisible();

  expect(sendWithCurl(address, closeText.replace("{{timenow}}", secondsAgo(0)))).toContain(
    "accepted",
  );
  await expect(log.getByText("Close long")).toBeVisible();
  await expect(figure(/Position: 0\.00 SOL/)).toBeVisible();

  await page.reload();
  await page.getByRole("tab", { name: "Trade Log" }).click();
  await expect(log.getByText("Close long")).toBeVisible();
});
