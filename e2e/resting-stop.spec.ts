import { expect } from "@playwright/test";
import { createTrader } from "../test/trader.ts";
import { openAs } from "./page.ts";
import { test } from "./running-product.ts";

test("the header says that the stop of a perpetuals position rests at the exchange", async ({
  page,
  running: { product },
}) => {
  const trader = await createTrader(product.url);
  await trader.takePracticeMoney("5", "1000");
  const agent = await trader.createAgent("Stopped ** SOL-1h", { stopPercent: 3 });
  await openAs(page, trader, `${product.url}/chat/${agent.chatId}?tab=trade-log`);
  expect((await agent.fire("enter")).status).toBeLessThan(300);
  const header = page.getByRole("banner");
  const visible = (text: RegExp | string) => header.getByText(text).filter({ visible: true });
  await expect(visible(/Stop: /).first()).toBeVisible();
  await expect(visible(/· resting/).first()).toBeVisible();
  await expect(
    header.getByTitle(/^Rests at the exchange, which is part of this server here/).first(),
  ).toBeVisible();
});
