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

/** The strategy in Pine and as commands, a file that is refused, and one that would change the agent. */
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

/** Why an agent traded and why it did not: graphs of a denial and of a trade, and what they add up to. */
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
