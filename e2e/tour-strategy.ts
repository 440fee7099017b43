import { expect, type Page } from "@playwright/test";
import type { Look } from "./look.ts";

const AGENT_FILE = {
  format: "wheelhouse-agent",
  version: 1,
  venue: "drift",
  market: "SOL-PERP",
  interval: "1h",
  slippagePercent: 0.5,
  positionSizePercent: 25,
  maxSignalAgeSeconds: 300,
  alerts: [{ name: "Breakout", condition: { kind: "every-bars", bars: 4 } }, { name: "Exit" }],
  rules: [{ action: "OPEN_LONG", conditions: [{ alert: "Breakout", times: 2 }] }],
};

/** Shows the strategy as Pine and commands, a refused file, and one that changes the agent. */
export async function lookAtCode(page: Page, look: Look): Promise<void> {
  const dialog = page.getByRole("dialog");
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  await page.getByRole("tab", { name: "Code", exact: true }).click();
  await page.getByRole("tab", { name: "Pine Script v6" }).click();
  await expect(page.getByText("Nothing to say in Pine")).toBeVisible();
  await look("25-code-pine-empty");
  await page.getByRole("tab", { name: "curl" }).click();
  await expect(page.getByRole("group", { name: "Text of the commands" })).toContainText("Breakout");
  await look("25-code-curl");
  await button("Import file").click();
  await dialog.getByLabel("Or paste its text").fill(JSON.stringify({ ...AGENT_FILE, token: "x" }));
  await button("Show changes").click();
  await expect(dialog.getByText("This file cannot be used.")).toBeVisible();
  await look("25-code-refused");
  await dialog.getByLabel("Or paste its text").fill(JSON.stringify(AGENT_FILE));
  await button("Show changes").click();
  await expect(dialog.getByText(/The file filled this in/)).toBeVisible();
  await look("25-code-difference");
  await button("Cancel").click();
  await button("Discard").click();
  await expect(dialog).toHaveCount(0);
}

/** Shows decision graphs of a denial and a trade, and the totals. */
export async function lookAtDecisions(page: Page, look: Look): Promise<void> {
  await page.getByRole("button", { name: "Why this trade" }).click();
  const graph = page.getByRole("group", { name: "Graph of the decision" });
  await expect(graph.getByRole("button", { name: /Check failed/ })).toBeVisible();
  await look("45-why-denied");
  await page.getByRole("button", { name: "Show all decisions" }).click();
  await page.getByRole("button", { name: /Open long.*Filled/ }).click();
  await graph.getByRole("button", { name: /^Checks/ }).click();
  await expect(page.getByText("Orders within a minute")).toBeVisible();
  await look("45-why-traded");
  await page.getByRole("button", { name: "By rule and alert" }).click();
  await expect(page.getByRole("region", { name: "Rules" })).toBeVisible();
  await look("45-why-sums");
}

const ALERT_LOG = [
  "Alert ID,Ticker,Name,Description,Time",
  '1,"BINANCE:SOLUSDT, 60",Breakout,words,2026-11-02T10:00:02Z',
  '2,"BINANCE:SOLUSDT, 60",Exit,words,soon',
].join("\n");

/** Shows received alerts beside trades, a file's report, and an unsaved draft with its grid; restores all state. */
export async function lookAtSimulation(page: Page, look: Look): Promise<void> {
  const dialog = page.getByRole("dialog");
  const fireBy = async (name: string) => {
    await page.getByRole("combobox", { name: "Fired by" }).click();
    await page.getByRole("option", { name }).click();
  };
  await page.getByRole("tab", { name: "Simulate" }).click();
  await fireBy("Alerts it received");
  await expect(page.getByRole("region", { name: "Beside what was really traded" })).toBeVisible();
  await look("46-simulation-replay");

  await fireBy("TradingView file");
  await page.getByRole("button", { name: "Choose a file" }).click();
  await dialog.locator("input[type=file]").setInputFiles({
    name: "log.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(ALERT_LOG),
  });
  await dialog.getByText("1 row was left out").click();
  await look("46-simulation-import");
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await fireBy("Its conditions");
  await page.getByRole("button", { name: "Configure agent" }).first().click();
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  await dialog.getByRole("button", { name: "Start from a template" }).click();
  await dialog.getByRole("button", { name: /^Use / }).first().click();
  await page.getByRole("button", { name: "Replace" }).click();
  await dialog.getByRole("button", { name: "Simulate" }).click();
  await page.getByRole("button", { name: /^Run \d+ variants$/ }).click();
  await expect(page.getByText(/variants gained\./)).toBeVisible();
  await page.getByText("What these figures mean").click();
  await look("46-simulation-draft");
  await page.getByRole("button", { name: "Back to editing" }).click();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Discard" }).click();
}
