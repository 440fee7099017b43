import { expect } from "@playwright/test";
import { Pool } from "pg";
import { parseOwner } from "../src/domain/ids.ts";
import { findRunningDatabase } from "../src/server/store/launch/launch-postgres.ts";
import { seedBook } from "../test/seed-book.ts";
import { createTrader } from "../test/trader.ts";
import { findViolations } from "./accessibility.ts";
import { changeAnswers } from "./changed-answers.ts";
import { openAs } from "./page.ts";
import { test } from "./running-product.ts";

test("a year of trading is shown with its gap, and all other agents stop although one fails", async ({
  page,
  running: { product, dataDir },
}) => {
  const pool = new Pool({ connectionString: findRunningDatabase(dataDir) ?? "" });
  try {
    const trader = await createTrader(product.url);
    await trader.takePracticeMoney("5", "2000");
    const first = await trader.createAgent("First ** SOL-1h");
    const second = await trader.createAgent("Second ** SOL-1h");
    await seedBook(pool, Date.now(), {
      agentId: first.botId,
      owner: parseOwner(trader.address),
      network: "practice",
      days: 365,
      tradesPerDay: 2,
      gap: [19.95, 18],
    });

    await openAs(page, trader, `${product.url}/chat/${first.chatId}?tab=performance`);
    const panel = page.getByRole("tabpanel");
    await expect(
      panel.getByText(/^Nothing was recorded .*The curve has a gap there/),
    ).toBeVisible();
    await panel.getByRole("button", { name: "1 y" }).click();
    await expect(panel.getByText("Hit rate")).toBeVisible();
    await panel.getByRole("button", { name: "How is Return computed?" }).click();
    await expect(page.getByText(/^Time-weighted: growth between every deposit/)).toBeVisible();
    await page.keyboard.press("Escape");
    const chart = panel.getByRole("slider", { name: /^Growth of the agent/ });
    await chart.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(chart).toHaveAttribute("aria-valuetext", /This agent [+−]?\d/);
    // Figures of the span before are pale until those of the new one are there
    await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0);
    expect(await findViolations(page, "[role=tabpanel]")).toEqual([]);

    const simulated = panel.getByRole("region", { name: "Live and simulated" });
    await panel.getByRole("button", { name: "7 d" }).click();
    await panel.getByRole("button", { name: "Compare" }).click();
    await expect(simulated.getByRole("row", { name: /^Return / })).toBeVisible();
    const compared = panel.getByRole("slider", { name: /against its simulation$/ });
    await compared.focus();
    await page.keyboard.press("ArrowLeft");
    await expect(compared).toHaveAttribute("aria-valuetext", /Live .+, Simulated [+−]?\d/);
    await expect(panel.locator('[aria-busy="true"]')).toHaveCount(0);
    expect(await findViolations(page, "[role=tabpanel]")).toEqual([]);

    const seeThrough = await changeAnswers(page, "**/performance?**", (body) => ({
      ...body,
      unbooked: 2,
    }));
    await page.route("**/api/candles?**", (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.reload();
    await expect(panel.getByText(/^Prices of SOL are missing/)).toBeVisible();
    await expect(panel.getByText(/^2 transactions are not final yet/)).toBeVisible();
    await page.setViewportSize({ width: 360, height: 780 });
    expect(await findViolations(page, "[role=tabpanel]")).toEqual([]);
    await page.setViewportSize({ width: 1440, height: 900 });
    await seeThrough();

    await page.getByRole("tab", { name: "Portfolio" }).click();
    await expect(panel.getByRole("button", { name: "First ** SOL-1h" })).toBeVisible();
    expect(await findViolations(page, "[role=tabpanel]")).toEqual([]);
    await page.route(`**/api/agents/${first.botId}/trading-status`, (route) => route.abort());
    await panel.getByRole("button", { name: "Stop all agents" }).click();
    const question = page.getByRole("alertdialog", { name: "Stop 2 agents?" });
    await question.getByRole("button", { name: "Stop all" }).click();
    const progress = page.getByRole("dialog", { name: "Some did not stop" });
    await expect(progress.getByText("Not stopped")).toHaveCount(1);
    await expect(progress.getByRole("listitem").filter({ hasText: "Second" })).toContainText(
      /Off|Stopping/,
    );
    await page.unroute(`**/api/agents/${first.botId}/trading-status`);
    await progress.getByRole("button", { name: "Try it again" }).click();
    await expect(page.getByRole("dialog", { name: "All stopped" })).toBeVisible();
    await page.getByRole("button", { name: "Close", exact: true }).last().click();
    for (const { botId } of [first, second]) {
      const { rows } = await pool.query("select auto_trade from agents where id = $1", [botId]);
      expect(rows[0].auto_trade).not.toBe("on");
    }
  } finally {
    await pool.end();
  }
});
