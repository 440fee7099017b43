import { expect, type Page } from "@playwright/test";
import type { AgentId, ChatId } from "../src/domain/ids.ts";
import { templatesFor } from "../src/strategy/templates.ts";
import { createTrader, type Trader, secondsAgo } from "../test/trader.ts";
import { openAs } from "./page.ts";
import { test } from "./running-product.ts";
import { patient } from "../test/patient.ts";

/** Folder of the README's pictures. */
const FOLDER = "docs/pictures";

const SLOW = { timeout: patient(120_000) };

/** Creates an agent of the first starter whose alerts also come from outside, so that it can trade now. */
async function createStarterAgent(trader: Trader) {
  const [starter] = templatesFor("perpetual");
  if (!starter) throw new Error("There is no starter");
  const { agent } = await trader.call<{ agent: { botId: AgentId; chatId: ChatId } }>(
    "POST",
    "/api/agents/create-complete-agent",
    {
      agent: {
        agentName: "SOL trend",
        assetPair: "SOL-PERP",
        interval: "1h",
        venue: "drift",
        network: "practice",
        slippageTolerance: "0.5",
        positionSizePercent: starter.positionSizePercent,
      },
      alerts: starter.alerts.map(({ name, condition }) => ({ name, condition })),
      rules: starter.rules,
    },
  );
  await trader.approve(agent.botId, "set-up");
  await trader.approve(agent.botId, "deposit", "500");
  return agent;
}

/** Sends an alert and waits until the agent's log has this number of fills. */
async function trade(
  trader: Trader,
  { botId, chatId }: { readonly botId: AgentId; readonly chatId: ChatId },
  alertName: string,
  fills: number,
) {
  const webhook = await trader.call<{ url: string; alertText: string }>(
    "GET",
    `/api/agents/${botId}/webhook`,
  );
  const timestamp = secondsAgo(0);
  await fetch(webhook.url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: webhook.alertText.replace("{{alertName}}", alertName).replace("{{timenow}}", timestamp),
  });
  const filled = async () => {
    const log = await trader.call<{ status: string }[]>(
      "GET",
      `/api/logs/get-all-by-chat-id?chatId=${chatId}`,
    );
    return log.filter(({ status }) => status === "success").length;
  };
  await expect.poll(filled, SLOW).toBe(fills);
}

const QUESTION = "Why did my agent buy, and what would make it sell?";
const ANSWER = `It bought because **trend up** fired: the fast average crossed above the slow one.

- It sells when the fast average crosses back below the slow one.
- Then it opens a short, because this starter trades both sides.
- It has no stop: a fast fall between two bars is not cut.

Try it under **Simulate** before you change it.`;

async function talk(trader: Trader, chatId: ChatId) {
  for (const [at, content] of [QUESTION, ANSWER].entries()) {
    await trader.call("POST", `/api/chats/${chatId}/messages`, {
      _id: String(at).padStart(32, "d"),
      type: at === 0 ? "user" : "ai",
      content,
      timestamp: new Date(Date.now() + at).toISOString(),
    });
  }
}

/** Saves what is on screen in both themes, once header and chat are whole. */
async function take(page: Page, name: string) {
  await expect(page.getByText("Exposure:").filter({ visible: true }).first()).toBeVisible(SLOW);
  await expect(page.getByText("No source:", { exact: false })).toBeVisible(SLOW);
  for (const theme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
    await page.screenshot({ path: `${FOLDER}/${name}-${theme}.png` });
  }
}

test("takes the README's pictures", async ({ page, running }) => {
  test.setTimeout(patient(900_000));
  await page.setViewportSize({ width: 1280, height: 800 });
  const { url } = running.product;
  const trader = await createTrader(url);
  await trader.takePracticeMoney("5", "10000");
  const agent = await createStarterAgent(trader);
  await talk(trader, agent.chatId);
  await trade(trader, agent, "trend up", 1);
  await trade(trader, agent, "trend down", 3);
  await trade(trader, agent, "trend up", 5);

  const chat = `${url}/chat/${agent.chatId}`;
  await openAs(page, trader, `${chat}?tab=charts`);
  await expect(page.getByText("EMA 50", { exact: false }).first()).toBeVisible(SLOW);
  await expect(page.getByText(/^BUY [\d.]+ at/).first()).toBeVisible(SLOW);
  await expect(page.getByText("It has no stop", { exact: false })).toBeVisible(SLOW);
  await take(page, "chart");

  await page.goto(`${chat}?tab=trade-log`);
  await expect(page.getByRole("group", { name: "Sums" })).toBeVisible(SLOW);
  await take(page, "log");

  await page.goto(`${chat}?tab=causal-factor-graphs`);
  await expect(page.getByRole("group", { name: "Graph of the decision" })).toBeVisible(SLOW);
  await take(page, "why");

  await page.goto(`${chat}?tab=portfolio`);
  await page.getByRole("button", { name: "Add tab" }).click();
  await page.getByRole("menuitem", { name: /^Starters/ }).click();
  await expect(page.getByText(/^\d+ days, practice market/)).toHaveCount(6, SLOW);
  await take(page, "starters");
});
