import { expect } from "@playwright/test";
import { shareFundedAgent } from "./funded-agent.ts";
import { openAs } from "./page.ts";
import { test } from "./running-product.ts";

const shared = shareFundedAgent("Close ** SOL-1h");

test("an owner closes the position from the header, and the agent stays on", async ({ page }) => {
  const { product, trader, agent } = shared;
  await openAs(page, trader, `${product.url}/chat/${agent.chatId}?tab=trade-log`);
  expect((await agent.fire("enter")).status).toBeLessThan(300);
  const header = page.getByRole("banner");
  const visible = (text: RegExp | string) => header.getByText(text).filter({ visible: true });
  await expect(visible("Long")).toBeVisible();
  await expect(visible(/^Exposure: \d/)).toBeVisible();

  await header.getByRole("button", { name: "Close position" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Close Position?" });
  await expect(dialog.getByText(/Auto-Trade stays on/)).toBeVisible();
  // A double click begins one closing
  await dialog.getByRole("button", { name: /^Close long \d/ }).dblclick();
  await expect(dialog).toBeHidden();
  await expect
    .poll(async () => (await agent.log()).filter(({ status }) => status === "success").length, {
      timeout: 30_000,
    })
    .toBe(2);
  await expect(visible(/^Position: 0\.00 SOL/)).toBeVisible();
  await expect(header.getByRole("button", { name: "Close position" })).toBeHidden();
  expect((await agent.position()).position).toBe("0");
  expect(await agent.log()).toHaveLength(2);
  await expect(page.getByRole("switch", { name: /Auto-Trade/ }).first()).toBeChecked();
});
