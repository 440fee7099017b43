import { expect } from "@playwright/test";
import { createTrader } from "../test/trader.ts";
import { record, sendMessage, setUpAi } from "./chat-page.ts";
import { openAs } from "./page.ts";
import { shareProductWithAi } from "./product-with-ai.ts";
import { test } from "./running-product.ts";

const shared = shareProductWithAi();

const DIP = {
  kind: "comparisons",
  all: [
    {
      left: { kind: "indicator", name: "RSI", output: "value", parameters: [14] },
      is: "crosses-above",
      right: { kind: "number", value: 30 },
    },
  ],
};

const PROPOSAL = {
  venue: "drift",
  asset: "SOL",
  interval: "1h",
  alerts: [
    { name: "dip", condition: DIP },
    { name: "out", condition: { kind: "every-bars", bars: 12 } },
  ],
  rules: [
    { action: "OPEN_LONG", conditions: [{ alert: "dip" }] },
    { action: "CLOSE_LONG", conditions: [{ alert: "out" }] },
  ],
};

const block = `\`\`\`wheelhouse-agent\n${JSON.stringify(PROPOSAL)}\n\`\`\``;

interface ToolMessage {
  readonly role: string;
  readonly content: string;
}

/** Returns the tool results in the newest provider request. */
const answered = (): readonly unknown[] =>
  ((shared.ai.seen.at(-1)?.body["messages"] ?? []) as ToolMessage[])
    .filter(({ role }) => role === "tool")
    .map(({ content }) => JSON.parse(content) as unknown);

test("a request becomes a proposal beside its simulation, and nothing is saved without the wallet", async ({
  page,
  context,
}) => {
  const requests = record(context);
  const trader = await createTrader(shared.product.url);
  const { _id: chatId } = await trader.call<{ _id: string }>("POST", "/api/chats/add-chat", {
    title: "Dips",
    walletAddress: trader.address,
  });
  await openAs(page, trader, `${shared.product.url}/chat/${chatId}`);
  await setUpAi(page, shared.ai, "sk-test", "Chat Completions with reads, no web search");
  const log = page.getByRole("log");

  shared.ai.answer((request) =>
    (request.body["messages"] as ToolMessage[]).some(({ role }) => role === "tool")
      ? { text: `It lost.\n\n${block}` }
      : {
          toolCalls: [
            { name: "list_indicators", arguments: {} },
            {
              name: "preview_condition",
              arguments: { asset: "SOL", interval: "1h", condition: DIP, days: 30 },
            },
            { name: "simulate", arguments: { agent: PROPOSAL, days: 30 } },
            { name: "simulate", arguments: { agent: { ...PROPOSAL, asset: "NOPE" }, days: 30 } },
          ],
        },
  );
  await sendMessage(
    page,
    "Make me something that buys SOL dips and show me whether it ever worked",
  );
  const simulated = log.getByRole("region", { name: /^Simulated: SOL, 1h, 30 days/ });
  await expect(simulated).toBeVisible();
  const [indicators, preview, run, none] = answered() as [
    { indicators: object },
    { fired: number; source: string },
    { measures: { closedTrades: number }; warnings: string[] },
    { error: string },
  ];
  expect(Object.keys(indicators.indicators)).toContain("RSI");
  expect(none.error).toContain("Its market");
  // The page shows the tools' figures, independent of the model's text
  await expect(log.getByRole("region", { name: /^RSI 14 crosses above 30/ })).toContainText(
    `${preview.fired} times`,
  );
  await expect(simulated).toContainText(`Trades${run.measures.closedTrades}`);
  for (const warning of run.warnings) await expect(simulated).toContainText(warning);

  const card = log.getByRole("region", { name: "Proposed agent" });
  await expect(card).toContainText("dip: RSI 14 crosses above 30");
  await page.reload();
  await expect(simulated).toBeVisible();
  await expect(log.getByRole("region", { name: /^Simulated/ })).toHaveCount(1);
  await card.getByRole("button", { name: "Review and approve" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog).toContainText("New agent: Agent ** SOL-1h");
  await expect(dialog).toContainText("RSI 14 crosses above 30");
  const saves = requests.filter(
    ({ method, url }) => method !== "GET" && new URL(url).pathname.startsWith("/api/agents"),
  );
  expect(saves).toEqual([]);
});

test("the page simulates a proposal that the model did not, and explains a trade from its record", async ({
  page,
}) => {
  const trader = await createTrader(shared.product.url);
  await trader.takePracticeMoney("5", "1000");
  const agent = await trader.createAgent("Agent ** SOL-1h");
  await agent.fire("enter");
  await expect
    .poll(async () => (await agent.log()).filter(({ status }) => status === "success").length)
    .toBe(1);
  await openAs(page, trader, `${shared.product.url}/chat/${agent.chatId}`);
  await setUpAi(page, shared.ai, "sk-test", "Chat Completions with reads, no web search");
  const log = page.getByRole("log");
  shared.ai.answer({ text: `Try this.\n\n${block}` });
  await sendMessage(page, "Buy dips");
  await expect(log.getByRole("region", { name: /^Simulated: SOL, 1h, 90 days/ })).toBeVisible();
  shared.ai.answer({
    text: `Or this.\n\n${block.replace('"parameters":[14]', '"parameters":[0]')}`,
  });
  await sendMessage(page, "Other");
  await expect(log.getByText("The proposal in this answer cannot be read.")).toBeVisible();

  shared.ai.answer((request) =>
    (request.body["messages"] as ToolMessage[]).some(({ role }) => role === "tool")
      ? { text: "Your alert completed the rule." }
      : { toolCalls: [{ name: "explain_trade", arguments: { outcome: "traded" } }] },
  );
  await sendMessage(page, "Why did you trade?");
  await expect(log.getByText("Your alert completed the rule.")).toBeVisible();
  expect(answered()).toMatchObject([
    {
      signal: "OPEN_LONG",
      alerts: [{ alertName: "enter", count: 1, requiredCount: 1 }],
      outcome: { state: "filled" },
    },
  ]);
});
