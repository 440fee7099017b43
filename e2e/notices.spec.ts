import { expect, test } from "@playwright/test";
import { startMailServer } from "../test/mail-server.ts";
import { createTrader } from "../test/trader.ts";
import { approveInWallet, openAs } from "./page.ts";
import { startAlone } from "./product.ts";

test("an e-mail address gets a test message once its code has been entered", async ({ page }) => {
  const mail = await startMailServer();
  const product = await startAlone({
    SMTP_URL: mail.url,
    MAIL_FROM: "Wheelhouse <notices@wheelhouse.example>",
  });
  try {
    await openAs(page, await createTrader(product.url), product.url);
    await page.getByRole("banner").locator("[aria-haspopup=dialog]").last().click();
    await page.getByRole("button", { name: "Notices", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Notices" });
    await dialog.getByRole("button", { name: "E-mail" }).click();
    await dialog.getByLabel("E-mail address").fill("owner@example.com");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await approveInWallet(page);

    const card = dialog.getByRole("article", { name: "E-mail, o…@example.com" });
    await expect(card.getByText("Not confirmed yet")).toBeVisible();
    await expect(card.getByRole("button", { name: /^Send a test/ })).toHaveCount(0);
    await expect.poll(() => mail.mails.length).toBe(1);
    const code = /Your code is (\d{6})/.exec(
      mail.mails[0]?.text.replaceAll("=\r\n", "") ?? "",
    )?.[1];
    await card.getByLabel("Code from the mail").fill(code === "000000" ? "000001" : "000000");
    await card.getByRole("button", { name: "Confirm" }).click();
    await expect(card.getByText("That is not the code. You have 4 more tries.")).toBeVisible();
    await card.getByLabel("Code from the mail").fill(code ?? "");
    await card.getByRole("button", { name: "Confirm" }).click();
    await expect(card.getByText("Everything")).toBeVisible();
    await card.getByRole("button", { name: /^Send a test/ }).click();
    await expect.poll(() => mail.mails.length).toBe(2);
    expect(mail.mails[1]?.text).toContain("Test of Wheelhouse notices");
  } finally {
    await product.stop();
    await mail.close();
  }
});
