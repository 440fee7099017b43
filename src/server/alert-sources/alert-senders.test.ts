import { describe, expect, it } from "vitest";
import { isAlertSender, readAlertSenders } from "./alert-senders.ts";

describe("alert senders", () => {
  it("include TradingView's published addresses by name, and further addresses", () => {
    const senders = readAlertSenders(["tradingview", "203.0.113.7"]) ?? new Set();
    for (const address of ["52.89.214.238", "34.212.75.30", "54.218.53.128", "52.32.178.7"]) {
      expect(isAlertSender(senders, address)).toBe(true);
    }
    expect(isAlertSender(senders, "203.0.113.7")).toBe(true);
    expect(isAlertSender(senders, "203.0.113.8")).toBe(false);
    expect(isAlertSender(senders, "127.0.0.1")).toBe(false);
  });

  it("are recognised on a dual-stack socket", () => {
    const senders = readAlertSenders(["tradingview"]) ?? new Set();
    expect(isAlertSender(senders, "::ffff:52.89.214.238")).toBe(true);
    expect(isAlertSender(senders, "::ffff:52.89.214.239")).toBe(false);
  });

  it.each(["TradingView Inc.", "52.89.214", "52.89.214.238/32", "example.com", "*"])(
    "exclude %s",
    (name) => {
      expect(readAlertSenders([name])).toBeNull();
    },
  );
});
