import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import type { AlertCondition } from "../src/domain/condition/condition.ts";
import { findViolations } from "./accessibility.ts";
import { createTrader, type FundedAgent, secondsAgo, type Trader } from "../test/trader.ts";
import { openAs } from "./page.ts";
import { type RunningProduct, test } from "./running-product.ts";

const rsi = { kind: "indicator", name: "RSI", output: "value", parameters: [14] } as const;
const CONDITIONS: Readonly<Record<string, AlertCondition>> = {
  enter: {
    kind: "comparisons",
    all: [{ left: rsi, is: "crosses-below", right: { kind: "number", value: 35 } }],
  },
  exit: {
    kind: "comparisons",
    all: [{ left: rsi, is: "crosses-above", right: { kind: "number", value: 60 } }],
  },
};

const HOUR_MS = 3_600_000;

/** Sets the page's clock into the middle of the hour of a moment, so that no bar closes meanwhile: bars are simulated. */
const standAmidHour = (page: Page, atMs: number) =>
  page.clock.setSystemTime((Math.floor(atMs / HOUR_MS) + 0.5) * HOUR_MS);

/** A trader with a funded agent, of one test alone. */
interface Simulated {
  readonly url: string;
  readonly trader: Trader;
  readonly agent: FundedAgent;
}

async function createSimulated(url: string): Promise<Simulated> {
  const trader = await createTrader(url);
  await trader.takePracticeMoney("5", "500");
  return { url, trader, agent: await trader.createAgent("Agent ** SOL-1h") };
}

async function setConditions({ trader, agent }: Simulated): Promise<void> {
  for (const [name, condition] of Object.entries(CONDITIONS)) {
    await trader.call("PUT", `/api/alerts/${agent.botId}/${name}`, { name, condition });
  }
}

async function openSimulation(page: Page, { url, trader, agent }: Simulated): Promise<void> {
  await standAmidHour(page, Date.now() - HOUR_MS);
  await openAs(page, trader, `${url}/chat/${agent.chatId}`);
  await page.getByRole("tab", { name: "Simulate" }).click();
}

/** Opens Simulate of an agent with conditions of its own. */
async function openConditions(page: Page, { product }: RunningProduct): Promise<Simulated> {
  const simulated = await createSimulated(product.url);
  await setConditions(simulated);
  await openSimulation(page, simulated);
  return simulated;
}

test("an agent without conditions says what it needs; an agent with conditions is simulated", async ({
  page,
  running: { product },
}) => {
  const simulated = await createSimulated(product.url);
  await openSimulation(page, simulated);
  await expect(page.getByText("None of its alerts has a condition")).toBeVisible();

  await setConditions(simulated);
  await page.reload();
  await expect(page.getByRole("heading", { name: "How far to believe it" })).toBeVisible();
  await expect(
    page.getByText(/trades? (is|are) too few|Drawn anew from blocks of its own days/).first(),
  ).toBeVisible();
  await expect(page.getByText("The practice market is made up")).toBeVisible();
  const hash = page.locator("code");
  const before = await hash.textContent();
  expect(before).toMatch(/^[0-9a-f]{64}$/);

  // Selecting a trade opens it in the Chart tab; the result stays unchanged
  const trades = page.getByRole("table").filter({ hasText: "Entry" });
  await trades.getByRole("button").first().click();
  await expect(page.getByRole("tab", { name: "Chart", selected: true })).toBeVisible();
  await expect(page.getByText(/^Simulated trade, long, /)).toBeVisible();
  const drawing = page.getByRole("application", { name: "SOL/USD price chart" });
  await expect(drawing).toHaveAccessibleDescription(
    /candles of 60 minutes\. Simulated trade, long/,
  );
  await drawing.focus();
  await page.keyboard.press("Home");
  await expect(drawing).toContainText(/open .* close/);
  expect(await findViolations(page, '[role="tabpanel"]')).toEqual([]);
  await page.getByRole("button", { name: "Show the market" }).click();
  await expect(page.getByText(/^Simulated trade, long, /)).toHaveCount(0);
  await page.getByRole("tab", { name: "Simulate" }).click();
  await page.getByRole("button", { name: "Show the whole run" }).click();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "JSON" }).click();
  const saved = JSON.parse(readFileSync(await (await download).path(), "utf8")) as {
    inputHash: string;
    run: { trades: unknown[]; startMoney: string };
  };
  expect(saved.inputHash).toBe(before);
  expect(saved.run.startMoney).toBe("1000000000");
  expect(saved.run.trades.length).toBeGreaterThan(10);

  // A plan is tried on the same history: faults beside the field, sentences, and trades that say what ended them
  const plan = page.getByRole("region", { name: "Try a stop and targets" });
  await plan.getByRole("button", { name: "Stop", exact: true }).click();
  await plan.getByLabel("Stop, %", { exact: true }).fill("70");
  await plan.getByRole("button", { name: "Run with this plan" }).click();
  await expect(plan.getByText("Choose 0.1 % to 50 %.")).toBeVisible();
  await plan.getByLabel("Stop, %", { exact: true }).fill("1.5");
  await plan.getByRole("button", { name: "Target", exact: true }).click();
  await plan.getByLabel("Part of target 1, %").fill("50");
  await plan.getByLabel("Target 1, % profit").fill("1");
  await expect(plan.getByRole("status")).toContainText(
    "Stop 1.5 % below the average entry. Sell half at +1 %.",
  );
  await page.keyboard.press("Enter");
  const ends = page.getByRole("table", { name: "How trades ended" });
  await expect(ends.getByRole("rowheader", { name: "target" })).toBeVisible();
  await expect(hash).not.toHaveText(before ?? "");
  await expect(page.getByText("With the plan tried below")).toBeVisible();
  await expect(page.getByText("Inside a bar the order of prices is unknown")).toBeVisible();
  expect(await findViolations(page, '[role="tabpanel"]')).toEqual([]);
  await plan.getByRole("button", { name: "Without a plan" }).click();
  await expect(ends).toHaveCount(0);
  await expect(page.getByText("With the plan tried below")).toHaveCount(0);
  await expect(hash).toHaveText(before ?? "");

  await page.getByLabel(/^Money at the start/).fill("nothing");
  await page.getByRole("button", { name: "Run with these" }).click();
  await expect(page.getByText("An amount above zero")).toBeVisible();
  await page.getByLabel(/^Money at the start/).fill("2000");
  await page.getByLabel("Fee, %").fill("1");
  await page.getByRole("button", { name: "Run with these" }).click();
  await expect(hash).not.toHaveText(before ?? "");
  await expect(page.getByText("Costs took")).toBeVisible();
  expect(await findViolations(page, '[role="tabpanel"]')).toEqual([]);
  // No horizontal overflow on phones; the other theme has its own colours
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findViolations(page, '[role="tabpanel"]')).toEqual([]);
  const isWider = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  expect(isWider).toBe(false);
});

test("an unsaved draft can be simulated, survives a reload, and is saved afterwards", async ({
  page,
  running,
}) => {
  await openConditions(page, running);
  await expect(page.getByText("as it is saved")).toBeVisible();
  const hash = page.locator("code");
  const saved = await hash.textContent();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "Configure agent" }).click();
  const size = dialog.getByRole("textbox", { name: "Position size" });
  await size.fill("0");
  await dialog.getByRole("button", { name: "Simulate" }).click();
  await expect(dialog.getByText("Position size must be between 1% and 100%.")).toBeVisible();
  await size.fill("40");
  await dialog.getByRole("button", { name: "Simulate" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText("Unsaved draft")).toBeVisible();
  await expect(page.getByText(/An entry uses 40% of the free money/)).toBeVisible();
  await expect(hash).not.toHaveText(saved ?? "");
  expect(await findViolations(page, '[role="tabpanel"]')).toEqual([]);

  // The saved agent can be simulated too; the draft is kept
  await page.getByRole("button", { name: "Saved", exact: true }).click();
  await expect(hash).toHaveText(saved ?? "");
  await page.getByRole("button", { name: "Back to editing" }).click();
  await expect(size).toHaveValue("40");

  // Past firings of a condition are shown on the chart; the draft is kept
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  await dialog.getByRole("button", { name: "Edit condition of enter" }).click();
  await dialog.getByRole("button", { name: "Show on the chart" }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page.getByText(/would have fired \d+ times on these 500 bars\.$/)).toBeVisible();
  await page.getByRole("button", { name: "Back to editing" }).click();
  await dialog.getByRole("tab", { name: "Setup" }).click();
  await expect(size).toHaveValue("40");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Keep editing" }).click();
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Agent Updated")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Simulate" }).click();
  await expect(page.getByText("Unsaved draft")).toHaveCount(0);
  await expect(page.getByText(/An entry uses 40% of the free money/)).toBeVisible();
});

test("a grid runs in the background, can be cancelled, and its variants stay counted", async ({
  page,
  browser,
  running,
}) => {
  const simulated = await openConditions(page, running);
  const run = page.getByRole("button", { name: /^Run \d+ variants$/ });
  // A run may end before it is cancelled
  await expect(async () => {
    await run.click();
    await page.getByRole("button", { name: "Cancel" }).click({ timeout: 2_000 });
  }).toPass();
  await expect(run).toBeVisible();
  await run.click();
  await expect(page.getByText(/^\d+ of \d+ variants gained\./)).toBeVisible();
  await expect(page.getByText("The best one on the 30% kept out:")).toBeVisible();

  // The variants count in another browser too, and so does a number tried by hand
  const tried = async (on: Page) => {
    const said = await on.getByText(/After \d+ variants tried on this market/).textContent();
    return Number(/After (\d+)/.exec(said ?? "")?.[1]);
  };
  await expect(page.getByText(/After \d{3} variants tried on this market/)).toBeVisible();
  const counted = await tried(page);
  expect(counted).toBeGreaterThanOrEqual(400);
  const context = await browser.newContext();
  const other = await context.newPage();
  await openSimulation(other, simulated);
  expect(await tried(other)).toBe(counted);
  const dialog = other.getByRole("dialog");
  await other.getByRole("button", { name: "Configure agent" }).click();
  await dialog.getByRole("textbox", { name: "Position size" }).fill("37");
  await dialog.getByRole("button", { name: "Simulate" }).click();
  await expect(other.getByText(/An entry uses 37% of the free money/)).toBeVisible();
  expect(await tried(other)).toBe(counted + 1);
  await context.close();

  // Every variant is reachable by keys and touch; its result is described in text
  const map = page.getByRole("application", { name: /^Results from/ });
  const told = page.locator("figcaption [aria-live]");
  await map.focus();
  for (const key of Array.from({ length: 20 }, () => "ArrowUp")) await page.keyboard.press(key);
  for (const key of Array.from({ length: 20 }, () => "ArrowLeft")) await page.keyboard.press(key);
  const corner = await told.textContent();
  await page.keyboard.press("ArrowDown");
  await expect(told).not.toHaveText(corner ?? "");
  await expect(told).toContainText("Here:");
  await map.locator("rect").last().dispatchEvent("pointerdown", { pointerType: "touch" });
  await expect(told).not.toHaveText(corner ?? "");
  await page.getByText("What these figures mean").click();
  await expect(page.getByText("Share of the trades that gained.")).toBeVisible();
  expect(await findViolations(page, '[role="tabpanel"]')).toEqual([]);
});

test("a list of trades and an alert log are imported, and any other file is refused", async ({
  page,
  running: { product },
}) => {
  const simulated = await createSimulated(product.url);
  const { agent } = simulated;
  await openSimulation(page, simulated);
  await page.getByRole("combobox", { name: "Fired by" }).click();
  await page.getByRole("option", { name: "Alerts it received" }).click();
  await expect(page.getByText("It received no alert yet")).toBeVisible();
  await page.getByRole("combobox", { name: "Fired by" }).click();
  await page.getByRole("option", { name: "TradingView file" }).click();
  await page.getByRole("button", { name: "Choose a file" }).click();
  const dialog = page.getByRole("dialog");
  const choose = (name: string, text: string | Buffer) =>
    dialog.locator("input[type=file]").setInputFiles({
      name,
      mimeType: "text/csv",
      buffer: Buffer.from(text),
    });
  await choose("photo.csv", Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 1]));
  await expect(dialog.getByRole("alert")).toHaveText(/This is no text file/);

  // A position every second day, times in New York's zone
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  const rows = Array.from({ length: 40 }, (_, at) => [
    `${at + 1};Entry long;${day(90 - at * 2)} 09:00;Buy the dip;100,5`,
    `${at + 1};Exit long;${day(89 - at * 2)} 09:00;"Close; at last";101,5`,
  ]).flat();
  const head = "Trade number;Type;Date and time;Signal;Price USD";
  await choose("trades.csv", [head, ...rows, "99;Entry long;soon;x;1"].join("\n"));
  await expect(dialog.getByText("80 of 81 rows understood.")).toBeVisible();
  await dialog.getByText("1 row was left out").click();
  await expect(dialog.getByText('Line 82: "soon" is no time')).toBeVisible();
  expect(await findViolations(page, "[role=dialog]")).toEqual([]);
  await dialog.getByRole("button", { name: "Simulate 80 events" }).click();
  await expect(page.getByText("another market, or of another time zone")).toBeVisible();
  await expect(
    page.getByText("Show more").or(page.getByText("How far to believe it")),
  ).toBeVisible();

  await page.getByRole("button", { name: "Other file" }).click();
  const log = [
    "Alert ID,Ticker,Name,Description,Time",
    `1,"BINANCE:SOLUSDT, 60",Dip,"{""alertName"": ""enter""}",${day(30)}T10:00:02Z`,
    `2,"BINANCE:SOLUSDT, 60",=1+1,words,${day(29)}T10:00:02Z`,
  ];
  await choose("log.csv", log.join("\r\n"));
  await expect(dialog.getByRole("cell", { name: "=1+1" })).toBeVisible();
  await dialog.getByRole("combobox", { name: "Alert for =1+1" }).click();
  await page.getByRole("option", { name: "exit" }).click();
  await dialog.getByRole("button", { name: "Simulate 2 events" }).click();
  await expect(page.getByText("1 trade is too few to say anything.")).toBeVisible();

  // Received alerts are replayed and compared with the actual trades
  const firedAt = secondsAgo(0);
  await agent.fire("enter", firedAt);
  await expect.poll(async () => (await agent.log())[0]?.status).toBe("success");
  await standAmidHour(page, Date.parse(firedAt));
  await page.reload();
  await page.getByRole("combobox", { name: "Fired by" }).click();
  await page.getByRole("option", { name: "Alerts it received" }).click();
  const replay = page.getByRole("region", { name: "Beside what was really traded" });
  await expect(replay.getByText("Bar not closed yet")).toBeVisible();
  expect(await findViolations(page, '[role="tabpanel"]')).toEqual([]);
});
