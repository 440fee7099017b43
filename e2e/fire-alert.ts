import { ed25519 } from "@noble/curves/ed25519.js";
import { expect, type Page } from "@playwright/test";
import { CONFIRMATION_HEADER, type ErrorBody } from "../src/contract/errors.ts";
import { encodeBase58 } from "../src/domain/base58.ts";

/** Sends one alert of the shown agent to its webhook, as the charting platform does. */
export async function fireAlert(page: Page, name: string): Promise<void> {
  const { token, secret } = await page.evaluate(() => ({
    token: localStorage.getItem("jwt_token"),
    secret: (
      JSON.parse(localStorage.getItem("practice-wallet") ?? "") as { value: { secret: string } }
    ).value.secret,
  }));
  const chatId = /\/chat\/([0-9a-f]{32})/.exec(page.url())?.[1] ?? "";
  const { origin } = new URL(page.url());
  const get = (path: string, proof?: string) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(proof && { [CONFIRMATION_HEADER]: proof }),
    };
    return page.request.get(origin + path, { headers });
  };
  const agent = (await (await get(`/api/agents/get-agentBychatId/${chatId}`)).json()) as {
    botId: string;
  };
  const path = `/api/agents/${agent.botId}/webhook`;
  const { confirm } = (await (await get(path)).json()) as Pick<ErrorBody, "confirm">;
  if (confirm === undefined) throw new Error("The token was shown without a signature.");
  const message = new TextEncoder().encode(confirm.message);
  const signed = ed25519.sign(message, Uint8Array.from(Buffer.from(secret, "hex")));
  const shown = await get(path, `${confirm.nonce} ${encodeBase58(signed)}`);
  const webhook = (await shown.json()) as { url: string; alertText: string };
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
