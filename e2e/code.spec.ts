import { readFile } from "node:fs/promises";
import { expect } from "@playwright/test";
import { shareFundedAgent } from "./funded-agent.ts";
import { approveInWallet, openAs } from "./page.ts";
import { test } from "./running-product.ts";

const shared = shareFundedAgent();

interface AgentFile {
  positionSizePercent: number;
  alerts: { name: string; condition?: unknown }[];
  rules: { action: string; conditions: { alert: string; times: number }[] }[];
}

test("an agent's file is exported, changed, imported with its differences shown, and saved", async ({
  page,
}) => {
  const { product, trader, agent } = shared;
  const dialog = page.getByRole("dialog");
  await openAs(page, trader, `${product.url}/chat/${agent.chatId}?tab=github`);
  const shown = page.getByRole("group", { name: "Text of the agent file" });
  await expect(shown).toContainText('"market": "SOL-PERP"');

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Download" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("agent-sol-1h.agent.json");
  const text = await readFile(await download.path(), "utf8");
  for (const secret of [agent.botId, agent.chatId, agent.webhook.token, trader.address]) {
    expect(text).not.toContain(secret);
  }
  const file = JSON.parse(text) as AgentFile & { $schema: string };
  const schema = (await (await page.request.get(file.$schema)).json()) as { required: string[] };
  expect(Object.keys(file)).toEqual(expect.arrayContaining(schema.required));

  // A file that contains an id is refused
  await page.getByRole("button", { name: "Import file" }).click();
  await dialog.getByLabel("Or paste its text").fill(JSON.stringify({ ...file, botId: "1" }));
  await dialog.getByRole("button", { name: "Show changes" }).click();
  await expect(dialog.getByRole("alert")).toContainText("botId does not belong in an agent file.");

  const rsi = { kind: "indicator", name: "RSI", output: "value", parameters: [14] };
  const changed = {
    ...file,
    positionSizePercent: 25,
    alerts: file.alerts.map((alert) =>
      alert.name === "enter"
        ? {
            ...alert,
            condition: {
              kind: "comparisons",
              all: [{ left: rsi, is: "crosses-above", right: { kind: "number", value: 30 } }],
            },
          }
        : alert,
    ),
  };
  await dialog.getByLabel("Agent file").setInputFiles({
    name: "agent.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify(changed)),
  });
  const difference = dialog.getByRole("region", { name: "Proposed changes" });
  await expect(difference).toContainText("The file filled this in");
  await expect(difference).toContainText("25%");
  await expect(difference).toContainText("enter, fires when RSI 14 crosses above 30");
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  // Adding a condition to an enabled agent needs the wallet's confirmation
  await approveInWallet(page);
  await expect(page.getByText("Agent Updated")).toBeVisible();

  await expect(shown).toContainText('"positionSizePercent": 25');
  await expect(shown).toContainText('"RSI"');
  await page.getByRole("tab", { name: "Pine Script v6" }).click();
  const pine = page.getByRole("group", { name: "Text of the Pine script" });
  await expect(pine).toContainText("fires1_1 = crosses(rsi_14, 30, rsi_14[1], 30)");
  await expect(page.getByRole("list", { name: "Not in the script" })).toContainText("exit");
  await page.getByRole("tab", { name: "curl" }).click();
  await expect(page.getByRole("group", { name: "Text of the commands" })).toContainText(
    `/webhook/${agent.botId}`,
  );
  // Rules kept their ids and therefore their counters
  const rules = await trader.call<{ _id: string }[]>("GET", `/api/rules/${agent.botId}`);
  expect(rules).toHaveLength(file.rules.length);
});
