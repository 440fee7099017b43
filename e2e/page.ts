import { expect, type Page } from "@playwright/test";
import type { Trader } from "../test/trader.ts";

/** Steps of a new user in the page. */
export interface Newcomer {
  connectAndSignIn(): Promise<void>;
  takePracticeMoney(): Promise<void>;
  openNewChat(): Promise<void>;
  /** Creates an agent with two rules: alert `Breakout` opens a long, `Exit` closes it. Default: Drift's SOL-PERP. */
  createAgent(traded?: { readonly venue: string; readonly asset: string }): Promise<void>;
  approveCustody(): Promise<void>;
  deposit(amount: string): Promise<void>;
}

/** Approves the request the practice wallet shows. */
export async function approveInWallet(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Approve", exact: true }).click();
}

/** Waits until the browser has stored a session, so that pages opened later are signed in. */
export async function expectSession(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("jwt_token")), { message: "a session" })
    .toMatch(/\w/);
}

/** Opens a chat as an existing trader, whose key becomes this browser's practice wallet. */
export async function openAs(page: Page, trader: Trader, address: string): Promise<void> {
  const stored = {
    "practice-wallet": { secret: trader.secret, isTrusted: true },
    "wallet-storage": { walletType: "practice", walletAddress: trader.address },
  };
  await page.addInitScript((entries) => {
    for (const [key, value] of Object.entries(entries)) {
      if (localStorage.getItem(key) === null) {
        localStorage.setItem(key, JSON.stringify({ version: 1, value }));
      }
    }
  }, stored);
  await page.goto(address);
  await page.getByRole("button", { name: "Sign in" }).first().click();
  await approveInWallet(page);
  await expectSession(page);
}

/** Makes the practice wallet report these transaction versions. */
export async function listVersions(page: Page, versions: readonly (string | number)[]) {
  await page.addInitScript((listed) => {
    const SIGNING = ["solana:signTransaction", "solana:signAndSendTransaction"];
    addEventListener("wallet-standard:register-wallet", (event) => {
      const { detail } = event as CustomEvent<(api: { register(wallet: unknown): void }) => void>;
      detail({
        register(wallet) {
          const { features } = wallet as { features: Record<string, object> };
          for (const name of SIGNING) {
            Object.assign(features[name] ?? {}, { supportedTransactionVersions: listed });
          }
        },
      });
    });
  }, versions);
}

/** Selects an option in one of the agent dialog's selects. */
export async function pick(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole("dialog").getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** Opens the tabs that a newcomer finds behind the +, as in a browser that has been here before. */
export async function keepAllTabs(page: Page): Promise<void> {
  const value =
    "portfolio charts trade-log manage-funds backtesting github simulation performance".split(" ");
  await page.addInitScript(
    (entry) => {
      if (localStorage.getItem("workspace-tabs") === null) {
        localStorage.setItem("workspace-tabs", entry);
      }
    },
    JSON.stringify({ version: 1, value }),
  );
}

export function createNewcomer(page: Page, url: string): Newcomer {
  const dialog = page.getByRole("dialog");
  return {
    async connectAndSignIn() {
      await keepAllTabs(page);
      await page.goto(url);
      await page.getByRole("button", { name: "Connect wallet" }).first().click();
      await page.getByRole("menuitem", { name: /Practice wallet/ }).click();
      await approveInWallet(page);
      await expectSession(page);
    },
    async takePracticeMoney() {
      await page.getByRole("button", { name: "Get practice money" }).click();
      await expect(page.getByText("Practice money received")).toBeVisible();
    },
    async openNewChat() {
      await page.getByRole("button", { name: "New Chat" }).click();
      await expect(page).toHaveURL(/\/chat\/[0-9a-f]{32}/);
    },
    async createAgent(traded) {
      await page.getByRole("button", { name: "Create agent" }).first().click();
      if (traded !== undefined) {
        await pick(page, "Venue", traded.venue);
        await pick(page, "Asset", traded.asset);
      }
      await dialog.getByRole("tab", { name: /Alerts/ }).click();
      await dialog.getByPlaceholder("Alert name").fill("Breakout");
      await dialog.getByRole("button", { name: "Add alert" }).click();
      await dialog.getByPlaceholder("Alert name").nth(1).fill("Exit");
      for (const [number, alert, action] of [
        [1, "Breakout", "Long"],
        [2, "Exit", "Close long"],
      ] as const) {
        await dialog.getByRole("button", { name: "Add rule" }).click();
        const rule = dialog.getByRole("listitem").filter({
          has: page.getByRole("heading", { name: `Rule ${number}` }),
        });
        await rule.getByLabel(alert, { exact: true }).check();
        await rule.getByRole("combobox").click();
        await page.getByRole("option", { name: action, exact: true }).click();
      }
      await dialog.getByRole("button", { name: "Create", exact: true }).click();
      await expect(page.getByText("Agent Created")).toBeVisible();
    },
    async approveCustody() {
      await expect(dialog.getByText(/Transaction 1 of 1/)).toBeVisible();
      await approveInWallet(page);
    },
    async deposit(amount) {
      await dialog.getByLabel("USDC amount").fill(amount);
      await dialog.getByRole("button", { name: /^Deposit/ }).click();
      // The first deposit turns the agent on, for which the wallet signs the whole set-up before the transaction
      const asked = page
        .getByRole("dialog")
        .getByText(/^(Sign this message|Approve this transaction)\?$/);
      await expect(asked).toBeVisible();
      if ((await asked.textContent()) === "Sign this message?") {
        await approveInWallet(page);
        await expect(page.getByText("Approve this transaction?")).toBeVisible();
      }
      await approveInWallet(page);
      await expect(page.getByText("Deposit successful")).toBeVisible();
    },
  };
}
