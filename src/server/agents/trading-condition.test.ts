import { describe, expect, it } from "vitest";
import { parseAgentId } from "../../domain/ids.ts";
import { tradingCondition } from "../../contract/agent.ts";
import { EMPTY_RISK_LEDGER } from "../../domain/risk-ledger.ts";
import type { ExitRecord } from "../store/orders/exits.ts";
import { type ConditionFacts, tradingConditionOf } from "./show-agents.ts";
import { NO_OWNER_LIMITS } from "../../../test/owner-limits.ts";

const nowMs = Date.UTC(2026, 10, 21, 12);

const buildFacts = (parts: Partial<ConditionFacts> = {}): ConditionFacts => ({
  nowMs,
  operator: "active",
  autoTrade: "on",
  ledger: EMPTY_RISK_LEDGER,
  limits: NO_OWNER_LIMITS,
  exits: [],
  foreignTrade: null,
  noCandles: null,
  ...parts,
});

const exit: ExitRecord = {
  id: "e",
  agentId: parseAgentId("a".repeat(32)),
  marketId: "SOL-PERP",
  side: "long",
  askedBy: "alert",
  askedAtMs: nowMs - 60_000,
  attempts: 2,
  waits: 0,
  nextAttemptAtMs: nowMs + 500,
  part: null,
  planEnd: null,
  lastReason: "expired",
  limitBps: 200,
};

const CANDLES_LATE = { text: "Binance answered 429.", sinceMs: nowMs - 60_000 };
const failing = { ...EMPTY_RISK_LEDGER, consecutiveFailures: 5, failingSinceMs: nowMs - 1 };
const losing = { ...EMPTY_RISK_LEDGER, day: "2026-11-21", lossSinceMs: nowMs - 1 };

describe("what keeps an agent from trading freely", () => {
  it.each<[string, Partial<ConditionFacts>, string | null]>([
    ["nothing", {}, null],
    ["the operator's halt", { operator: "halted", exits: [exit], ledger: failing }, "halted"],
    ["an exit", { operator: "reducing", exits: [exit], ledger: failing }, "exiting"],
    ["an exit of an agent that is off", { autoTrade: "off", exits: [exit] }, "exiting"],
    ["the operator's limit", { operator: "reducing" }, "reducing"],
    ["its failures", { ledger: failing }, "reducing"],
    ["its losses of today", { ledger: losing }, "reducing"],
    ["its losses of yesterday", { ledger: { ...losing, day: "2026-11-20" } }, null],
    ["the candles of its own conditions", { noCandles: CANDLES_LATE }, "no_candles"],
    ["its failures before the candles", { noCandles: CANDLES_LATE, ledger: failing }, "reducing"],
    ["nothing while it is off", { autoTrade: "off", operator: "halted", ledger: failing }, null],
  ])("%s", (_name, parts, state) => {
    const condition = tradingConditionOf(buildFacts(parts));
    expect(condition?.state ?? null).toBe(state);
    if (condition === null) return;
    expect(tradingCondition.parse(condition)).toEqual(condition);
    expect(condition.reason).toMatch(/^[A-Z].*\.$/);
    expect(condition.endsWhen).toMatch(/^It ends .*\.$/);
  });

  it("shows the progress of an exit", () => {
    expect(tradingConditionOf(buildFacts({ exits: [exit] }))).toEqual({
      state: "exiting",
      reason: "The long position in SOL-PERP is being closed.",
      since: "2026-11-21T11:59:00.000Z",
      endsWhen: "It ends when nothing is left of it, or when you stop closing.",
      exits: [
        {
          market: "SOL-PERP",
          side: "long",
          askedAt: "2026-11-21T11:59:00.000Z",
          askedBy: "alert",
          attempts: 2,
          nextAttemptAt: "2026-11-21T12:00:00.500Z",
          lastReason: "The order did not reach the chain in time. Nothing was traded.",
          limitPercent: "2",
        },
      ],
    });
  });

  it("says that only a part is being closed where a rule closes a part", () => {
    const part = { portion: 40, goal: { left: 1n, keep: 2n } };
    expect(tradingConditionOf(buildFacts({ exits: [{ ...exit, part }] }))).toMatchObject({
      reason: "The long position in SOL-PERP is being reduced: 40% of it is being closed.",
      endsWhen: "It ends when that part is closed, or when you stop closing.",
      exits: [{ portion: 40 }],
    });
  });
});
