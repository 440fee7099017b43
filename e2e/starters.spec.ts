import { expect, type Page } from "@playwright/test";
import { createTrader } from "../test/trader.ts";
import { openAs, pick } from "./page.ts";
import { test } from "./running-product.ts";
import { patient } from "../test/patient.ts";

/** Opens what there is to look around in. */
async function browse(page: Page, name: "Starters" | "Markets"): Promise<void> {
  await page.getByRole("button", { name: "Add tab" }).click();
  await page.getByRole("menuitem", { name: new RegExp(`^${name}`) }).click();
  await expect(page.getByRole("dialog", { name })).toBeVisible();
}

const SLOW = { timeout: patient(120_000) };

const cards = (page: Page) => page.getByRole("list", { name: "Templates" }).getByRole("listitem");

/** Returns the simulated return that each card states, in the order shown. */
const returns = async (page: Page): Promise<number[]> => {
  const texts = await cards(page).allTextContents();
  return texts.map((text) =>
    Number(/trades?, ([+−]?[\d.]+)%/.exec(text)?.[1]?.replace("−", "-") ?? Number.NaN),
  );
};

test("starters are tried on a chosen market, searched, ordered, compared and used", async ({
  page,
  running,
}) => {
  await page.goto(running.product.url);
  await browse(page, "Starters");
  await expect(page.getByText(/^\d+ days, practice market/)).toHaveCount(6, SLOW);
  const onSol = await returns(page);

  await page.getByRole("combobox", { name: "Asset" }).click();
  await page.getByRole("option", { name: /^ETH/ }).click();
  await page.getByRole("combobox", { name: "Time interval" }).click();
  await page.getByRole("option", { name: "4 hours" }).click();
  await expect(page.getByText(/^\d+ days, practice market/)).toHaveCount(6, SLOW);
  const onEth = await returns(page);
  expect(onEth).not.toEqual(onSol);

  await page.getByRole("combobox", { name: "Order of the starters" }).click();
  await page.getByRole("option", { name: "Return", exact: true }).click();
  expect(await returns(page)).toEqual(onEth.toSorted((one, other) => other - one));

  const search = page.getByRole("searchbox", { name: "Search starters" });
  await search.fill("average");
  await expect(cards(page).filter({ hasText: "Averaging in" })).toBeVisible();
  await expect(cards(page).filter({ hasText: "Breakout" })).toHaveCount(0);
  await search.fill("no such words");
  await expect(page.getByText("No starter has these words.")).toBeVisible();
  await search.fill("");

  await page.getByRole("button", { name: "Compare Trend following" }).click();
  await page.getByRole("button", { name: "Compare Averaging in" }).click();
  const table = page.getByRole("region", { name: "Side by side" });
  await expect(table.getByRole("row", { name: /^Position size 50% 10%$/ })).toBeVisible();
  await expect(
    table.getByRole("row", { name: /^Return [+−]?[\d.]+% [+−]?[\d.]+%$/ }),
  ).toBeVisible();
  await expect(
    table.getByRole("row", { name: /^Plan .*A further opening signal adds/ }),
  ).toBeVisible();

  await page.getByRole("button", { name: "Use Averaging in" }).click();
  await expect(page.getByText("Sign in first")).toBeVisible();
});

test("a starter becomes an agent, an agent a copy, and neither name collides", async ({
  page,
  running,
}) => {
  const { url } = running.product;
  const trader = await createTrader(url);
  await trader.takePracticeMoney("5", "1000");
  const { chatId } = await trader.createAgent("Agent ** SOL-1h");
  await openAs(page, trader, `${url}/chat/${chatId}`);
  const dialog = page.getByRole("dialog");

  await expect(page.getByRole("button", { name: "Configure agent" })).toBeVisible();
  await browse(page, "Starters");
  await page.getByRole("button", { name: "Use Averaging in" }).click();
  await expect(dialog.getByRole("heading", { name: "Agent ** SOL-1h (2)" })).toBeVisible();
  const filled = dialog.getByRole("region", { name: "Proposed changes" });
  await expect(filled).toContainText("Position size");
  await expect(filled).toContainText("A further opening signal adds 100 % of the first entry");
  await pick(page, "Time interval", "4 hours");
  await expect(dialog.getByRole("heading", { name: "Agent ** SOL-4h" })).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard" }).click();

  // An own agent beside the starters, then its copy
  await browse(page, "Starters");
  await page.getByRole("combobox", { name: "Add one of your agents" }).click();
  await page.getByRole("option", { name: "Agent ** SOL-1h" }).click();
  await expect(cards(page).filter({ hasText: "Yours, as it is saved." })).toBeVisible(SLOW);
  await dialog.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Configure agent" }).click();
  await dialog.getByRole("button", { name: "Duplicate" }).click();
  await expect(
    dialog.getByText("This is a copy of another agent.", { exact: false }),
  ).toBeVisible();
  await expect(dialog.getByLabel("Agent name")).toHaveValue("Agent ** SOL-1h (2)");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  await expect(page.getByText("Agent Created")).toBeVisible();
  const chats = await trader.call<{ agent?: { agentName: string } }[]>(
    "GET",
    `/api/chats/wallet/${trader.address}/agents`,
  );
  expect(chats.flatMap(({ agent }) => agent?.agentName ?? []).toSorted()).toEqual([
    "Agent ** SOL-1h",
    "Agent ** SOL-1h (2)",
  ]);
});

test("markets are searched, marked and lead to an agent", async ({ page, running }) => {
  const { url } = running.product;
  const trader = await createTrader(url);
  await openAs(page, trader, url);
  await browse(page, "Markets");
  const dialog = page.getByRole("dialog", { name: "Markets" });
  const eth = dialog.getByRole("row", { name: /ETH Ethereum/ });
  await expect(eth.getByText(/^[+−][\d.]+%$/)).toBeVisible(SLOW);
  await eth.getByRole("button", { name: "Favourite ETH" }).click();
  await expect(dialog.getByRole("rowheader").first()).toContainText("ETH");
  await expect(dialog.getByRole("row", { name: /AAPLx Apple/ })).toContainText(
    "Drift supports crypto only.",
  );
  await dialog.getByRole("searchbox", { name: "Search markets" }).fill("jupiter");
  await expect(dialog.getByRole("rowheader")).toHaveCount(1);
  await dialog.getByRole("searchbox", { name: "Search markets" }).fill("");
  await dialog.getByRole("button", { name: "New agent on Drift's ETH-PERP" }).click();
  const form = page.getByRole("dialog", { name: "Agent ** ETH-1h" });
  await form.getByRole("combobox", { name: "Asset" }).click();
  // Favourites come first in the form, too
  await expect(page.getByRole("option").first()).toHaveText("ETH-PERP");
});
