import { expect, type Locator, type Page } from "@playwright/test";
import { shareFundedAgent } from "./funded-agent.ts";
import { expectFocusAt, holdsFocus, pressAt, walkRound, walkTo } from "./keyboard.ts";
import { createNewcomer, expectSession } from "./page.ts";
import { test } from "./running-product.ts";

const NAME = "Agent ** SOL-1h";

const shared = shareFundedAgent(NAME);

test.describe.configure({ mode: "default" });

const dialogOf = (page: Page, name: string | RegExp) => page.getByRole("dialog", { name });
const alertOf = (page: Page, name: string | RegExp) => page.getByRole("alertdialog", { name });
const escape = (page: Page) => page.keyboard.press("Escape");

/** Opens a dialog from its button, tabs through it, closes it with Escape and expects the focus on the button. */
async function lookInto(page: Page, opener: string | RegExp, dialog: Locator): Promise<void> {
  await pressAt(page, opener);
  await expect(dialog).toBeVisible();
  await walkRound(page, dialog);
  await escape(page);
  await expect(dialog).toHaveCount(0);
  await expectFocusAt(page, opener);
}

async function approveByKeys(page: Page): Promise<void> {
  await pressAt(page, "Approve in Practice wallet");
  await expect(page.getByRole("heading", { name: "Practice wallet" })).toBeVisible();
  await pressAt(page, "Approve");
}

/** Opens a chat as the trader, signed in by keyboard. */
async function open(page: Page, path: string): Promise<void> {
  const stored = {
    "practice-wallet": { secret: shared.trader.secret, isTrusted: true },
    "wallet-storage": { walletType: "practice", walletAddress: shared.trader.address },
  };
  await page.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) {
      if (localStorage.getItem(key) === null) {
        localStorage.setItem(key, JSON.stringify({ version: 1, value }));
      }
    }
  }, stored);
  await page.goto(shared.product.url + path);
  await expect(page.getByRole("button", { name: "Sign in" }).first()).toBeVisible();
  await pressAt(page, "Sign in");
  await pressAt(page, "Approve");
  await expectSession(page);
  await expect(page.getByRole("button", { name: "Command palette" })).toBeVisible();
}

test("the workspace's dialogs work by keyboard and return the focus", async ({ page, running }) => {
  await open(page, `/chat/${shared.agent.chatId}?tab=trade-log`);
  await expect(page.getByRole("button", { name: "Configure agent" })).toBeVisible();

  await walkTo(page, "Toggle sidebar");
  await page.keyboard.press("?");
  await walkRound(page, dialogOf(page, "Keyboard shortcuts"));
  await pressAt(page, "Open this list with ?", "Space");
  await escape(page);
  await expectFocusAt(page, "Toggle sidebar");
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await pressAt(page, "Command palette");
  await expect(page.getByRole("combobox", { name: /Search chats/ })).toBeFocused();
  await escape(page);
  await expectFocusAt(page, "Command palette");

  const sidebar = dialogOf(page, "Agents");
  await lookInto(page, "Toggle sidebar", sidebar);
  await page.keyboard.press("Enter");
  await expect(sidebar).toBeVisible();
  await pressAt(page, `Rename ${NAME}`);
  await expect(sidebar.getByRole("textbox", { name: /New name/ })).toBeFocused();
  await page.keyboard.type("Never kept");
  await escape(page);
  await expectFocusAt(page, `Rename ${NAME}`);
  await lookInto(page, `Delete ${NAME}`, dialogOf(page, "Cannot delete agent"));
  const keyDialog = dialogOf(page, "API Key Required");
  await page.evaluate((baseUrl) => {
    const value = { currentModel: "test-model", baseUrl, api: "chat", keysHaveOrigins: true };
    localStorage.setItem("ai-model", JSON.stringify({ version: 1, value }));
  }, running.ai.baseUrl);
  await lookInto(page, "API Key", keyDialog);
  await page.keyboard.press("Enter");
  await expect(keyDialog).toBeVisible();
  await page.keyboard.type("sk-not-a-key");
  await page.keyboard.press("Enter");
  await expect(page.getByText("API Key Saved")).toBeVisible();
  await expect(keyDialog).toHaveCount(0);
  await expectFocusAt(page, "API Key");
  await escape(page);
  await expectFocusAt(page, "Toggle sidebar");

  const walletButton = /^[1-9A-Za-z]{4}\.\.\.[1-9A-Za-z]{4}$/;
  await pressAt(page, walletButton);
  await expect(page.getByRole("button", { name: "Disconnect Wallet" })).toBeVisible();
  await pressAt(page, "Portfolio", "ArrowRight");
  await expect(page.getByRole("tab", { name: "Activity" })).toBeFocused();
  await escape(page);
  await expectFocusAt(page, walletButton);
});

test("the agent's dialogs work by keyboard: submit and cancel", async ({ page }) => {
  await open(page, `/chat/${shared.agent.chatId}?tab=trade-log`);
  const config = dialogOf(page, NAME);
  await expect(page.getByRole("button", { name: "Configure agent" })).toBeVisible();
  await lookInto(page, "Configure agent", config);
  await page.keyboard.press("Enter");
  await expect(config).toBeVisible();

  await lookInto(page, "Add Agentic-Trade", dialogOf(page, "When my DeFi Agent Executes a..."));
  await pressAt(page, "Setup", "ArrowRight");
  await expect(config.getByRole("heading", { name: "Rules" })).toBeVisible();
  await lookInto(page, "Delete exit", alertOf(page, "Delete alert"));
  await pressAt(page, /^Alerts & rules/, "ArrowRight");
  await lookInto(page, "Replace token", alertOf(page, /token/i));

  const confirm = alertOf(page, "Turn Off Auto-Trading?");
  await lookInto(page, /^Auto-Trade/, confirm);
  await page.keyboard.press("Space");
  await expect(confirm).toBeVisible();
  await pressAt(page, "Turn Off");
  await expect(config.getByText("Inactive")).toBeVisible();
  await expectFocusAt(page, /^Auto-Trade/);
  await page.keyboard.press("Space");
  await pressAt(page, "Turn On");
  // Actions beyond the bearer token's rights are confirmed in the wallet
  await expect(page.getByText(/Turn on auto-trade of the agent "[^"]+"\./)).toBeVisible();
  await pressAt(page, "Approve");
  await expect(config.getByText("Inactive")).toHaveCount(0);

  await pressAt(page, "Signals", "Home");
  await pressAt(page, "Save");
  await expect(page.getByText("Agent Updated")).toBeVisible();
  await expect(config).toHaveCount(0);
  await expectFocusAt(page, "Configure agent");
});

test("deposits and withdrawals work by keyboard alone, refusals included", async ({ page }) => {
  await open(page, `/chat/${shared.agent.chatId}?tab=manage-funds`);
  await expect(page.getByText("Current Holdings:")).toBeVisible();
  await walkTo(page, "USDC amount");
  await page.keyboard.type("5");
  await lookInto(page, "Withdraw", alertOf(page, "Cannot Withdraw - Agent is Active"));

  const deposit = dialogOf(page, "Deposit");
  await pressAt(page, "Deposit");
  await expect(deposit.getByRole("button", { name: /^Approve in/ })).toBeEnabled();
  await walkRound(page, deposit);
  await pressAt(page, "Approve in Practice wallet");
  await pressAt(page, "Reject");
  await expect(
    deposit.getByText("You refused the request in Practice wallet. Nothing was sent."),
  ).toBeVisible();
  await escape(page);
  await expectFocusAt(page, "Deposit");
  await page.keyboard.press("Enter");
  await expect(deposit).toBeVisible();
  await approveByKeys(page);
  await expect(page.getByText("Deposit successful")).toBeVisible();
  await expect(deposit).toHaveCount(0);
  await expectFocusAt(page, "Deposit");

  const revoke = dialogOf(page, "Revoke the trading key");
  await pressAt(page, "Revoke the trading key");
  await expect(revoke.getByRole("button", { name: /^Approve in/ })).toBeEnabled();
  await walkRound(page, revoke);
  await escape(page);
  await expectFocusAt(page, "Revoke the trading key");
});

test("the daily limit of a swap agent can be lowered by keyboard alone", async ({ page }) => {
  await open(page, "/");
  const newcomer = createNewcomer(page, shared.product.url);
  await newcomer.openNewChat();
  await newcomer.createAgent({ venue: "Jupiter", asset: "ETH" });
  await newcomer.approveCustody();
  await expect(dialogOf(page, "Deposit").getByLabel("USDC amount")).toBeFocused();
  await escape(page);
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.getByRole("tab", { name: "Manage Funds" }).click();

  const limit = dialogOf(page, "Lower the daily limit");
  await lookInto(page, "Lower the daily limit", limit);
  await page.keyboard.press("Enter");
  await expect(limit.getByLabel("USDC a day")).toBeFocused();
  await page.keyboard.type("0.5");
  await page.keyboard.press("Enter");
  await expect(limit.getByText("A daily limit is from 1 to 1,000,000 USDC.")).toBeVisible();
  await expect(limit.getByLabel("USDC a day")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("250");
  await page.keyboard.press("Enter");
  await expect(page.getByText("at most 250 USDC a day")).toBeVisible();
  await walkRound(page, page.getByRole("dialog"));
  await approveByKeys(page);
  await expect(page.getByText("Spending Limits Updated")).toBeVisible();
  await expect(page.getByText("250 USDC left today")).toBeVisible();
  await expectFocusAt(page, "Lower the daily limit");
});

test("by keyboard, a chat's link asks before it opens, and a chat can be deleted", async ({
  page,
}) => {
  const { _id } = await shared.trader.call<{ _id: string }>("POST", "/api/chats/add-chat", {
    title: "Short lived",
    walletAddress: shared.trader.address,
  });
  await shared.trader.call("POST", `/api/chats/${_id}/messages`, {
    _id: "e".repeat(32),
    type: "ai",
    content: "Read [the manual](https://example.com/manual).",
    timestamp: new Date().toISOString(),
  });
  await open(page, `/chat/${_id}`);
  await expect(page.getByText("the manual")).toBeVisible();
  await lookInto(page, /^the manual/, alertOf(page, "Open example.com?"));

  await pressAt(page, "Toggle sidebar");
  const confirm = page.getByRole("alertdialog", { name: "Confirm Deletion" });
  await lookInto(page, "Delete Short lived", confirm);
  await page.keyboard.press("Enter");
  await expect(confirm).toBeVisible();
  await pressAt(page, "Delete");
  await expect(confirm).toHaveCount(0);
  await expect(page.getByText("Short lived")).toHaveCount(0);
});

test("a new user funds an agent and withdraws again by keyboard alone", async ({ page }) => {
  const dialog = page.getByRole("dialog");
  await page.goto(shared.product.url);
  await pressAt(page, "Connect wallet");
  const choice = page.getByRole("menu");
  await expect(choice).toBeVisible();
  await expect.poll(() => holdsFocus(choice)).toBe(true);
  await page.keyboard.press("End");
  await expectFocusAt(page, /Phantom/);
  await page.keyboard.press("Enter");
  const required = dialogOf(page, "Phantom Wallet Required");
  await walkRound(page, required);
  await escape(page);
  await expect(required).toHaveCount(0);
  await pressAt(page, "Connect wallet");
  await expect(choice).toBeVisible();
  await expect.poll(() => holdsFocus(choice)).toBe(true);
  await page.keyboard.press("Home");
  await expectFocusAt(page, /^Practice wallet/);
  await page.keyboard.press("Enter");
  await pressAt(page, "Approve");
  await pressAt(page, "Get practice money");
  await expect(page.getByText("Practice money received")).toBeVisible();
  await pressAt(page, "New Chat");
  await expect(page).toHaveURL(/\/chat\/[0-9a-f]{32}/);
  await pressAt(page, "Create agent");
  await expect(dialog.getByLabel("Time interval")).toBeVisible();
  await pressAt(page, "Setup", "ArrowRight");
  await walkTo(page, "Alert name");
  await page.keyboard.type("Breakout");
  await pressAt(page, "Add rule");
  await pressAt(page, "Breakout", "Space");
  await pressAt(page, "THEN", "Enter");
  await expect.poll(() => holdsFocus(page.getByRole("listbox"))).toBe(true);
  await page.keyboard.type("Long");
  await expectFocusAt(page, "Long");
  await page.keyboard.press("Enter");
  await pressAt(page, "Create");
  await expect(page.getByText("Agent Created")).toBeVisible();
  await expect(dialog.getByText(/Transaction 1 of 1/)).toBeVisible();
  await pressAt(page, "Approve");
  await walkTo(page, "USDC amount");
  await page.keyboard.type("100");
  await page.keyboard.press("Enter");
  await expect(
    page.getByText(/Turn on auto-trade of the agent .* with its first deposit/),
  ).toBeVisible();
  await pressAt(page, "Approve");
  await expect(page.getByText("Approve this transaction?")).toBeVisible();
  await pressAt(page, "Approve");
  await expect(page.getByText("Deposit successful")).toBeVisible();
  await expect(dialog).toHaveCount(0);

  await pressAt(page, /^[1-9A-Za-z]{4}\.\.\.[1-9A-Za-z]{4}$/);
  // The panel closes when the focus leaves it, so it must have the focus first
  await expect.poll(() => holdsFocus(dialogOf(page, "Wallet"))).toBe(true);
  await pressAt(page, "Disconnect Wallet");
  await expect(page.getByText("Wallet disconnected")).toBeVisible();
});
