import { type BrowserContext, expect, type Page } from "@playwright/test";
import type { AiServer } from "../test/ai-server.ts";

export interface Recorded {
  readonly method: string;
  readonly url: string;
  /** Address, headers and body as one text. */
  readonly all: string;
}

/** Records every request of the browser's pages and workers. */
export function record(context: BrowserContext): readonly Recorded[] {
  const requests: Recorded[] = [];
  context.on("request", (request) => {
    const [method, url] = [request.method(), request.url()];
    const all = JSON.stringify([url, request.headers(), request.postData()]);
    requests.push({ method, url, all });
  });
  return requests;
}

const box = (page: Page) => page.getByRole("textbox", { name: "Message" });
export const sendMessage = async (page: Page, text: string) => {
  await box(page).fill(text);
  await box(page).press("Enter");
};

/** Points the page at the test's provider and saves the key, as a user does. */
export async function setUpAi(page: Page, ai: AiServer, key: string, kind?: string): Promise<void> {
  await page.getByRole("button", { name: "AI settings" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Address and kind of API").click();
  const address = dialog.getByLabel("Base address");
  await address.fill("https://evil.example/v1");
  await expect(
    dialog.getByText(/Whoever runs it can add https:\/\/evil\.example/).first(),
  ).toBeVisible();
  await address.fill(ai.baseUrl);
  await dialog.getByLabel("Model", { exact: true }).fill("test-model");
  if (kind !== undefined) {
    await dialog.getByLabel("Kind of API").click();
    await page.getByRole("option", { name: kind }).click();
  }
  await expect(dialog.getByText(`It goes to ${new URL(ai.origin).host} only.`)).toBeVisible();
  await dialog.getByLabel(/ API key$/).fill(key);
  await dialog.getByRole("button", { name: "Save Key" }).click();
  await expect(page.getByText("API Key Saved")).toBeVisible();
  // It closes because the provider accepts the key and offers the model
  await expect(dialog).toBeHidden();
}
