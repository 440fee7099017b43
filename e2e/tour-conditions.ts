import { expect, type Page } from "@playwright/test";
import { changeAnswers } from "./changed-answers.ts";
import type { Look } from "./look.ts";
import { pick } from "./page.ts";

/** Shows templates, conditions with preview, with all parts and unfinished; leaves a changed interval. */
export async function lookAtConditions(page: Page, look: Look): Promise<void> {
  const dialog = page.getByRole("dialog");
  const button = (name: string) => dialog.getByRole("button", { name, exact: true });
  await dialog.getByRole("tab", { name: "Setup" }).click();
  await pick(page, "Time interval", "2 hours");
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  await button("Start from a template").click();
  await expect(dialog.getByText(/days, practice market/)).toHaveCount(6);
  await look("11-templates");
  await button("Close templates").click();

  await button("Add a built-in condition to unnamed alert").click();
  await expect(dialog.getByText(/in the last 500 bars/)).toBeVisible();
  await look("11-condition");
  await button("And another comparison").click();
  await dialog.getByRole("switch", { name: "Only at certain times" }).click();
  await dialog.getByLabel("period of EMA, right of comparison 2").fill("501");
  await expect(dialog.getByText(/^Not finished/)).toBeVisible();
  await look("11-condition-not-finished");
  await button("Remove condition").click();
}

const FIRED = [
  {
    eventId: "e".repeat(32),
    alertName: "oversold",
    receivedAt: "2026-11-21T09:00:02.000Z",
    outcome: "accepted",
    fired: {
      closedAt: "2026-11-21T09:00:00.000Z",
      price: 158.4213,
      because: [
        "RSI 14 crosses above 30: 31.2, before 29.7",
        "close above EMA 200: 158.421 and 151.07",
      ],
    },
    orders: [{ orderId: "0".repeat(32), signal: "OPEN_LONG", status: "filled" }],
  },
];

/** Shows the signals of an agent whose own condition fired. */
export async function lookAtFired(page: Page, look: Look): Promise<void> {
  const dialog = page.getByRole("dialog");
  const answerNormally = await changeAnswers(page, "**/api/agents/*/signals", () => FIRED);
  await page.reload();
  await page.getByRole("button", { name: "Configure agent" }).click();
  await dialog.getByRole("tab", { name: "Signals" }).click();
  const received = dialog.getByRole("table", { name: "Received alerts" });
  await expect(received.getByText("Built-in condition")).toBeVisible();
  await received.getByText(/^RSI 14 crosses above/).scrollIntoViewIfNeeded();
  await look("37-agent-signals-fired");
  await answerNormally();
  await page.keyboard.press("Escape");
}
