import { expect } from "@playwright/test";
import { createTrader } from "../test/trader.ts";
import { findViolations } from "./accessibility.ts";
import { openAs } from "./page.ts";
import { test } from "./running-product.ts";

test("an alert that cannot be read is told where the agent's alerts are, and a pasted one says what it would do", async ({
  page,
  running,
}) => {
  const { product } = running;
  const trader = await createTrader(product.url);
  await trader.takePracticeMoney("5", "1000");
  const agent = await trader.createAgent("Crossing");
  await openAs(page, trader, `${product.url}/chat/${agent.chatId}`);
  await page.getByRole("button", { name: "Configure agent" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { name: "Signals" }).click();

  // A comma too many, as the newcomer's commonest mistake: told while the page is open, without its token
  const { token } = agent.webhook;
  const text = agent.alertBody("enter", new Date().toISOString());
  const broken = text.replace(/}$/, ",}");
  const post = (body: string) => fetch(agent.webhook.url, { method: "POST", body });
  expect((await post(broken)).status).toBe(400);
  const note = dialog.getByText(/^The last delivery at .+ could not be read: there is a comma/);
  await expect(note).toBeVisible();
  await expect(dialog.getByText('"token":"(hidden)"', { exact: false })).toBeVisible();
  await expect(dialog.getByText(token.slice(0, 24))).toHaveCount(0);

  await dialog.getByText("Paste what you send, and see").click();
  const box = dialog.getByLabel("Paste what you send");
  const ask = dialog.getByRole("button", { name: "What would happen?" });
  await box.fill(broken);
  await ask.click();
  await expect(dialog.getByText(/^It would be refused: there is a comma too many/)).toBeVisible();
  for (const scheme of ["dark", "light"] as const) {
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme: scheme });
      await page.setViewportSize({ width, height: 900 });
      await note.scrollIntoViewIfNeeded();
      expect(await findViolations(page, '[role="dialog"]')).toEqual([]);
      if (process.env["LOOK_DIR"] !== undefined) {
        await page.screenshot({ path: `${process.env["LOOK_DIR"]}/note-${scheme}-${width}.png` });
        await box.scrollIntoViewIfNeeded();
        await page.screenshot({ path: `${process.env["LOOK_DIR"]}/box-${scheme}-${width}.png` });
      }
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await box.fill(text.replace(/"20[^"]+"/, '"{{timenow}}"'));
  await ask.click();
  await expect(
    dialog.getByText(
      /^It would be accepted as the alert "enter" and open long\. TradingView writes/,
    ),
  ).toBeVisible();
  expect(await agent.log()).toHaveLength(0);

  // Taken with a label of no JSON and a field too many, the note is past
  expect((await post(text.replace("{", '{"ticker":"SOLUSDT",'))).status).toBe(202);
  await expect(
    dialog.getByText(/^An earlier delivery, at .+ A later alert was taken\.$/),
  ).toBeVisible();
});
