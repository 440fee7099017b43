import { expect, it } from "vitest";
import { noticeText } from "./notice-text.ts";

it("says that an order's fills are unknown when they were not all read, and shows no size", () => {
  const facts = { agent: "Momentum", network: "mainnet", market: "SOL-PERP", signal: "OPEN_LONG" };
  const unread = { ...facts, reason: "fills_unread" };
  const none = noticeText("trade_failed", unread);
  expect(none.title).toBe("Momentum: what an order traded is not known");
  const part = { ...unread, size: "500000000", sizeDecimals: "9", price: "150000000" };
  const { body } = noticeText("trade_filled", part);
  expect(body).toMatch(/^Open long SOL-PERP\. .*not known.*See the open position/);
  expect(body).not.toContain("0.5");
  expect(noticeText("trade_filled", { ...part, reason: "" }).body).toContain("0.5 at $150");
});
