import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { createTrader } from "../test/trader.ts";
import { shareFundedAgent } from "./funded-agent.ts";
import { walkTo } from "./keyboard.ts";
import { WITH_MOTION } from "./motion.ts";
import { approveInWallet, expectSession, openAs } from "./page.ts";
import { test } from "./running-product.ts";

test.use(WITH_MOTION);

const ASSETS = join(import.meta.dirname, "../dist/client/assets");

const shared = shareFundedAgent();

test.describe.configure({ mode: "default" });

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.press("Control+K");
  await expect(page.getByRole("combobox", { name: /Search chats/ })).toBeFocused();
}

test("a newcomer gets from the first page to an agent's rules by keyboard alone", async ({
  page,
}) => {
  const dialog = page.getByRole("dialog");
  const press = (key: string) => page.keyboard.press(key);
  await page.goto(shared.product.url);
  await walkTo(page, "Connect wallet");
  await press("Enter");
  await expect(page.getByRole("menu")).toBeVisible();
  await press("ArrowDown");
  await page.getByRole("menuitem", { name: "Practice wallet" }).focus();
  await press("Enter");
  await walkTo(page, "Approve");
  await press("Enter");
  await expect(page.getByRole("button", { name: "New Chat" })).toBeVisible();

  await openPalette(page);
  await page.keyboard.type("new chat");
  await press("Enter");
  await expect(page).toHaveURL(/\/chat\/[0-9a-f]{32}/);
  await walkTo(page, "Create agent");
  await press("Enter");
  await expect(dialog.getByLabel("Time interval")).toBeVisible();
  await walkTo(page, "Setup");
  await press("ArrowRight");
  await expect(dialog.getByRole("heading", { name: "Rules" })).toBeVisible();
  await walkTo(page, "Add alert");
  await press("Enter");
  await press("Escape");
  await expect(dialog).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Create agent" }).first()).toBeFocused();

  await press("Control+B");
  await expect(dialog.getByPlaceholder("Search")).toBeVisible();
  await press("Escape");
  await expect(dialog).toHaveCount(0);
  await openPalette(page);
  await page.keyboard.type("trade log");
  await press("Enter");
  await expect(page).toHaveURL(/tab=trade-log/);
  await walkTo(page, "Width of the chat");
  const width = () => page.getByRole("separator").boundingBox();
  const before = await width();
  await press("ArrowLeft");
  await expect.poll(async () => ((await width())?.x ?? 0) < (before?.x ?? 0) - 50).toBe(true);
});

test("the tab on screen is in the address, and Delete closes it", async ({ page }) => {
  await page.goto(`${shared.product.url}/?tab=performance`);
  const tab = page.getByRole("tab", { name: "Performance" });
  await expect(tab).toHaveAttribute("aria-selected", "true");
  await tab.press("Delete");
  await expect(tab).toHaveCount(0);
  await expect(page).not.toHaveURL(/performance/);
});

test("a linked chart shows what the link says, and the address follows the chart", async ({
  page,
}) => {
  await page.goto(`${shared.product.url}/?tab=charts&timeframe=1W&kind=line&compare=BTC,NOPE`);
  const pressed = (name: string) =>
    expect(page.getByRole("button", { name, exact: true })).toHaveAttribute("aria-pressed", "true");
  await pressed("1W");
  await pressed("Line");
  await expect(page.getByRole("button", { name: "Remove BTC" })).toBeVisible();
  await page.getByRole("button", { name: "1h", exact: true }).click();
  await page.getByRole("button", { name: "Candles", exact: true }).click();
  await expect(page).toHaveURL(/\?tab=charts&timeframe=1h&compare=BTC$/);
  await page.getByRole("tab", { name: "Portfolio" }).click();
  await expect(page).not.toHaveURL(/timeframe/);
  await page.getByRole("tab", { name: "Chart" }).click();
  await expect(page).toHaveURL(/\?tab=charts&timeframe=1h&compare=BTC$/);
});

test("opening the agent dialog before the chat is loaded creates no second chat", async ({
  page,
}) => {
  const newcomer = await createTrader(shared.product.url);
  await newcomer.takePracticeMoney("5", "1000");
  await openAs(page, newcomer, shared.product.url);
  const create = page.getByRole("button", { name: "Create agent" });
  await expect(create).toBeVisible();
  let made = 0;
  let letThrough = () => {};
  const isAsked = new Promise<void>((resolve) => (letThrough = resolve));
  await page.route("**/api/chats/add-chat", async (route) => {
    made += 1;
    await isAsked;
    await route.continue();
  });
  await page.getByRole("button", { name: "New Chat" }).click();
  await page.getByRole("button", { name: "New Chat" }).click();
  await create.first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("tab", { name: /Alerts/ }).click();
  await dialog.getByPlaceholder("Alert name").fill("Once");
  await dialog.getByRole("button", { name: "Create", exact: true }).click();
  letThrough();
  await expect(page.getByText("Agent Created")).toBeVisible();
  expect(made).toBe(1);
});

/** Matches a part's own chunk in every kept build; Chromium caches a failed shared chunk until the page reloads. */
function chunkOf(part: string, text: string): (url: URL) => boolean {
  const own = readdirSync(ASSETS).filter(
    (name) =>
      name.startsWith(`${part}-`) &&
      name.endsWith(".js") &&
      readFileSync(join(ASSETS, name), "utf8").includes(text),
  );
  return ({ pathname }) => own.includes(basename(pathname));
}

test("a missing code file breaks one part of the page only, and a refused wallet can be asked again", async ({
  page,
}) => {
  const lose = async (chunk: string | ((url: URL) => boolean)) => {
    await page.route(chunk, (route) => route.abort());
    return () => page.unroute(chunk);
  };
  const findLog = await lose(chunkOf("trade-log", "No trades yet"));
  await page.goto(`${shared.product.url}/?tab=trade-log`);
  await expect(page.getByRole("tabpanel").getByText("This part did not load")).toBeVisible();
  await expect(page.getByRole("tab", { name: "Trade Log" })).toBeVisible();
  await findLog();
  await page.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByText("Sign in to see what an agent traded")).toBeVisible();
  const findMenu = await lose("**/assets/menu-popup-*.js");
  await page.getByRole("button", { name: "Add tab" }).click();
  await expect(page.getByRole("alert").getByText("This part did not load")).toBeVisible();
  await findMenu();
  await page.getByRole("button", { name: "Close", exact: true }).click();
  await page.getByRole("button", { name: "Add tab" }).click();
  await expect(page.getByRole("menuitem", { name: "SSH" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.getByRole("banner").getByRole("button", { name: "Connect wallet" }).click();
  await page.getByRole("menuitem", { name: /Practice wallet/ }).click();
  await expect(page.getByText("Wallet connected")).toBeVisible();
  await page.getByRole("button", { name: "Reject" }).click();
  // On a phone, too, whichever tab is open
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("banner").getByRole("button", { name: "Sign in" }).click();
  await approveInWallet(page);
  await expectSession(page);
});

test("Retry loads a chat and a dialog whose code was missing", async ({ page }) => {
  const { product, agent, trader } = shared;
  const lostChat = "**/assets/chat-panel-*.js";
  const lostDialog = "**/assets/agent-dialog-host-*.js";
  await page.route(lostChat, (route) => route.abort());
  await page.route(lostDialog, (route) => route.abort());
  await openAs(page, trader, `${product.url}/chat/${agent.chatId}`);
  const chat = page.locator("#chat");
  await expect(chat.getByText("This part did not load")).toBeVisible();
  await page.unroute(lostChat);
  await chat.getByRole("button", { name: "Retry" }).click();
  await chat.getByRole("textbox", { name: "Message" }).fill("Are you there?");
  // Enter sends nothing while the chat's messages load
  await expect(chat.getByRole("button", { name: "Send message" })).toBeEnabled();
  await page.keyboard.press("Enter");
  const missingKey = page.getByRole("dialog", { name: "API Key Required" });
  await missingKey.getByRole("button", { name: "Cancel" }).click();
  await expect(missingKey).toHaveCount(0);
  await expect(chat.getByText("Are you there?")).toBeVisible();
  await page.getByRole("button", { name: "Configure agent" }).click();
  const lost = page.getByRole("alert").filter({ hasText: "This part did not load" });
  await expect(lost).toBeVisible();
  await page.unroute(lostDialog);
  await lost.getByRole("button", { name: "Retry" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Save" })).toBeVisible();
});

test("no lazily loaded part contains the code of another", () => {
  const manifest = JSON.parse(
    readFileSync(join(ASSETS, "../.vite/manifest.json"), "utf8"),
  ) as Record<string, { readonly file: string; readonly isDynamicEntry?: boolean }>;
  const parts = Object.entries(manifest).filter(
    ([source, { isDynamicEntry }]) => isDynamicEntry === true && source.endsWith(".tsx"),
  );
  expect(parts.length).toBeGreaterThan(20);
  const lazy = new Set(parts.map(([, { file }]) => basename(file)));
  // A part may draw another one, which is its default; what it takes by name would be that other part's code
  const taken = Object.values(manifest)
    .filter(({ file }) => file.endsWith(".js"))
    .flatMap(({ file }) => {
      const text = readFileSync(join(ASSETS, "..", file), "utf8");
      return [...text.matchAll(/import\s*\{([^}]*)\}\s*from\s*"\.\/([^"]+)"/g)].map(
        ([, names = "", from = ""]) => ({ file, names, from }),
      );
    });
  expect(taken.length).toBeGreaterThan(100);
  const named = ({ names }: { readonly names: string }) =>
    !/^default as [\w$]+$/.test(names.trim());
  expect(taken.filter(({ from }) => lazy.has(from)).filter(named)).toEqual([]);
});

test("Back closes a dialog, a double click renames, and a new visit begins where the last ended", async ({
  page,
  context,
}) => {
  const { product, agent, trader } = shared;
  await openAs(page, trader, `${product.url}/chat/${agent.chatId}`);
  await page.getByRole("button", { name: "New Chat" }).click();
  await expect(page).not.toHaveURL(new RegExp(agent.chatId));
  const address = page.url();
  const dialog = page.getByRole("dialog");
  await page.getByRole("button", { name: "AI settings" }).click();
  await expect(dialog).toBeVisible();
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  expect(page.url()).toBe(address);
  await page.goBack();
  await expect(page).toHaveURL(new RegExp(agent.chatId));

  await page.keyboard.press("Control+B");
  const list = page.getByRole("navigation", { name: "Chats" });
  await list.getByText("My New Chat").first().dblclick();
  await page.getByRole("textbox", { name: "New name of My New Chat" }).fill("Zebra crossing");
  await page.keyboard.press("Enter");
  await expect(list.getByText("Zebra crossing")).toBeVisible();
  await page.keyboard.press("Escape");
  const rail = page.getByRole("navigation", { name: "Chat rail" });
  const mark = rail.getByRole("button", { name: "Zebra crossing" }).locator("[data-initials]");
  await expect(mark).toHaveAttribute("data-initials", "ZC");
  await expect(page).toHaveURL(address);

  await page.getByRole("tab", { name: "Trade Log" }).click();
  await expect(page).toHaveURL(/tab=trade-log/);
  await page.close();
  const again = await context.newPage();
  await again.goto(product.url);
  await expect(again).toHaveURL(address);
  await expect(again.getByRole("tab", { name: "Trade Log" })).toHaveAttribute(
    "aria-selected",
    "true",
  );
  await again.goto(`${product.url}/chat/${"0".repeat(32)}`);
  await expect(again.getByText("Chat not found")).toBeVisible();
});
