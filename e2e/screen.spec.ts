import { expect, type Locator, type Page, test } from "@playwright/test";
import { createTrader, type FundedAgent, type Trader } from "../test/trader.ts";
import { openAs } from "./page.ts";
import { freePort, makeDataDir, type Product, startProduct } from "./product.ts";

const NAME = "Agent ** SOL-1h";
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 700, height: 900 };

const dataDir = makeDataDir();
let product: Product;
let trader: Trader;
let agent: FundedAgent;

test.describe.configure({ mode: "default" });

test.beforeAll(async () => {
  product = await startProduct(dataDir.path, await freePort());
  trader = await createTrader(product.url);
  await trader.takePracticeMoney("5", "1000");
  agent = await trader.createAgent(NAME);
});

test.afterAll(async () => {
  await product.stop();
  dataDir.remove();
});

const open = (page: Page, tab: string) =>
  openAs(page, trader, `${product.url}/chat/${agent.chatId}?tab=${tab}`);

const showPage = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name }).click();

async function tellMuch(): Promise<void> {
  for (let index = 0; index < 6; index++) {
    await trader.call("POST", `/api/chats/${agent.chatId}/messages`, {
      _id: String(index).padStart(32, "d"),
      type: "ai",
      content: `Answer ${index}\n\n${"Wait for a close beyond the level.\n\n".repeat(8)}`,
      timestamp: new Date(Date.UTC(2026, 10, 21, 9, index)).toISOString(),
    });
  }
}

test("turning the device loses nothing that was typed, chosen or scrolled to", async ({ page }) => {
  await tellMuch();
  await open(page, "manage-funds");
  const amount = page.getByLabel("USDC amount");
  const message = page.getByRole("textbox", { name: "Message" });
  const log = page.getByRole("log", { name: "Messages" });
  await amount.fill("12.5");
  await expect(log.getByText("Answer 5")).toBeVisible();
  await log.evaluate((list) => list.scrollTo(0, 300));
  const attention = page.getByRole("button", { name: /^Attention/ });
  await message.pressSequentially("Half a thou");

  await page.setViewportSize(NARROW);
  await expect(message).toBeFocused();
  await page.keyboard.type("ght");
  await expect(message).toHaveValue("Half a thought");
  await expect(page.getByRole("button", { name: "Newest" })).toBeVisible();
  await showPage(page, "Agents");
  await expect(message).toBeHidden();
  await showPage(page, "Trade");
  await expect(message).toBeHidden();
  await expect(amount).toHaveValue("12.5");
  await page.getByRole("tab", { name: "Trade Log" }).click();
  await attention.click();

  await page.setViewportSize(WIDE);
  await expect(attention).toHaveAttribute("aria-pressed", "true");
  await expect(message).toHaveValue("Half a thought");
  await expect(page.getByRole("button", { name: "Newest" })).toBeVisible();
  await log.evaluate((list) => list.scrollTo(0, list.scrollHeight));
  await page.setViewportSize(NARROW);
  await showPage(page, "Chat");
  await expect(log.getByText("Answer 5")).toBeInViewport();
});
