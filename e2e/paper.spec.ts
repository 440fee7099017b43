import { expect } from "@playwright/test";
import { test } from "@playwright/test";
import { startPriceServer } from "../test/price-server.ts";
import { fireAlert } from "./fire-alert.ts";
import { createTrader } from "../test/trader.ts";
import { createNewcomer, openAs } from "./page.ts";
import { freePort, startAlone } from "./product.ts";
import { patient } from "../test/patient.ts";

const NAMES = ["pyth", "binance", "bybit"];

/** Starts the product with the networks it has by itself; the sources are replayed at one address of this machine. */
async function startOn(origin: string) {
  const product = await startAlone({
    // Empty is absent
    NETWORKS: "",
    PRICE_SOURCES: NAMES.map((name) => `${name}=${origin}`).join(","),
  });
  return {
    url: product.url,
    async stop() {
      await product.stop();
    },
  };
}

test("a newcomer trades on paper, and an exit waits while there are no prices", async ({
  page,
}) => {
  const server = await startPriceServer({ now: () => Date.now() });
  const product = await startOn(server.origin);
  const newcomer = createNewcomer(page, product.url);
  const banner = page.getByRole("banner");
  const figure = (text: RegExp) => banner.getByText(text).filter({ visible: true });
  try {
    await newcomer.connectAndSignIn();
    const choice = page.getByRole("group", { name: "Network of new agents" });
    await expect(choice.getByRole("button", { name: "Paper, real prices" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await expect(
      page.getByText(/^Live prices of Pyth, Binance,? and Bybit\. Play money\.$/),
    ).toBeVisible();
    await expect(banner.getByText("Paper", { exact: true })).toBeVisible();
    await page.getByRole("button", { name: "Get paper money" }).click();
    await expect(page.getByText("Paper money received")).toBeVisible();
    await newcomer.openNewChat();
    await newcomer.createAgent();
    await newcomer.approveCustody();
    await newcomer.deposit("500");
    await fireAlert(page, "Breakout");
    await expect(figure(/Exposure: \d/)).toBeVisible();

    server.misbehave("slow");
    await expect(
      banner.getByText(/No prices of SOL since .*: nothing fills and exits wait/),
    ).toBeVisible({
      timeout: patient(90_000),
    });
    await fireAlert(page, "Exit");
    await expect(banner.getByText("Closing", { exact: false }).first()).toBeVisible();
    await expect(figure(/Exposure: \d/)).toBeVisible();

    server.misbehave(null);
    await expect(figure(/^Position: 0\.00 SOL/)).toBeVisible({ timeout: patient(180_000) });
    await expect(banner.getByText(/No prices of SOL/)).toBeHidden();
  } finally {
    await product.stop();
    await server.close();
  }
});

test("a stop that fires while the page is closed is told when it opens again", async ({
  context,
  page,
}) => {
  test.setTimeout(patient(360_000));
  const server = await startPriceServer({ now: () => Date.now() });
  server.setPrice("SOL", 150);
  const product = await startOn(server.origin);
  try {
    const trader = await createTrader(product.url);
    await trader.call("POST", "/api/practice/faucet", { network: "paper", sol: "5", usdc: "1000" });
    const agent = await trader.createAgent("Stopped ** SOL-1h", {
      network: "paper",
      stopPercent: 3,
    });
    const address = `${product.url}/chat/${agent.chatId}?tab=trade-log`;
    await openAs(page, trader, address);
    await agent.fire("enter");
    const shown = (text: RegExp) =>
      page.getByRole("banner").getByText(text).filter({ visible: true }).first();
    await expect(shown(/Stop: /)).toBeVisible();
    await page.close();

    server.setPrice("SOL", 140);
    await expect
      .poll(async () => (await agent.log()).map(({ plan, status }) => `${plan} ${status}`), {
        timeout: patient(180_000),
      })
      .toContain("stop success");

    const opened = await context.newPage();
    await opened.goto(address);
    await expect(opened.getByRole("tabpanel").getByText("Stop", { exact: true })).toBeVisible();
    await expect(
      opened
        .getByRole("banner")
        .getByText(/^Position: 0\.00 SOL/)
        .filter({ visible: true })
        .first(),
    ).toBeVisible();
  } finally {
    await product.stop();
    await server.close();
  }
});

test("without an answer of any source it starts on practice and says why", async ({ page }) => {
  const product = await startOn(`http://127.0.0.1:${await freePort()}`);
  try {
    await page.goto(product.url);
    await expect(
      page.getByText(
        "No price source answers, so it starts on Practice: made-up prices, play money.",
      ),
    ).toBeVisible();
    await expect(page.getByRole("banner").getByText("Practice", { exact: true })).toBeVisible();
  } finally {
    await product.stop();
  }
});
