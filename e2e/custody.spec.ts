import { expect, type Page } from "@playwright/test";
import { createTrader, type FundedAgent, type Trader } from "../test/trader.ts";
import { fireAlert } from "./fire-alert.ts";
import { approveInWallet, createNewcomer, openAs, pick } from "./page.ts";
import type { Product } from "./product.ts";
import { test } from "./running-product.ts";

const NAME = "Agent ** SOL-1h";

let product: Product;
let trader: Trader;
let agent: FundedAgent;

test.beforeAll(({ running }) => {
  ({ product } = running);
});

test.beforeEach(async () => {
  trader = await createTrader(product.url);
  await trader.takePracticeMoney("5", "1000");
  agent = await trader.createAgent(NAME);
});

async function openFunds(page: Page): Promise<void> {
  await openAs(page, trader, `${product.url}/chat/${agent.chatId}`);
  await page.getByRole("tab", { name: "Manage Funds" }).click();
  await expect(page.getByText("Current Holdings:")).toBeVisible();
}

async function approve(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Approve in Practice wallet" }).click();
  await approveInWallet(page);
}

async function turnOff(page: Page): Promise<void> {
  await page
    .getByRole("alertdialog", { name: "Turn Off Auto-Trading?" })
    .getByRole("button", { name: "Turn Off" })
    .click();
  await expect(
    page.getByRole("banner").getByRole("switch", { name: "Auto-Trade" }),
  ).not.toBeChecked();
}

async function openDeletion(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Toggle sidebar" }).click();
  await page.getByRole("button", { name: `Delete ${NAME}` }).click();
}

const withdrawable = async (): Promise<string> => {
  const { withdrawable: most } = (await agent.position()) as unknown as { withdrawable: string };
  return most;
};

async function withdrawAll(page: Page): Promise<void> {
  // The PnL of a closed position settles later and changes the amount
  const isOffered = async () =>
    page.getByText(`You can withdraw up to ${await withdrawable()} USDC`).isVisible();
  await expect.poll(isOffered, { message: "what can be withdrawn is offered" }).toBe(true);
  await page.getByRole("button", { name: "Withdraw all" }).click();
  await approve(page);
  await expect(page.getByText("Withdrawal successful")).toBeVisible();
  // The market's interest since it was asked last comes with the withdrawal itself
  await expect(page.getByText(/You can withdraw up to 0(\.000\d{1,3})? USDC/)).toBeVisible();
}

test("money is deposited, cannot leave while the agent is on, and is withdrawn after an open position is closed", async ({
  page,
}) => {
  await agent.fire("enter");
  await expect.poll(async () => (await agent.position()).position).not.toBe("0");
  await openFunds(page);
  const amount = page.getByLabel("USDC amount");
  await amount.fill("25");
  await page.getByRole("button", { name: "Deposit", exact: true }).click();
  await page.getByRole("button", { name: "Approve in Practice wallet" }).click();
  await page.getByRole("button", { name: "Reject", exact: true }).click();
  await expect(
    page.getByText("You refused the request in Practice wallet. Nothing was sent."),
  ).toBeVisible();
  await approve(page);
  await expect(page.getByText("Deposit successful")).toBeVisible();

  await amount.fill("10");
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  const blocked = page.getByRole("alertdialog", { name: "Cannot Withdraw - Agent is Active" });
  await expect(blocked).toBeVisible();
  await blocked.getByRole("button", { name: "OK, I'll Stop the Agent First" }).click();

  await turnOff(page);
  await expect(page.getByText("Positions Closed & Auto-Trade Disabled")).toBeVisible();
  await expect.poll(async () => (await agent.position()).position).toBe("0");
  await amount.fill("100000");
  await page.getByRole("button", { name: "Withdraw", exact: true }).click();
  await expect(
    page
      .getByText(/Maximum withdrawable amount is [\d.]+ USDC \(considering margin requirements\)/)
      .first(),
  ).toBeVisible();
  await amount.fill("");
  await withdrawAll(page);
});

test("an agent with funds cannot be deleted; an empty one is deleted and its SOL recovered", async ({
  page,
}) => {
  await openFunds(page);
  await openDeletion(page);
  const refused = page.getByRole("dialog", { name: "Cannot delete agent" });
  await expect(
    refused.getByText(/Please withdraw all funds first\. Current balance: [\d.]+ USDC/),
  ).toBeVisible();
  await refused.getByRole("button", { name: "Cancel" }).click();
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Stop trading" }).click();
  await turnOff(page);
  await page.getByRole("tab", { name: "Portfolio" }).click();
  await openDeletion(page);
  await refused.getByRole("button", { name: "Withdraw funds" }).click();
  await expect(page).toHaveURL(/tab=manage-funds/);
  await withdrawAll(page);
  await openDeletion(page);
  const ask = page.getByRole("dialog", { name: "Confirm Deletion" });
  await expect(ask.getByRole("list", { name: "Steps left" })).toContainText(
    "Recover the vault's SOL",
  );
  await expect(ask.getByText("Never recoverable")).toBeVisible();
  await ask.getByRole("button", { name: "Delete" }).click();
  await expect(page.getByText("Deleting agent...")).toBeVisible();
  await approve(page);
  // Closing midway loses nothing; the set-up continues
  await expect(page.getByText(/Transaction 2 of 2/)).toBeVisible();
  await page.reload();
  await openDeletion(page);
  await expect(ask.getByRole("listitem")).toHaveCount(1);
  await ask.getByRole("button", { name: "Delete" }).click();
  await approve(page);
  await expect(page.getByText("Agent deleted successfully")).toBeVisible();
  await expect(page.getByText(/Recovered 0\.\d{6} SOL from multisig vault/)).toBeVisible();
  await expect(page).toHaveURL(`${product.url}/`);
});

test("the owner sees who can move which funds and revokes the trading key", async ({ page }) => {
  await openFunds(page);
  const panel = page.getByRole("region", { name: "Who can move what" });
  await expect(panel.getByText("may trade", { exact: true })).toBeVisible();
  await expect(panel.getByText(trader.address)).toBeVisible();
  await panel.getByRole("button", { name: "Revoke the trading key" }).click();
  await approve(page);
  await expect(panel.getByText("revoked", { exact: true })).toBeVisible();
  await agent.fire("enter");
  expect((await agent.position()).position).toBe("0");
  await panel.getByRole("button", { name: "Give the trading key back" }).click();
  await approve(page);
  await expect(panel.getByText("may trade", { exact: true })).toBeVisible();
});

test("a new browser that is shown no text of the owner asks for the word before money moves", async ({
  page,
}) => {
  await page.route("**/api/agents/*/owner-facts", (route) => route.fulfill({ json: [] }));
  await openFunds(page);
  await page.getByLabel("USDC amount").fill("25");
  await page.getByRole("button", { name: "Deposit", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Deposit" });
  await expect(dialog.getByText(/This browser did not see this vault being created/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Approve in Practice wallet" })).toBeDisabled();
  await dialog.getByLabel("Type ANYWAY to approve this vault").fill("ANYWAY");
  await approve(page);
  await expect(page.getByText("Deposit successful")).toBeVisible();
});

/** Multiplies the prices that the page's chart is told. */
async function distortChart(page: Page, factor: number): Promise<void> {
  await page.route("**/api/candles?**", async (route) => {
    const answer = await route.fetch();
    const told = (await answer.json()) as { readonly candles: readonly Record<string, number>[] };
    const candles = told.candles.map((candle) =>
      Object.fromEntries(
        Object.entries(candle).map(([name, value]) => [
          name,
          name === "time" || name === "volume" ? value : value * factor,
        ]),
      ),
    );
    await route.fulfill({ response: answer, json: { ...told, candles } });
  });
}

test("an order far from the chart's price is approved only after a word was typed", async ({
  page,
}) => {
  await agent.fire("enter");
  await expect.poll(async () => (await agent.position()).position).not.toBe("0");
  await distortChart(page, 1.5);
  await openFunds(page);
  await page.getByRole("button", { name: "Revoke the trading key" }).click();
  await page.getByRole("button", { name: "Close it first" }).click();
  const dialog = page.getByRole("dialog", { name: "Close positions" });
  await expect(
    dialog.getByText(/^At worst [\d.]+ USDC for one SOL: \d\d\.\d% below the chart's price of /),
  ).toBeVisible();
  // Its owner's signature over the accounts is known in this new browser
  await expect(dialog.getByText(/did not see this vault/)).toHaveCount(0);
  const button = dialog.getByRole("button", { name: "Approve in Practice wallet" });
  const word = dialog.getByLabel("Type ANYWAY to approve this price");
  await expect(button).toBeDisabled();
  await word.fill("yes");
  await expect(button).toBeDisabled();
  await word.fill("ANYWAY");
  await approve(page);
  // After the auction the owner fills the order, which names no new price
  await expect(dialog.getByText(/^Fills this account's waiting order/)).toBeVisible();
  await expect(word).toHaveCount(0);
  await approve(page);
  await expect.poll(async () => (await agent.position()).position).toBe("0");
});

test("nothing is signed for accounts that the owner's wallet did not sign for", async ({
  page,
}) => {
  await page.route("**/owner-facts", async (route) => {
    const answer = await route.fetch();
    const text = await answer.text();
    await route.fulfill({ response: answer, body: text.replaceAll("Multisig: ", "Multisig: 1") });
  });
  await openFunds(page);
  await page.getByRole("button", { name: "Revoke the trading key" }).click();
  const dialog = page.getByRole("dialog", { name: "Revoke the trading key" });
  await expect(dialog.getByText(/that your wallet did not sign/)).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Approve in Practice wallet" })).toHaveCount(0);
});

test("an agent on Jupiter swaps within limits that follow its asset, and the owner withdraws everything", async ({
  page,
}) => {
  await openAs(page, trader, product.url);
  const newcomer = createNewcomer(page, product.url);
  const dialog = page.getByRole("dialog");
  await newcomer.openNewChat();
  await newcomer.createAgent({ venue: "Jupiter", asset: "ETH" });
  await expect(dialog.getByText(/1 of 1/)).toBeVisible();
  await expect(dialog.getByText("at most 1000 USDC a day")).toBeVisible();
  await newcomer.approveCustody();
  await newcomer.deposit("400");

  await page.getByRole("tab", { name: "Trade Log" }).click();
  const log = page.getByRole("table");
  await fireAlert(page, "Breakout");
  await expect(log.getByText("Open long")).toBeVisible();
  await expect(log.getByRole("button", { name: "Copy signature" })).toHaveCount(1);

  await page.getByRole("tab", { name: "Manage Funds" }).click();
  const limits = page.getByRole("region", { name: "Spending limits" });
  await expect(limits.getByText("1000 USDC a day")).toBeVisible();
  await expect(limits.getByText(/^60\d(\.\d+)? USDC left today$/)).toBeVisible();
  await expect(limits.getByText(/only to the trading key.s own account/)).toHaveCount(2);
  await fireAlert(page, "Exit");
  await page.getByRole("tab", { name: "Trade Log" }).click();
  await expect(log.getByText("Close long")).toBeVisible();
  await expect(log.getByRole("button", { name: "Copy signature" })).toHaveCount(2);

  await page.getByRole("tab", { name: "Manage Funds" }).click();
  await page.getByRole("button", { name: "Lower the daily limit" }).click();
  await dialog.getByLabel("USDC a day").fill("250");
  await dialog.getByRole("button", { name: "Continue" }).click();
  await expect(dialog.getByText("at most 250 USDC a day")).toBeVisible();
  await approve(page);
  await expect(page.getByText("Spending Limits Updated")).toBeVisible();
  await expect(limits.getByText("250 USDC left today")).toBeVisible();

  await page.getByRole("button", { name: "Configure agent" }).click();
  await pick(page, "Asset", "BTC");
  await dialog.getByRole("button", { name: "Save" }).click();
  // The agent is on: its owner signs for the move
  await expect(page.getByText(/market from ETH to BTC/)).toBeVisible();
  await approveInWallet(page);
  await expect(dialog.getByText("Takes the trading key's ETH limit away")).toBeVisible();
  await approve(page);
  await expect(page.getByText("Spending Limits Updated")).toBeVisible();
  await expect(limits.getByText(/ BTC a day$/)).toBeVisible();
  await expect(limits.getByText(/ ETH a day$/)).toHaveCount(0);

  await page.getByRole("button", { name: "Configure agent" }).click();
  await pick(page, "Asset", "JUP");
  await dialog.getByRole("button", { name: "Save" }).click();
  await approveInWallet(page);
  await page
    .getByRole("dialog", { name: "Update spending limits" })
    .getByRole("button", { name: "Cancel" })
    .click();
  await expect(page.getByText("Spending Limits Warning")).toBeVisible();
  await expect(page.getByRole("button", { name: "Update the limits to JUP" })).toBeVisible();

  await page.getByRole("button", { name: "Stop trading" }).click();
  await turnOff(page);
  // What the exit sold for, too, not only the rest the entry left; the market may have risen by more than it cost
  const offered = page.getByText(/You can withdraw up to (39|40)\d(\.\d+)? USDC/);
  await expect(offered).toBeVisible();
  await page.getByRole("button", { name: "Withdraw all" }).click();
  await approve(page);
  await expect(page.getByText("Withdrawal successful")).toBeVisible();
  // The market's interest since it was asked last comes with the withdrawal itself
  await expect(page.getByText(/You can withdraw up to 0(\.000\d{1,3})? USDC/)).toBeVisible();
});
