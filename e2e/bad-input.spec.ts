import { expect, type Page } from "@playwright/test";
import { createTrader, type Trader } from "../test/trader.ts";
import { openAs } from "./page.ts";
import { test } from "./running-product.ts";
import { patient } from "../test/patient.ts";

const SLOW = { timeout: patient(120_000) };

const AGENTS = 30;

/** Names as people write them: right to left, with emoji, long without a space. */
const NAMES = ["وكيل الذهب", "🐺🚀 wolf", "متوسط متحرك ٢٠٠", "𝓕𝓪𝓷𝓬𝔂", "W".repeat(110)];

/** Creates agents of a wallet, without custody. */
async function createAgents(trader: Trader, count: number): Promise<readonly string[]> {
  const names = Array.from({ length: count }, (_, at) => `${NAMES[at % NAMES.length] ?? ""} ${at}`);
  for (const agentName of names) {
    await trader.call("POST", "/api/agents/create-complete-agent", {
      agent: {
        agentName,
        assetPair: "SOL-PERP",
        interval: "1h",
        venue: "drift",
        network: "practice",
        slippageTolerance: "0.5",
      },
      alerts: [{ name: "enter" }],
      rules: [{ action: "OPEN_LONG", conditions: [{ alertName: "enter", requiredCount: 1 }] }],
    });
  }
  return names;
}

const overflows = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test("thirty agents with Arabic, emoji and long names fit every list, and none is lost", async ({
  page,
  running,
}) => {
  const { url } = running.product;
  const trader = await createTrader(url);
  const names = await createAgents(trader, AGENTS);
  await openAs(page, trader, url);
  const table = page.getByRole("region", { name: "Agents" });
  await expect(table.getByRole("rowheader")).toHaveCount(AGENTS, SLOW);
  await table.getByRole("button", { name: "Agent" }).click();
  const shown = await table.getByRole("rowheader").getByRole("button").allTextContents();
  expect(shown.toSorted()).toEqual([...names].toSorted());

  for (const width of [1440, 720, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => overflows(page), { message: `wider than ${width} px` }).toBe(false);
  }
  await page.getByRole("button", { name: "Agents", exact: true }).click();
  const list = page.getByRole("navigation", { name: "Chats" });
  await expect(list.getByText(names[0] ?? "", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "Create", exact: true })).toBeInViewport();
  await list.getByText(names[1] ?? "", { exact: true }).click();
  await expect(page).toHaveTitle(`${names[1]} · Off · Wheelhouse`);
  await expect.poll(() => overflows(page), { message: "the chosen agent's page" }).toBe(false);
});

test("at 400 kbit/s the page comes, and what is typed meanwhile is saved once", async ({
  page,
  running,
}) => {
  const { url } = running.product;
  const trader = await createTrader(url);
  await trader.takePracticeMoney("5", "1000");
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  });
  await openAs(page, trader, url);
  await page.getByRole("button", { name: "Create agent" }).first().click(SLOW);
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Agent name").fill("Slow line", SLOW);
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  await dialog.getByPlaceholder("Alert name").fill("enter");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  // A second click while the answer is on its way creates nothing twice
  await dialog.getByRole("button", { name: "Creating..." }).click();
  await expect(page.getByText("Agent Created")).toBeVisible(SLOW);
  const chats = await trader.call<{ agent?: { agentName: string } }[]>(
    "GET",
    `/api/chats/wallet/${trader.address}/agents`,
  );
  expect(chats.flatMap(({ agent }) => agent?.agentName ?? [])).toEqual(["Slow line"]);
});

test("without candles each view says so and keeps the rest", async ({ page, running }) => {
  const { url } = running.product;
  const trader = await createTrader(url);
  await page.route(/\/api\/candles|\/api\/candle-history/, (route) =>
    route.fulfill({ status: 503, json: { code: "internal_error", message: "No candles." } }),
  );
  await openAs(page, trader, url);
  await page.getByRole("button", { name: "Add tab" }).click();
  await page.getByRole("menuitem", { name: /^Markets/ }).click();
  const markets = page.getByRole("dialog", { name: "Markets" });
  await expect(markets.getByText("No prices of SOL here.")).toBeVisible(SLOW);
  await expect(markets.getByRole("button", { name: /SOL-PERP/ })).toBeEnabled();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Add tab" }).click();
  await page.getByRole("menuitem", { name: /^Starters/ }).click();
  const starters = page.getByRole("dialog", { name: "Starters" });
  await expect(starters.getByText("It could not be tried out just now.")).toHaveCount(6, SLOW);
  await starters.getByRole("button", { name: "Use Breakout" }).click();
  await expect(page.getByRole("dialog", { name: "Agent ** SOL-1h" })).toBeVisible();
});
