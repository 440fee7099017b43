import { expect, it } from "vitest";
import { parseChatId } from "../../../../domain/ids.ts";
import { newAgentForm } from "../agent-form.ts";
import { checkForm } from "./check-form.ts";
import { filledForm } from "./filled-form.ts";

const EMPTY = newAgentForm("practice");

const SAVED = {
  ...EMPTY,
  name: "Mine",
  network: "paper" as const,
  alerts: [{ key: "alert-1", id: "1", name: "buy", description: "", condition: null }],
  rules: [
    {
      key: "rule-2",
      id: "2",
      action: "OPEN_LONG" as const,
      triggers: [{ alertKey: "alert-1", requiredCount: 3, count: 2 }],
    },
  ],
};

it("copies an agent without the ids and counts of what is saved, on its network", () => {
  const copy = filledForm(EMPTY, { kind: "copy", chatId: parseChatId("c".repeat(32)) }, SAVED);
  expect(copy).toMatchObject({ name: "Mine", network: "paper" });
  expect(copy.alerts).toEqual([{ key: "alert-1", name: "buy", description: "", condition: null }]);
  expect(copy.rules).toEqual([
    { key: "rule-2", action: "OPEN_LONG", triggers: [{ alertKey: "alert-1", requiredCount: 3 }] },
  ]);
});

it.each([
  ["drift", "ETH-PERP", "4h", "Agent ** ETH-4h", "OPEN_SHORT"],
  ["jupiter", "ETH", "90m", "Agent ** ETH-90m", "CLOSE_LONG"],
] as const)("places a starter on %s's %s at %s", (venue, marketId, interval, name, ends) => {
  const form = filledForm(
    EMPTY,
    { kind: "starter", id: "trend", network: "practice", venue, marketId, interval },
    EMPTY,
  );
  expect(form).toMatchObject({ venue, marketId, name, positionSizePercent: "50" });
  expect(form.rules.map(({ action }) => action)).toEqual(["OPEN_LONG", ends]);
  expect(checkForm(form)).toBeNull();
});

it("places an empty form on a market", () => {
  const form = filledForm(
    EMPTY,
    { kind: "market", network: "paper", venue: "jupiter", marketId: "NVDAx" },
    EMPTY,
  );
  expect(form).toMatchObject({
    network: "paper",
    venue: "jupiter",
    marketId: "NVDAx",
    name: "Agent ** NVDAx-1h",
    alerts: EMPTY.alerts,
  });
});
