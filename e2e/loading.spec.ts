import { expect, type Page } from "@playwright/test";
import { shareFundedAgent } from "./funded-agent.ts";
import { WITH_MOTION } from "./motion.ts";
import { openAs } from "./page.ts";
import { test } from "./running-product.ts";

test.use(WITH_MOTION);

const shared = shareFundedAgent();

test("nothing moves while a screen loads", async ({ page }) => {
  await page.addInitScript(() => {
    const shifts = { sum: 0, moved: [] as string[] };
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
        sources?: readonly { readonly node: Node | null }[];
      })[]) {
        if (entry.hadRecentInput) continue;
        shifts.sum += entry.value;
        for (const { node } of entry.sources ?? []) {
          shifts.moved.push(`${entry.value.toFixed(3)} ${node?.textContent?.slice(0, 60)}`);
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await openAs(page, shared.trader, `${shared.product.url}/chat/${shared.agent.chatId}`);
  const shown = page.getByRole("button", { name: "Configure agent" });
  await expect(shown).toBeVisible();
  for (const tab of ["portfolio", "charts", "trade-log", "manage-funds", "backtesting"]) {
    await page.goto(`${shared.product.url}/chat/${shared.agent.chatId}?tab=${tab}`);
    await expect(shown).toBeVisible();
    // The push stream keeps the network busy, so a fixed wait stands for "everything has loaded"
    await page.waitForTimeout(1_500);
    const { sum, moved } = await page.evaluate(
      () => (globalThis as unknown as { shifts: { sum: number; moved: string[] } }).shifts,
    );
    expect(sum, [tab, ...moved].join("\n")).toBeLessThanOrEqual(0.02);
  }
});

/** Holds the calls to matching addresses back until the returned function is called. */
async function holdBack(page: Page, address: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(address, async (route) => {
    await released;
    await route.continue().catch(() => {});
  });
  return release;
}

test("tabs stay in place when the chats load, and data that is still loading is not called unreadable", async ({
  page,
}) => {
  const { product, trader, agent } = shared;
  const configure = page.getByRole("button", { name: "Configure agent" });
  await openAs(page, trader, `${product.url}/chat/${agent.chatId}`);
  await expect(configure).toBeVisible();
  const letChatsCome = await holdBack(page, /\/api\/chats\/wallet\//);
  const letPositionCome = await holdBack(page, /\/api\/trade\/get-drift-position/);
  await page.goto(`${product.url}/chat/${agent.chatId}?tab=manage-funds`);
  const tabs = page.getByRole("tablist", { name: "Workspace" }).getByRole("tab");
  const places = () =>
    tabs.evaluateAll((all) =>
      all.map((tab) => `${tab.textContent} ${tab.getBoundingClientRect().x}`),
    );
  await expect(page.getByRole("tab", { name: "Manage Funds", selected: true })).toBeVisible();
  await expect(configure).toBeHidden();
  const before = await places();
  letChatsCome();
  await expect(configure).toBeVisible();
  expect(await places()).toEqual(before);
  await expect(page.getByText("Reading how much you can withdraw…")).toBeVisible();
  await expect(page.getByText("could not be read")).toBeHidden();
  letPositionCome();
  await expect(page.getByText("You can withdraw up to 500 USDC")).toBeVisible();
});
