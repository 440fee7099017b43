import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { createTrader } from "../test/trader.ts";
import { openAs } from "./page.ts";
import { startAlone } from "./product.ts";

test("the page shows the operator's halt with its reason, and closing continues until flat once it is lifted", async ({
  page,
}) => {
  const product = await startAlone();
  const halt = join(product.dataDir, "HALT");
  try {
    const trader = await createTrader(product.url);
    await trader.takePracticeMoney("5", "1000");
    const agent = await trader.createAgent("Agent ** SOL-1h");
    await openAs(page, trader, `${product.url}/chat/${agent.chatId}?tab=trade-log`);
    const log = page.getByRole("table");
    expect((await agent.fire("enter")).status).toBeLessThan(300);
    await expect(log.getByText("Open long")).toBeVisible();
    await expect.poll(async () => Number((await agent.position()).position)).toBeGreaterThan(0);

    writeFileSync(halt, "");
    const header = page.getByRole("banner");
    const said = header.getByRole("status").filter({ hasText: "Halted" });
    await expect(said).toContainText("The operator has halted all trading.");
    await header.getByRole("switch", { name: "Auto-Trade" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("switch").click();
    await page.getByRole("button", { name: "Turn Off" }).click();
    await expect(dialog.getByText("Closing the long position in SOL-PERP")).toBeVisible();
    await expect(dialog.getByText(/tried again once trading is allowed/)).toBeVisible();
    await expect(dialog.getByRole("button", { name: "Stop closing" })).toBeVisible();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expect(said).toBeVisible();
    expect(Number((await agent.position()).position)).toBeGreaterThan(0);

    rmSync(halt);
    await expect(log.getByText("Close long").first()).toBeVisible();
    await expect.poll(async () => (await agent.position()).position).toBe("0");
    await expect(said).toHaveCount(0);
    await expect(header.getByRole("switch", { name: "Auto-Trade" })).not.toBeChecked();
  } finally {
    await product.stop();
  }
});
