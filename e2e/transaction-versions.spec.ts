import { expect, type Page } from "@playwright/test";
import { approveInWallet, createNewcomer, listVersions } from "./page.ts";
import type { Product } from "./product.ts";
import { test } from "./running-product.ts";

let product: Product;

test.beforeAll(({ running }) => {
  ({ product } = running);
});

/** First byte of a version 1 transaction; older versions begin with the signature count. */
const VERSION_1 = 0x81;

/** Records the version of each prepared transaction. */
function watchVersions(page: Page): number[] {
  const seen: number[] = [];
  page.on("response", async (response) => {
    if (!response.url().endsWith("/api/tx/prepare") || response.status() !== 200) return;
    const { prepared } = (await response.json()) as { prepared?: { transaction: string } };
    if (prepared === undefined) return;
    seen.push(Buffer.from(prepared.transaction, "base64")[0] === VERSION_1 ? 1 : 0);
  });
  return seen;
}

async function setUpAgent(page: Page) {
  const newcomer = createNewcomer(page, product.url);
  await newcomer.connectAndSignIn();
  await newcomer.takePracticeMoney();
  await newcomer.openNewChat();
  await newcomer.createAgent();
  return newcomer;
}

test("a wallet that signs version 1 sets an agent up in one signature", async ({ page }) => {
  const seen = watchVersions(page);
  const newcomer = await setUpAgent(page);
  await newcomer.approveCustody();
  await newcomer.deposit("500");
  expect(seen.length).toBeGreaterThan(0);
  expect(new Set(seen)).toEqual(new Set([1]));
});

test("a wallet that signs only version 0 is asked for two signatures", async ({ page }) => {
  await listVersions(page, ["legacy", 0]);
  const seen = watchVersions(page);
  const newcomer = await setUpAgent(page);
  const dialog = page.getByRole("dialog");
  for (const step of [1, 2]) {
    await expect(dialog.getByText(`Transaction ${step} of 2`)).toBeVisible();
    await approveInWallet(page);
  }
  await newcomer.deposit("500");
  expect(seen.length).toBeGreaterThan(0);
  expect(new Set(seen)).toEqual(new Set([0]));
});
