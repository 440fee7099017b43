import { expect } from "@playwright/test";
import { shareFundedAgent } from "./funded-agent.ts";
import { openAs } from "./page.ts";
import { test } from "./running-product.ts";

const shared = shareFundedAgent();

test("a trade's decision graph opens from its log line and can be read by keyboard", async ({
  page,
}) => {
  const { agent, trader, product } = shared;
  const filled = async () =>
    (await agent.log()).filter(({ status }) => status === "success").length;
  await agent.fire("enter");
  await expect.poll(filled).toBe(1);
  await agent.fire("exit");
  await expect.poll(filled).toBe(2);
  await agent.fire("exit");
  await expect.poll(async () => (await agent.log()).length).toBe(3);

  await openAs(page, trader, `${product.url}/chat/${agent.chatId}?tab=trade-log`);
  const log = page.getByRole("table", { name: "Trade log" });
  await log
    .getByRole("row", { name: /Open long/ })
    .getByRole("button", { expanded: false })
    .click();
  await page.getByRole("button", { name: "Why this trade" }).click();
  await expect(page).toHaveURL(/tab=causal-factor-graphs/);

  const graph = page.getByRole("group", { name: "Graph of the decision" });
  await expect(graph.getByRole("button")).toHaveText([
    /Alert.*enter.*1 of 1/,
    /Rule complete.*Open long/,
    /Account.*\$500\.00 free.*No position/,
    /Checks.*All \d+ passed/,
    /Order.*Buy.*SOL.*At most/,
    /Sent.*bytes, signed/,
    /Fill.*SOL.*At \$/,
    /Outcome.*Filled.*Position open/,
  ]);
  await graph.getByRole("button", { pressed: true }).focus();
  for (let step = 0; step < 4; step += 1) await page.keyboard.press("ArrowLeft");
  const checks = graph.getByRole("button", { name: /Checks/ });
  await expect(checks).toBeFocused();
  await expect(checks).toHaveAttribute("aria-pressed", "true");
  const details = page.getByRole("region", { name: "Checks" });
  await expect(details.getByText("Orders within a minute")).toBeVisible();
  await expect(details.getByRole("img", { name: "Failed" })).toHaveCount(0);

  await page.getByRole("button", { name: "Show all decisions" }).click();
  const rows = page.getByRole("list", { name: "Decisions, newest first" });
  await expect(rows.getByRole("button")).toHaveText([
    /Close long.*Denied/,
    /Close long.*Filled/,
    /Open long.*Filled/,
  ]);
  await page.getByRole("button", { name: "Denied", exact: true }).click();
  await expect(rows.getByRole("button")).toHaveText([/Close long.*Denied/]);
  await expect(graph.getByRole("button", { name: /Check failed/ })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await page.getByRole("button", { name: "By rule and alert" }).click();
  const rules = page.getByRole("region", { name: "Rules" });
  await expect(rules.getByRole("row", { name: /Close long/ })).toContainText(
    "There is no such position",
  );
  await rules.getByRole("button", { name: "Open long" }).click();
  await expect(rows.getByRole("button")).toHaveText([/Open long.*Filled/]);
  // A further trade appears live
  await agent.fire("enter");
  await expect(rows.getByRole("button")).toHaveCount(2);
});
