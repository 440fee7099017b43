import { expect } from "@playwright/test";
import { createTrader } from "../test/trader.ts";
import { record } from "./chat-page.ts";
import { openAs } from "./page.ts";
import { shareProductWithAi } from "./product-with-ai.ts";
import { test } from "./running-product.ts";

const shared = shareProductWithAi();

interface Hypothesis {
  readonly logId: string;
  readonly hypothesis: string;
}

test("a page open in two tabs writes one hypothesis for each trade", async ({ page, context }) => {
  const trader = await createTrader(shared.product.url);
  await trader.takePracticeMoney("5", "1000");
  const agent = await trader.createAgent("Agent ** SOL-1h");
  const trades = async () => (await agent.log()).filter(({ status }) => status === "success");
  const written = () =>
    trader.call<Hypothesis[]>("GET", `/api/hypothesis/by-chat-id/${agent.chatId}`);

  await context.addInitScript((baseUrl) => {
    const value = { currentModel: "test-model", baseUrl, api: "chat" };
    const stored = { version: 1, value: { ...value, keysHaveOrigins: true } };
    localStorage.setItem("ai-model", JSON.stringify(stored));
    localStorage.setItem(`ai_api_key/${new URL(baseUrl).origin}`, "sk-test");
  }, shared.ai.baseUrl);
  shared.ai.answer((_request, asked) => ({ text: `Momentum ${asked}.`, pauseMs: 30 }));
  const requests = record(context);
  const address = `${shared.product.url}/chat/${agent.chatId}?tab=backtesting`;
  await openAs(page, trader, address);
  const other = await context.newPage();
  await other.goto(address);
  for (const tab of [page, other]) {
    await expect(tab.getByRole("button", { name: "Configure agent" })).toBeVisible();
  }

  // Both tabs receive the event simultaneously
  await trader.call("PUT", `/api/agents/update-hypothesis-status/${agent.botId}`, {
    hypothesisStatus: "on",
  });
  await agent.fire("enter");
  await expect.poll(async () => (await trades()).length).toBe(1);
  await expect.poll(async () => (await written()).length).toBe(1);
  await agent.fire("exit");
  await expect.poll(async () => (await trades()).length).toBe(2);
  await expect.poll(async () => (await written()).length).toBe(2);
  for (const tab of [page, other]) {
    await expect(tab.getByText("Momentum 1.")).toBeVisible();
    await expect(tab.getByText("Momentum 2.")).toBeVisible();
  }
  // Enough time for the second tab to write a duplicate
  await page.waitForTimeout(2_000);
  expect((await written()).map(({ hypothesis }) => hypothesis).toSorted()).toEqual([
    "Momentum 1.",
    "Momentum 2.",
  ]);
  expect(shared.ai.seen.filter(({ path }) => path.endsWith("/chat/completions"))).toHaveLength(2);
  const saves = requests.filter(({ url }) => url.endsWith("/api/hypothesis/create"));
  expect(saves).toHaveLength(2);
});
