import { expect, type Page } from "@playwright/test";
import { approveInWallet, createNewcomer } from "./page.ts";
import { fireAlert } from "./fire-alert.ts";
import type { Look } from "./look.ts";
import { lookAtConditions, lookAtFired } from "./tour-conditions.ts";
import {
  lookAtApproval,
  lookAtCondition,
  lookAtHalfDone,
  lookAtNearLimits,
  lookAtStolenKey,
  lookAtFaults,
  recordConversation,
} from "./tour-states.ts";
import { lookAtCode, lookAtDecisions, lookAtSimulation } from "./tour-strategy.ts";
import { lookAtLimits, lookAtStopAll } from "./tour-owner.ts";
import { lookAtWalletMenu } from "./tour-wallet.ts";

export const WIDE = { width: 1440, height: 900 };

const TABS = [
  ["portfolio", "Portfolio", "Total value"],
  ["charts", "Chart", "SOL/USD"],
  ["trade-log", "Trade Log", "No trades yet"],
  ["manage-funds", "Manage Funds", "Current Holdings"],
  ["backtesting", "Backtest", "No trading hypotheses available"],
  ["github", "Code", "Import file"],
  ["simulation", "Simulate", "None of its alerts has a condition"],
  ["performance", "Performance", "30 d"],
  ["ssh", "SSH", "Coming Soon"],
  ["causal-factor-graphs", "Causal Factor Graphs", "No decisions yet"],
] as const;

/** Part of the tour, starting with an empty browser. */
export interface Stretch {
  readonly name: string;
  walk(page: Page, url: string, look: Look): Promise<void>;
}

/** Creates the steps shared by all parts of the tour. */
function createWalker(page: Page, url: string) {
  const newcomer = createNewcomer(page, url);
  const dialog = page.getByRole("dialog");
  const closeTop = () => page.keyboard.press("Escape");
  return {
    newcomer,
    dialog,
    closeTop,
    button: (name: string | RegExp) => page.getByRole("button", { name, exact: true }),
    async close() {
      await closeTop();
      await expect(page.locator("[role=dialog], [role=alertdialog]")).toHaveCount(0);
    },
    /** Runs from an empty browser to an agent that waits for its first alert. */
    async fundAgent() {
      await newcomer.connectAndSignIn();
      await newcomer.takePracticeMoney();
      await newcomer.openNewChat();
      await newcomer.createAgent();
      await newcomer.approveCustody();
      await newcomer.deposit("500");
    },
  };
}

async function arrive(page: Page, url: string, look: Look): Promise<void> {
  const { newcomer, dialog, button, close } = createWalker(page, url);

  await page.goto(url);
  await expect(page.getByText("From alert to trade")).toBeVisible();
  await expect(page.getByRole("list", { name: "Last trades of the sample agent" })).toBeVisible();
  await look("01-disconnected");
  await look("01-disconnected-chat", { phonePage: "Chat" });
  await look("01-disconnected-agents", { phonePage: "Agents" });
  await page.getByRole("banner").getByRole("button", { name: "Connect wallet" }).click();
  await expect(page.getByRole("menu")).toBeVisible();
  await look("02-wallet-choice");
  await page.getByRole("menuitem", { name: "Install Phantom" }).click();
  await expect(dialog.getByText("Phantom Wallet Required")).toBeVisible();
  await look("03-phantom-required");
  await close();

  await page.getByRole("banner").getByRole("button", { name: "Connect wallet" }).click();
  await page.getByRole("menuitem", { name: /Practice wallet/ }).click();
  await expect(page.getByText("Sign this message?")).toBeVisible();
  await look("04-practice-wallet");
  await button("Reject").click();
  await expect(button("Sign in").first()).toBeVisible();
  await look("05-connected");
  await button("Sign in").first().click();
  await expect(page.getByText("Sign this message?")).toBeVisible();
  await look("06-sign-in");
  await approveInWallet(page);
  await expect(button("Get practice money")).toBeVisible();
  await look("07-no-chats");
  await look("07-no-chats-agents", { phonePage: "Agents" });
  await newcomer.takePracticeMoney();
  await newcomer.openNewChat();
  await expect(page.getByText(/Ask questions about Solana/)).toBeVisible();
  await look("08-empty-chat", { phonePage: "Chat" });

  await button("Create agent").first().click();
  await expect(dialog.getByLabel("Time interval")).toBeVisible();
  await look("09-new-agent");
  await dialog.getByLabel("Time interval").click();
  await page.getByRole("option", { name: "Custom interval" }).click();
  await dialog.getByLabel("Custom interval number").fill("2");
  await expect(dialog.getByText("Must be between 28 minutes and 1 week")).toBeVisible();
  await look("10-custom-interval");
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  await look("11-no-alerts");
  await lookAtConditions(page, look);
  await dialog.getByRole("tab", { name: "Setup" }).click();
  await button("Create").click();
  await expect(page.getByText("Configuration Incomplete")).toBeVisible();
  // The toast covers no button of the dialog
  const isFree = await button("Create").evaluate((create) => {
    const { right, top, height } = create.getBoundingClientRect();
    return create.contains(document.elementFromPoint(right - 4, top + height / 2));
  });
  expect(isFree).toBe(true);
  await look("12-configuration-incomplete");
  await button("Cancel").click();
  await expect(page.getByText("Discard your changes?")).toBeVisible();
  await look("12-discard");
  await button("Discard").click();
  // The toast closes by itself unless hovered
  await page.mouse.move(0, 0);
  await expect(button("Close notification")).toHaveCount(0);
  await newcomer.createAgent();
  await expect(dialog.getByText(/Transaction 1 of 1/)).toBeVisible();
  await expect(page.getByText("Approve this transaction?")).toBeVisible();
  await look("13-approve-set-up");
  await button("Reject").click();
  await expect(dialog.getByText(/You refused the request/)).toBeVisible();
  await look("13-refused");
  await close();
  await page.getByRole("tab", { name: "Manage Funds" }).click();
  await expect(page.getByText("No Trading Account Found")).toBeVisible();
  await look("13-no-account");
  await button("Make the first deposit").click();
  await newcomer.approveCustody();
  await expect(dialog.getByLabel("USDC amount")).toBeVisible();
  await look("14-deposit");
  await dialog.getByLabel("USDC amount").fill("999999");
  await dialog.getByRole("button", { name: /^Deposit/ }).click();
  await look("15-deposit-refused");
  await newcomer.deposit("500");
  await page.getByRole("tab", { name: "Portfolio" }).click();
  await expect(page.getByText("Waiting for your first alert")).toBeVisible();
  await look("16-waiting-for-alert");
}

async function seeTabsAndAgent(page: Page, url: string, look: Look): Promise<void> {
  const { dialog, button, closeTop, fundAgent } = createWalker(page, url);
  await fundAgent();

  for (const [id, label, text] of TABS) {
    const tab = page.getByRole("tab", { name: label, exact: true });
    if ((await tab.count()) === 0) {
      const entry = page.getByRole("menuitem", { name: label, exact: true });
      // A menu closed by a resize remains for a moment
      const openMenu = () =>
        expect(async () => {
          if (!(await entry.isVisible())) await button("Add tab").click();
          await expect(entry).toBeVisible({ timeout: 2_000 });
        }).toPass();
      await openMenu();
      await look(`20-add-tab-${id}`, { again: openMenu });
      await openMenu();
      await entry.click();
    } else await tab.click();
    await expect(page).toHaveURL(id === "portfolio" ? /[0-9a-f]$/ : new RegExp(`tab=${id}$`));
    await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
    await look(`20-tab-${id}`);
  }

  for (const [name, seen] of [
    ["Starters", /^\d+ days, practice market/],
    ["Markets", /^[+−][\d.]+%$/],
  ] as const) {
    await button("Add tab").click();
    await page.getByRole("menuitem", { name, exact: true }).click();
    await expect(dialog.getByText(seen).last()).toBeVisible();
    if (name === "Starters") {
      await button("Compare Trend following").click();
      await button("Compare Breakout").click();
    }
    await look(`21-${name.toLowerCase()}`);
    await closeTop();
    await expect(dialog).toHaveCount(0);
  }

  await lookAtCode(page, look);

  await button("Configure agent").click();
  await expect(dialog.getByRole("textbox", { name: "Webhook URL" })).toHaveValue(/webhook/);
  await look("30-agent");
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  await look("31-agent-rules");
  await dialog.getByRole("button", { name: "Delete Exit" }).click();
  await expect(page.getByText(/This alert is used by 1 rule/)).toBeVisible();
  await look("32-delete-alert");
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("tab", { name: "Signals" }).click();
  await look("33-agent-signals");
  await dialog.getByRole("tab", { name: "Setup" }).click();
  await button("Add Agentic-Trade").click();
  await expect(page.getByText("When my DeFi Agent Executes a...")).toBeVisible();
  await look("34-auto-hypothesis");
  await closeTop();
  await dialog.getByRole("switch").click();
  await expect(page.getByText(/Turn O(n|ff) Auto-Trading\?/)).toBeVisible();
  await look("35-auto-trade");
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await closeTop();

  await recordConversation(page);
  await page.reload();
  await expect(page.getByRole("heading", { name: "Two ways" })).toBeAttached();
  await look("36-conversation", { phonePage: "Chat" });
  await lookAtFired(page, look);
}

async function trade(page: Page, url: string, look: Look): Promise<void> {
  const { button, fundAgent } = createWalker(page, url);
  await fundAgent();

  await fireAlert(page, "Breakout");
  await page.getByRole("tab", { name: "Trade Log" }).click();
  const log = page.getByRole("table");
  await expect(log.getByText("Open long")).toBeVisible();
  // Filled after the exchange's auction
  await expect(log.getByText(/^(Pending|At the venue)$/)).toHaveCount(0);
  await look("40-trade-log");
  await fireAlert(page, "Breakout");
  const showAttention = async () => {
    await button(/^Attention/).click();
    await expect(log.getByText("Failed")).toBeVisible();
    const row = log.getByRole("button", { expanded: false });
    if ((await row.count()) > 0) await row.click();
    await expect(page.getByText("Market price")).toBeVisible();
  };
  await showAttention();
  await look("41-attention", { again: showAttention });
  await lookAtDecisions(page, look);
  await lookAtSimulation(page, look);
  await page.getByRole("tab", { name: "Chart" }).click();
  await look("42-chart-with-position");
  await page.getByRole("tab", { name: "Manage Funds" }).click();
  const withdraw = async () => {
    if (await page.getByRole("alertdialog").isVisible()) return;
    await page.getByLabel("USDC amount").fill("10");
    await page
      .getByRole("button", { name: /^Withdraw/ })
      .first()
      .click();
    await expect(page.getByText("Cannot Withdraw - Agent is Active")).toBeVisible();
  };
  await withdraw();
  await look("43-withdraw-blocked", { again: withdraw });
  await withdraw();
  await page.getByRole("alertdialog").getByRole("button", { name: "Cancel" }).click();
  await lookAtApproval(page, look);
  await lookAtFaults(page, look);
  await lookAtCondition(page, look);
  await lookAtNearLimits(page, look);
  await lookAtStolenKey(page, look);
  await lookAtHalfDone(page, look);
}

async function lookAround(page: Page, url: string, look: Look): Promise<void> {
  const { dialog, button, close, closeTop, fundAgent } = createWalker(page, url);
  await fundAgent();

  await lookAtLimits(page, look);
  await lookAtStopAll(page, look);
  await lookAtWalletMenu(page, look, close);

  await button("Toggle sidebar").click();
  await expect(dialog.getByPlaceholder("Search")).toBeVisible();
  await look("60-sidebar");
  await dialog
    .getByRole("button", { name: /^Rename/ })
    .first()
    .click();
  await look("61-rename");
  await closeTop();
  await dialog
    .getByRole("button", { name: /^Delete/ })
    .first()
    .click();
  await expect(page.getByText(/^(Confirm Deletion|Cannot delete agent)$/).first()).toBeVisible();
  await look("62-confirm-deletion");
  await closeTop();
  // Its entry leaves the browser's history: a reload meanwhile would meet that navigation, and one of them end the other
  await page.waitForFunction(() => navigation.canGoForward);
  await page.reload();
  await expect(button("Toggle sidebar")).toBeVisible();
  await button("Toggle sidebar").click();
  await button("API Key").click();
  await expect(dialog.getByText("API Key Required")).toBeVisible();
  await look("63-api-key");
  await closeTop();
  await expect(dialog.getByText("API Key Required")).toHaveCount(0);
  // Closes the sidebar from which it was opened
  await close();

  await page.keyboard.press("Control+K");
  await expect(page.getByRole("combobox", { name: /Search chats/ })).toBeFocused();
  await look("70-palette");
  await page.keyboard.type("qqqq");
  await expect(page.getByText("Nothing is called")).toBeVisible();
  await look("71-palette-nothing");
  await close();
  await page.keyboard.press("?");
  await expect(dialog.getByText("Keyboard shortcuts")).toBeVisible();
  await look("72-shortcuts");
  await close();

  await page.context().setOffline(true);
  await expect(page.getByText("Server connection offline")).toBeVisible();
  await look("80-offline");
  await page.context().setOffline(false);
  await page.goto(`${url}/no-such-page`);
  await expect(page.getByText("Oops! Page not found")).toBeVisible();
  await look("81-not-found");
  await page.route("**/assets/backtesting-*.js", (route) => route.abort());
  await page.goto(`${url}/?tab=backtesting`);
  await expect(page.getByText("This part did not load")).toBeVisible();
  await look("82-lost-panel");
  // Makes the layout's media query throw while it renders
  await page.addInitScript(() => {
    const ask = matchMedia.bind(window);
    window.matchMedia = (query) => {
      if (query.includes("width")) throw new Error("The page broke");
      return ask(query);
    };
  });
  await page.goto(url);
  await expect(page.getByText("Unexpected Application Error!")).toBeVisible();
  await look("83-error");
}

/** One user's tour through every screen, in a new user's order. */
export const TOUR: readonly Stretch[] = [
  { name: "from the first page to a funded agent", walk: arrive },
  { name: "every tab, the agent's dialogs and its chat", walk: seeTabsAndAgent },
  { name: "trades, money, trouble and halts", walk: trade },
  { name: "wallet, chats, palette, and what is not there", walk: lookAround },
];
