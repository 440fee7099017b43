import type { Browser, Page } from "@playwright/test";
import { approveInWallet, expectSession, keepAllTabs, openAs } from "../e2e/page.ts";
import { createTrader } from "../test/trader.ts";
import { launchBrowser } from "./browser.ts";
import {
  type Interaction,
  noteInteractions,
  takeInteractions,
  watchScreen,
} from "./event-timing.ts";
import { fixed, median, say } from "./figures.ts";
import { withProduct } from "./with-product.ts";

const LIMIT_MS = 100;
const ROUNDS = 3;
/** Wait for an event's report, which arrives with the next frame, in milliseconds. */
const REPORT_MS = 250;
const VIEWPORT = { width: 1440, height: 900 };

interface Step {
  readonly name: string;
  readonly interactions: Interaction[];
}

type Perform = (name: string, act: () => Promise<unknown>) => Promise<void>;

/** Runs a user journey and records its interactions by step. */
function createSteps(page: Page): { readonly steps: Map<string, Step>; readonly perform: Perform } {
  const steps = new Map<string, Step>();
  return {
    steps,
    async perform(name, act) {
      await takeInteractions(page);
      await act();
      await page.waitForTimeout(REPORT_MS);
      const step = steps.get(name) ?? { name, interactions: [] };
      steps.set(name, step);
      step.interactions.push(...(await takeInteractions(page)));
    },
  };
}

/** Baseline: interactions of a page with one button and one field. */
async function measureBare(browser: Browser): Promise<readonly Interaction[]> {
  const page = await browser.newPage({ viewport: VIEWPORT });
  await noteInteractions(page);
  await watchScreen(page);
  await page.goto("about:blank");
  await page.setContent("<button onclick=\"this.textContent += '.'\">Act</button><input>");
  const { steps, perform } = createSteps(page);
  for (let round = 0; round < 10; round += 1) {
    await perform("click", () => page.getByRole("button").click());
    await perform("type", () => page.getByRole("textbox").pressSequentially("ab"));
  }
  await page.close();
  return [...steps.values()].flatMap(({ interactions }) => interactions);
}

/** Runs from an empty browser to a new chat. */
async function arrive(page: Page, url: string, perform: Perform): Promise<void> {
  const button = (name: string) => page.getByRole("button", { name }).first();
  await page.goto(url);
  await perform("connect wallet", () => button("Connect wallet").click());
  await perform("choose wallet", () =>
    page.getByRole("menuitem", { name: /Practice wallet/ }).click(),
  );
  await perform("approve in wallet", () => approveInWallet(page));
  await expectSession(page);
  await perform("new chat", () => button("New Chat").click());
  await page.waitForURL(/\/chat\//);
}

/** Runs a trader's usual actions on an agent that has traded. */
async function work(page: Page, perform: Perform): Promise<void> {
  const dialog = page.getByRole("dialog");
  const tab = (name: string) => page.getByRole("tab", { name, exact: true });
  for (const name of ["Chart", "Trade Log", "Manage Funds", "Backtest", "Portfolio", "Chart"]) {
    await perform(`show ${name}`, () => tab(name).click());
  }
  for (const name of ["1W", "1D"]) {
    await perform("timeframe", () =>
      page
        .getByRole("group", { name: "Timeframe" })
        .getByRole("button", { name, exact: true })
        .click(),
    );
  }
  await perform("chart as line", () => page.getByRole("button", { name: "Line" }).click());
  await perform("chart as candles", () => page.getByRole("button", { name: "Candles" }).click());
  await perform("open palette", () => page.keyboard.press("Control+K"));
  await page.getByRole("combobox", { name: /Search chats/ }).waitFor();
  await perform("search in palette", () => page.keyboard.type("trade log", { delay: 60 }));
  await perform("run from palette", () => page.keyboard.press("Enter"));
  await perform("open sidebar", () => page.keyboard.press("Control+B"));
  await page.getByRole("searchbox", { name: "Search chats" }).waitFor();
  await perform("search chats", () => page.keyboard.type("agent", { delay: 60 }));
  await perform("close sidebar", () => page.keyboard.press("Escape"));
  await perform("open agent dialog", () =>
    page.getByRole("button", { name: "Configure agent" }).first().click(),
  );
  await dialog.getByLabel("Time interval").waitFor();
  for (const name of [/Alerts/, /Rules/, /Setup/]) {
    const found = dialog.getByRole("tab", { name });
    if ((await found.count()) > 0) await perform("switch tab in dialog", () => found.click());
  }
  await perform("type in dialog", () =>
    dialog.getByRole("textbox").first().pressSequentially("abc", { delay: 60 }),
  );
  // The page asks before it drops what was typed
  await perform("close dialog", () => page.keyboard.press("Escape"));
  await perform("discard changes", () =>
    page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click(),
  );
  await dialog.waitFor({ state: "hidden" });
  await perform("type a message", () =>
    page.getByRole("textbox", { name: "Message" }).pressSequentially("What now?", { delay: 60 }),
  );
  await page.getByRole("textbox", { name: "Message" }).fill("");
  await perform("change theme", () => page.getByRole("button", { name: /theme/i }).first().click());
  await perform("move the split", async () => {
    await page.getByRole("separator").first().focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowRight");
  });
}

const worst = (interactions: readonly Interaction[]) =>
  Math.max(0, ...interactions.map(({ durationMs }) => durationMs));

const browser = await launchBrowser();
try {
  const bare = await measureBare(browser);
  await withProduct({}, async (url) => {
    const trader = await createTrader(url);
    await trader.takePracticeMoney("5", "1000");
    const page = await browser.newPage({ viewport: VIEWPORT });
    await noteInteractions(page);
    await watchScreen(page);
    const { steps, perform } = createSteps(page);
    await arrive(page, url, perform);
    await page.close();
    const agent = await trader.createAgent("Agent ** SOL-1h");
    await agent.fire("enter", `${new Date().toISOString().slice(0, 19)}Z`);
    const context = await browser.newContext({ viewport: VIEWPORT });
    const own = await context.newPage();
    await noteInteractions(own);
    await watchScreen(own);
    await keepAllTabs(own);
    await openAs(own, trader, `${url}/chat/${agent.chatId}`);
    await own.getByRole("button", { name: "Configure agent" }).first().waitFor();
    const day = createSteps(own);
    for (let round = 0; round < ROUNDS; round += 1) await work(own, day.perform);

    const all = [...steps.values(), ...day.steps.values()];
    const interactions = all.flatMap((step) => step.interactions);
    const over = interactions.filter(({ durationMs }) => durationMs >= LIMIT_MS).length;
    say(
      `interactions on the recorded journeys: worst ${fixed(worst(interactions), 0)} ms of at most ${LIMIT_MS} ms, ` +
        `${over} of ${interactions.length} over; median ${fixed(median(interactions.map(({ durationMs }) => durationMs)), 0)} ms; ` +
        `a bare page: worst ${fixed(worst(bare), 0)} ms, median ${fixed(median(bare.map(({ durationMs }) => durationMs)), 0)} ms`,
    );
    for (const { name, interactions: of } of all) {
      const handlersMs = Math.max(0, ...of.map((each) => each.handlersMs));
      say(`  ${name}: worst ${fixed(worst(of), 0)} ms, handlers ${fixed(handlersMs, 0)} ms`);
    }
    if (over > 0) process.exitCode = 1;
  });
} finally {
  await browser.close();
}
