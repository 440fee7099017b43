import { expect, type Page } from "@playwright/test";

/** Sends one alert of the shown agent to its webhook, as the charting platform does. */
export async function fireAlert(page: Page, name: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("jwt_token"));
  const chatId = /\/chat\/([0-9a-f]{32})/.exec(page.url())?.[1] ?? "";
  const { origin } = new URL(page.url());
  const headers = { authorization: `Bearer ${token}` };
  const read = async <T>(path: string): Promise<T> =>
    (await (await page.request.get(origin + path, { headers })).json()) as T;
  const agent = await read<{ botId: string }>(`/api/agents/get-agentBychatId/${chatId}`);
  const webhook = await read<{ url: string; alertText: string }>(
    `/api/agents/${agent.botId}/webhook`,
  );
  const data = webhook.alertText
    .replace("{{alertName}}", name)
    .replace("{{timenow}}", new Date().toISOString());
  const send = async () =>
    (
      await page.request.post(new URL(webhook.url, origin).href, {
        headers: { "content-type": "text/plain" },
        data,
      })
    ).status();
  // A retry after a 5xx answer returns 200 when the alert had been stored
  await expect.poll(send).toBeLessThan(300);
}
