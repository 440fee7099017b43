import { expect, type Page } from "@playwright/test";
import { createTrader, deliver, secondsAgo } from "../test/trader.ts";

/** Sends one alert of the shown agent to its webhook, as the charting platform does. */
export async function fireAlert(page: Page, name: string): Promise<void> {
  const secret = await page.evaluate(
    () =>
      (JSON.parse(localStorage.getItem("practice-wallet") ?? "") as { value: { secret: string } })
        .value.secret,
  );
  const owner = await createTrader(new URL(page.url()).origin, Buffer.from(secret, "hex"));
  const chatId = /\/chat\/([0-9a-f]{32})/.exec(page.url())?.[1] ?? "";
  const { botId } = await owner.call<{ botId: string }>(
    "GET",
    `/api/agents/get-agentBychatId/${chatId}`,
  );
  const { url, alertText } = await owner.call<{ url: string; alertText: string }>(
    "GET",
    `/api/agents/${botId}/webhook`,
  );
  const text = alertText.replace("{{alertName}}", name).replace("{{timenow}}", secondsAgo(0));
  expect((await deliver(url, text)).status).toBeLessThan(300);
}
