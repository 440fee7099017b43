import { expect } from "@playwright/test";
import { createTrader } from "../test/trader.ts";
import { approveInWallet, openAs } from "./page.ts";
import { test } from "./running-product.ts";
import { patient } from "../test/patient.ts";

test("an owner sets leverage, sees the liquidation price, allows it at the exchange, and the agent trades with it", async ({
  page,
  running: { product },
}) => {
  test.setTimeout(patient(180_000));
  const trader = await createTrader(product.url);
  await trader.takePracticeMoney("5", "1000");
  const agent = await trader.createAgent("Levered ** SOL-1h", { stopPercent: 3 });
  await openAs(page, trader, `${product.url}/chat/${agent.chatId}?tab=trade-log`);
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Configure agent" }).click();
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  const plan = dialog.getByRole("region", { name: "Plan for an open position" });
  await plan.getByRole("button", { name: "Leverage", exact: true }).click();
  await plan.getByLabel("Leverage, times").fill("5");
  await expect(plan.getByText(/the exchange liquidates a long at \$\d/)).toBeVisible();
  await plan.getByLabel("Stop, %", { exact: true }).fill("10");
  await expect(plan.getByText(/^A short is liquidated \d/)).toBeVisible();
  await plan.getByLabel("Leverage, times").fill("3");
  await expect(plan.getByText(/^A short is liquidated/)).toBeHidden();

  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/leverage from 1 to 3/).first()).toBeVisible();
  await approveInWallet(page);
  const allow = page.getByRole("dialog", { name: "Allow leverage 3" });
  await expect(
    allow.getByText(/Caps new orders at 4 times the account's collateral/),
  ).toBeVisible();
  await allow.getByRole("button", { name: /^Approve in / }).click();
  await approveInWallet(page);
  await expect(page.getByText("Leverage Allowed")).toBeVisible();

  expect((await agent.fire("enter", new Date().toISOString())).status).toBeLessThan(300);
  const header = page.getByRole("banner");
  const visible = (text: RegExp) => header.getByText(text).filter({ visible: true }).first();
  await expect(visible(/· resting/)).toBeVisible();
  await expect(visible(/^(2\.9|3\.0)\dx$/)).toBeVisible();
  await expect(visible(/Liquidation/)).toBeVisible();
});
