import { describe, expect, it } from "vitest";
import { plainAnswerOf, plainText } from "./plain-answer.ts";

const NOW = Date.UTC(2026, 10, 21, 12);
const trade = {
  at: "2026-11-21T09:30:00.000Z",
  signal: "OPEN_LONG",
  market: "SOL-PERP",
  size: "1.5",
  status: "success",
  price: "140.25",
};

const say = (question: string, data: object) => plainText(question, data, NOW).split("\n\n*")[0];

describe("A question without a model's key", () => {
  it.each([
    ["What did you trade today?", "read_trades"],
    ["Why did you sell?", "explain_trade"],
    ["How much did you make this month?", "read_performance"],
    ["What is my portfolio worth?", "read_portfolio"],
    ["What is your position?", "read_position"],
    ["Which alerts came?", "read_signals"],
    ["Are you working?", "read_health"],
    ["Show me the rules", "read_agent"],
  ])("%s is answered by %s", (question, tool) => {
    expect(plainAnswerOf(question)?.tool).toBe(tool);
  });

  it.each([
    ["How much did you make this week?", "7d", "The last 7 days of this agent:"],
    ["What was your return?", "30d", "The last 30 days of this agent:"],
    ["What did you earn in the last 90 days?", "90d", "The last 90 days of this agent:"],
    ["What did you make this year?", "1y", "The last year of this agent:"],
    ["Your profit since the beginning?", "all", "All of this agent:"],
  ])("%s is answered with the span it names", (question, range, told) => {
    expect(plainAnswerOf(question)?.args(question)).toEqual({ range });
    expect(say(question, {})).toBe(told);
  });

  it("tells of a week's orders only those of the week", () => {
    const old = { ...trade, at: "2026-11-13T09:30:00.000Z" };
    expect(say("What did you trade this week?", { trades: [trade, old] })).toContain(
      "1 order in the last 7 days, 1 filled",
    );
  });

  it("tells the part of the position that a rule closes", () => {
    const conditions = [{ alertName: "top", count: 0, requiredCount: 1 }];
    const rules = [
      { action: "CLOSE_LONG", portion: 40, conditions },
      { action: "CLOSE_LONG", conditions },
    ];
    expect(say("rules", { name: "A", marketId: "SOL", interval: "1h", rules })).toBe(
      "A trades SOL on 1h.\n\n- Close long 40%: “top” 0 of 1\n- Close long: “top” 0 of 1",
    );
  });

  it("that needs a model is answered by nothing", () => {
    expect(plainAnswerOf("Is it a good time to buy Bitcoin?")).toBeNull();
    expect(plainAnswerOf("")).toBeNull();
  });

  it("tells today's orders, filled and failed, and says when there are none", () => {
    const failed = { ...trade, status: "failed", reason: "limit_used", price: undefined };
    const old = { ...trade, at: "2026-11-19T09:30:00.000Z" };
    const closed = { ...trade, signal: "CLOSE_LONG", pnl: "-3.2" };
    expect(say("What did you trade today?", { trades: [closed, failed, trade, old] })).toBe(
      "3 orders today, 2 filled:\n\n" +
        "- 2026-11-21 09:30 UTC: Close long, 1.5 SOL-PERP at 140.25 (P&L −3.20)\n" +
        "- 2026-11-21 09:30 UTC: Open long, 1.5 SOL-PERP, failed (limit_used)\n" +
        "- 2026-11-21 09:30 UTC: Open long, 1.5 SOL-PERP at 140.25",
    );
    expect(say("What did you trade today?", { trades: [old] })).toBe("No orders today.");
    expect(say("Show the trades", { trades: Array(12).fill(old) })).toContain("has 2 more");
  });

  it("tells the position, none, and one that could not be read", () => {
    const position = { market: "SOL-PERP", position: "-1.5", positionValue: "210", side: "short" };
    expect(say("position?", { ...position, entryPrice: "140", pnl: "2.5" })).toBe(
      "Short 1.5 SOL-PERP, worth 210.00, entered at 140.00, P&L +2.50 %.",
    );
    const { side: _side, ...flat } = position;
    expect(say("position?", flat)).toBe("No open position on SOL-PERP.");
    expect(say("position?", { note: "The venue could not be read." })).toBe(
      "The venue could not be read.",
    );
    expect(say("position?", { error: "There is no agent." })).toBe("There is no agent.");
  });

  it("tells why it traded, by what was recorded", () => {
    const decision = {
      at: trade.at,
      signal: "OPEN_LONG",
      alert: { alertName: "oversold", because: ["RSI was 28, below 30."] },
      checks: [{ name: "daily_loss", hasPassed: false }],
      outcome: { state: "denied", reason: "loss_limit" },
    };
    expect(say("Why?", decision)).toBe(
      "2026-11-21 09:30 UTC: Open long. The alert “oversold” completed its rule: RSI was 28, below 30. " +
        "The check “daily_loss” refused it. It ended as denied (loss limit).",
    );
    // An alert from outside has no reason of its own
    const { because: _because, ...sent } = decision.alert;
    expect(say("Why?", { ...decision, alert: sent })).toContain(
      "“oversold” completed its rule. The",
    );
  });
});
