import { expect, type Locator, type Page } from "@playwright/test";
import { changeAnswers } from "./changed-answers.ts";
import { shareFundedAgent } from "./funded-agent.ts";
import { openAs } from "./page.ts";
import { test } from "./running-product.ts";

const NAME = "Agent ** SOL-1h";
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 700, height: 900 };

const shared = shareFundedAgent(NAME);

test.describe.configure({ mode: "default" });

const open = (page: Page, tab: string) =>
  openAs(page, shared.trader, `${shared.product.url}/chat/${shared.agent.chatId}?tab=${tab}`);

const showPage = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Pages" }).getByRole("button", { name }).click();

async function tellMuch(): Promise<void> {
  for (let index = 0; index < 6; index++) {
    await shared.trader.call("POST", `/api/chats/${shared.agent.chatId}/messages`, {
      _id: String(index).padStart(32, "d"),
      type: "ai",
      content: `Answer ${index}\n\n${"Wait for a close beyond the level.\n\n".repeat(8)}`,
      timestamp: new Date(Date.UTC(2026, 10, 21, 9, index)).toISOString(),
    });
  }
}

test("turning the device keeps text, choices and scroll positions", async ({ page }) => {
  await tellMuch();
  await open(page, "manage-funds");
  const amount = page.getByLabel("USDC amount");
  const message = page.getByRole("textbox", { name: "Message" });
  const log = page.getByRole("log", { name: "Messages" });
  await amount.fill("12.5");
  await expect(log.getByText("Answer 5")).toBeVisible();
  await log.evaluate((list) => list.scrollTo(0, 300));
  const attention = page.getByRole("button", { name: /^Attention/ });
  await message.pressSequentially("Half a thou");

  await page.setViewportSize(NARROW);
  await expect(message).toBeFocused();
  await page.keyboard.type("ght");
  await expect(message).toHaveValue("Half a thought");
  await expect(page.getByRole("button", { name: "Newest" })).toBeVisible();
  await showPage(page, "Agents");
  await expect(message).toBeHidden();
  await showPage(page, "Trade");
  await expect(message).toBeHidden();
  await expect(amount).toHaveValue("12.5");
  await page.getByRole("tab", { name: "Trade Log" }).click();
  await attention.click();

  await page.setViewportSize(WIDE);
  await expect(attention).toHaveAttribute("aria-pressed", "true");
  await expect(message).toHaveValue("Half a thought");
  await expect(page.getByRole("button", { name: "Newest" })).toBeVisible();
  await log.evaluate((list) => list.scrollTo(0, list.scrollHeight));
  // The page heard of it: what is hidden has no place to be read from
  await expect(page.getByRole("button", { name: "Newest" })).toBeHidden();
  await attention.focus();
  await page.setViewportSize(NARROW);
  await expect(attention).toBeFocused();
  await showPage(page, "Chat");
  await expect(log.getByText("Answer 5")).toBeInViewport();
});

/** Viewport of a 1440 x 900 screen at 200 % zoom, in CSS pixels. */
const ZOOMED = { width: 720, height: 450 };

const TABS = ["Portfolio", "Chart", "Trade Log", "Manage Funds"];

const overflows = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test("at 200 % nothing is cut off: every panel scrolls, every dialog shows how to leave it", async ({
  page,
}) => {
  await page.setViewportSize(ZOOMED);
  await open(page, "portfolio");
  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  for (const name of TABS) {
    await page.getByRole("tab", { name }).click();
    await expect(page.getByRole("tabpanel", { name })).toBeVisible();
    await expect
      .poll(() => overflows(page), { message: `${name} is wider than the screen` })
      .toBe(false);
    if (name !== "Chart") continue;
    const end = page.getByText(/^Charts by TradingView/);
    await end.scrollIntoViewIfNeeded();
    await expect(end).toBeInViewport({ ratio: 1 });
  }
  await button("Withdraw all").scrollIntoViewIfNeeded();
  await expect(button("Withdraw all")).toBeInViewport({ ratio: 1 });
  await page.getByLabel("USDC amount").fill("10");

  const dialogs: readonly [opener: string | (() => Promise<void>), name: RegExp, last: RegExp][] = [
    ["Configure agent", /^Agent/, /^Save$/],
    ["Deposit", /^Deposit$/, /^Approve in/],
    [() => page.keyboard.press("?"), /^Keyboard shortcuts$/, /^Close$/],
  ];
  for (const [opener, name, last] of dialogs) {
    await (typeof opener === "string" ? button(opener).click() : opener());
    const dialog = page.getByRole("dialog", { name });
    await expect(dialog.getByRole("heading").first()).toBeInViewport({ ratio: 1 });
    await expect(dialog.getByRole("button", { name: last }).last()).toBeInViewport({ ratio: 1 });
    await expect
      .poll(() => overflows(page), { message: `${String(name)} is wider than the screen` })
      .toBe(false);
    await page.keyboard.press("Escape");
    await expect(dialog).toHaveCount(0);
  }
});

/** Returns the effective background colour of a box. */
const backgroundOf = (box: Locator) =>
  box.evaluate((element) => {
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/^rgba\(.*, 0\)$/.test(backgroundColor)) return backgroundColor;
    }
    return "none";
  });

/** Returns the styles that distinguish controls under forced colours. */
async function lookOf(control: Locator): Promise<string> {
  const text = await control.evaluate((box) => {
    const { color, outlineStyle } = getComputedStyle(box);
    return `${color} ${outlineStyle}`;
  });
  return `${text} on ${await backgroundOf(control)}`;
}

test("forced colours still distinguish selected, pressed and focused elements", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  await open(page, "charts");
  const differ = async (one: Locator, other: Locator) =>
    expect
      .poll(async () => (await lookOf(one)) !== (await lookOf(other)), {
        message: `${String(one)} does not look like ${String(other)}`,
      })
      .toBe(true);
  const tab = (name: string) => page.getByRole("tab", { name });
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  // The agent's own interval
  await expect(button("1h")).toHaveAttribute("aria-pressed", "true");
  await differ(tab("Chart"), tab("Trade Log"));
  await differ(button("1h"), button("1W"));
  await differ(button("Candles"), button("Line"));
  await differ(button(NAME), button("New Chat"));
  await page.keyboard.press("Control+K");
  await differ(page.getByRole("option", { selected: true }), page.getByRole("option").last());
  await page.keyboard.press("Escape");
  await tab("Chart").focus();
  await page.keyboard.press("Tab");
  await differ(page.locator(":focus"), button("Command palette"));

  await page.keyboard.press("?");
  const single = page.getByRole("switch", { name: /Open this list/ });
  const on = await backgroundOf(single);
  await expect.poll(() => backgroundOf(single.locator("span"))).not.toBe(on);
  await single.click();
  await expect(single).not.toBeChecked();
  await expect.poll(() => backgroundOf(single)).not.toBe(on);
  const knobStandsOut = async () =>
    (await backgroundOf(single.locator("span"))) !== (await backgroundOf(single));
  await expect.poll(knobStandsOut).toBe(true);
});

const LONG = "breakoutabovethefourhourmovingaveragewithrisingvolume".padEnd(100, "_");

/** Returns inner boxes wider than their container. */
const leavesOf = (dialog: Locator) =>
  dialog.evaluate((around) => {
    const right = around.getBoundingClientRect().right;
    return [...around.querySelectorAll("label, button, input, code, p, span, td")]
      .filter((box) => box.getClientRects().length > 0 && box.getBoundingClientRect().right > right)
      .filter((box) => box.closest(".overflow-x-auto, .sr-only") === null)
      .map((box) => `${box.tagName} ${box.textContent.slice(0, 30)}`);
  });

test("long alert names stay in their rows, and a rule of sixteen alerts stays readable", async ({
  page,
}) => {
  const { trader, agent } = shared;
  const names = [LONG, ...Array.from({ length: 15 }, (_, index) => `alert ${index}`)];
  await trader.call("PUT", `/api/agents/update-complete-agent/${agent.botId}`, {
    agent: { agentName: NAME, assetPair: "SOL-PERP", interval: "1h", venue: "drift" },
    alerts: names.map((name) => ({ name })),
    rules: [{ conditions: [{ alertName: LONG, requiredCount: 3 }], action: "CLOSE_LONG" }],
  });
  await open(page, "portfolio");
  await page.getByRole("button", { name: "Configure agent" }).click();
  const dialog = page.getByRole("dialog", { name: NAME });
  for (const size of [WIDE, { width: 390, height: 844 }]) {
    await page.setViewportSize(size);
    await dialog.getByRole("tab", { name: /^Alerts/ }).click();
    const rule = dialog.getByRole("listitem").filter({ has: page.getByText("Rule 1") });
    await rule.scrollIntoViewIfNeeded();
    const box = dialog.getByRole("checkbox", { name: LONG });
    await expect(box).toBeInViewport();
    expect((await rule.boundingBox())?.height).toBeLessThan(480);
    const [check, label] = await Promise.all([
      box.boundingBox(),
      rule.locator("label", { hasText: LONG }).boundingBox(),
    ]);
    expect(Math.abs((check?.y ?? 0) - (label?.y ?? 0))).toBeLessThan(16);
    expect(await leavesOf(dialog)).toEqual([]);
    await dialog.getByRole("tab", { name: "Signals" }).click();
    await expect(dialog.getByText("Last 100 alerts received")).toBeVisible();
    expect(await leavesOf(dialog)).toEqual([]);
  }
});

test("figures of millions fit the header beside a long name", async ({ page }) => {
  type Position = { readonly response: object };
  await changeAnswers<Position>(page, "**/api/trade/get-drift-position*", ({ response }) => ({
    response: {
      ...response,
      position: "-123456.789",
      pnl: "-1234.56",
      positionValue: "16543210.98",
      portfolioValue: "1234567.89",
      limitLeft: "1234.56",
    },
  }));
  await changeAnswers<{ readonly agent?: object }[]>(
    page,
    "**/api/chats/wallet/*/agents",
    (chats) =>
      chats.map((chat) =>
        chat.agent === undefined
          ? chat
          : {
              ...chat,
              agent: {
                ...chat.agent,
                agentName: "A name of many words that go on and on ".repeat(2),
              },
            },
      ),
  );
  await open(page, "portfolio");
  const header = page.getByRole("banner");
  for (const width of [1440, 1280, 1024, 720, 390]) {
    await page.setViewportSize({ width, height: 800 });
    // A phone's header has the P&L; the other figures are behind it
    const isPhone = width < 768;
    if (isPhone) await header.getByRole("button", { name: /^Position, P&L/ }).click();
    const shownIn = isPhone ? page.getByRole("dialog", { name: "Position" }) : header;
    for (const figure of ["−123,456.79 SOL", "$16,543,210.98", "$1,234,567.89", "$1,234.56"]) {
      const shown = shownIn.getByText(figure, { exact: true }).filter({ visible: true });
      await expect(shown).toBeInViewport({ ratio: 1 });
    }
    if (isPhone) await page.keyboard.press("Escape");
    await expect(header.getByText("A name of many words")).toBeInViewport();
    await expect.poll(() => overflows(page), { message: `${width} px` }).toBe(false);
  }
  await showPage(page, "Agents");
  for (const [role, name] of [
    ["searchbox", "Search chats"],
    ["button", "Create"],
  ] as const) {
    await expect(page.getByRole(role, { name, exact: true })).toBeInViewport({ ratio: 1 });
  }
});
