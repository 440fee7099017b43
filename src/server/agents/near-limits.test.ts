import { describe, expect, it } from "vitest";
import { nearLimit } from "../../contract/agent.ts";
import { allMarkets } from "../../venues/profiles.ts";
import { parseAgentId, parseOrderId } from "../../domain/ids.ts";
import type { AccountState } from "../../domain/position.ts";
import { approve } from "../../domain/order/risk.ts";
import { EMPTY_RISK_LEDGER, openRiskDay, recordOrderEnd } from "../../domain/risk-ledger.ts";
import { type LimitFacts, nearLimitsOf } from "./show-agents.ts";
import { NO_OWNER_LIMITS } from "../../../test/owner-limits.ts";

const nowMs = Date.UTC(2026, 10, 21, 12);

const account = (lost: bigint): AccountState => ({
  slot: 1n,
  subAccountExists: true,
  positions: [],
  openOrderCount: 0,
  freeCollateral: 500_000_000n - lost,
  portfolioValue: 500_000_000n - lost,
  withdrawable: 0n,
  netDeposits: 500_000_000n,
  health: 100,
});

const buildFacts = (parts: Partial<LimitFacts> = {}): LimitFacts => ({
  nowMs,
  ledger: EMPTY_RISK_LEDGER,
  sent: { lastMinute: 0, lastHour: 0, oldestOfMinuteMs: null, oldestOfHourMs: null },
  account: null,
  between: null,
  limits: NO_OWNER_LIMITS,
  ...parts,
});

const sent = (lastMinute: number, lastHour: number) =>
  buildFacts({
    sent: {
      lastMinute,
      lastHour,
      oldestOfMinuteMs: nowMs - 50_000,
      oldestOfHourMs: nowMs - 3_000_000,
    },
  });

const failed = (times: number) => {
  let ledger = EMPTY_RISK_LEDGER;
  for (let at = 0; at < times; at += 1)
    ledger = recordOrderEnd(ledger, { hasTraded: false, isEntry: true }, nowMs);
  return buildFacts({ ledger });
};

const lost = (units: bigint) =>
  buildFacts({
    ledger: openRiskDay(EMPTY_RISK_LEDGER, nowMs, account(0n), NO_OWNER_LIMITS),
    account: { state: account(units), readAtMs: nowMs },
  });

/** Returns the result of the entry check for the same facts. */
function verdict({ ledger, sent: counts, account: read, limits, between }: LimitFacts): string {
  const state = read?.state ?? account(0n);
  const intent = {
    orderId: parseOrderId("1".repeat(32)),
    agentId: parseAgentId("a".repeat(32)),
    signal: "OPEN_LONG",
    market: allMarkets()[0]!,
    side: "long",
    reduceOnly: false,
    baseSize: 1_000n,
    referencePrice: 150_000_000n,
    slippageBps: 50,
    percentage: 100,
  } as const;
  const answer = approve(intent, {
    nowMs,
    price: { price: 150_000_000n, confidence: 0n, publishedAtMs: nowMs },
    account: state,
    quoteDecimals: 6,
    isVenueAvailable: true,
    leverage: 1,
    tradingState: "active",
    ledger: openRiskDay(ledger, nowMs, state, limits, between),
    ordersLastMinute: counts.lastMinute,
    ordersLastHour: counts.lastHour,
    entriesLastMinuteOfOwner: 0,
    feesTodayOfOwner: 0n,
    feesTodayOfAll: 0n,
    ownersToday: 0,
    limits,
    walletMoney: null,
  });
  return answer.kind === "denied" ? answer.reason : "approved";
}

/** A case's limits as `used of most`, an exclamation mark where one holds. */
const shown = (facts: LimitFacts) =>
  nearLimitsOf(facts).map(
    ({ limit, used, most, isReached }) => `${limit} ${used}/${most}${isReached ? "!" : ""}`,
  );

describe("the limits an agent is close to", () => {
  it.each<[string, LimitFacts, string[], string]>([
    ["3 orders in a minute", sent(3, 3), [], "approved"],
    ["4 orders in a minute", sent(4, 4), ["orders_a_minute 4/6"], "approved"],
    ["5 orders in a minute", sent(5, 5), ["orders_a_minute 5/6"], "approved"],
    ["6 orders in a minute", sent(6, 6), ["orders_a_minute 6/6!"], "too_many_orders"],
    ["54 orders in an hour", sent(0, 54), [], "approved"],
    ["55 orders in an hour", sent(0, 55), ["orders_an_hour 55/60"], "approved"],
    ["59 orders in an hour", sent(0, 59), ["orders_an_hour 59/60"], "approved"],
    ["60 orders in an hour", sent(0, 60), ["orders_an_hour 60/60!"], "too_many_orders"],
    ["2 failures", failed(2), [], "approved"],
    ["3 failures", failed(3), ["failures 3/5"], "approved"],
    ["4 failures", failed(4), ["failures 4/5"], "approved"],
    ["5 failures", failed(5), ["failures 5/5!"], "failures"],
    ["less than half of the loss", lost(24_999_999n), [], "approved"],
    ["half of the loss", lost(25_000_000n), ["daily_loss 5/10"], "approved"],
    ["nearly all of the loss", lost(49_999_999n), ["daily_loss 9.99/10"], "approved"],
    ["all of the loss", lost(50_000_000n), ["daily_loss 10/10!"], "loss_limit"],
    [
      "two at once",
      { ...failed(4), sent: sent(5, 5).sent },
      ["orders_a_minute 5/6", "failures 4/5"],
      "approved",
    ],
  ])("after %s equal the enforced limits", (_name, facts, uses, says) => {
    expect(shown(facts)).toEqual(uses);
    expect(verdict(facts)).toBe(says);
    for (const near of nearLimitsOf(facts)) expect(nearLimit.parse(near)).toEqual(near);
  });

  it("include the drawdown from a peak between two orders, as enforced", () => {
    const limits = { ...NO_OWNER_LIMITS, fallBps: 1_000 };
    const opened = openRiskDay(EMPTY_RISK_LEDGER, nowMs, account(0n), limits);
    const at = (value: bigint) => ({ value, netFlow: 500_000_000n });
    const between = { before: at(500_000_000n), worths: [at(540_000_000n)] };
    const read = { state: account(0n), readAtMs: nowMs };
    const facts = buildFacts({ ledger: opened, limits, account: read, between });
    expect(shown(facts)).toEqual(["fall 7.4/10"]);
    const fallen = { ...between, worths: [at(560_000_000n)] };
    expect(shown({ ...facts, between: fallen })).toEqual(["fall 10.71/10!"]);
    expect(verdict({ ...facts, between: fallen })).toBe("own_fall_limit");
  });

  it("say when they ease, if a time is known", () => {
    const eases = (facts: LimitFacts) => nearLimitsOf(facts).map(({ easesAt }) => easesAt);
    expect(eases(sent(5, 58))).toEqual(["2026-11-21T12:00:10.000Z", "2026-11-21T12:10:00.000Z"]);
    expect(eases(lost(30_000_000n))).toEqual(["2026-11-22T00:00:00.000Z"]);
    expect(eases(failed(4))).toEqual([undefined]);
  });

  it("leave out a loss that is outdated, of another day, or of a missing account", () => {
    const read = lost(40_000_000n);
    const state = account(40_000_000n);
    const old = { state, readAtMs: nowMs - 60_001 };
    const gone = { state: { ...state, subAccountExists: false }, readAtMs: nowMs };
    expect(shown(read)).toEqual(["daily_loss 8/10"]);
    expect(shown({ ...read, account: old })).toEqual([]);
    expect(shown({ ...read, account: gone })).toEqual([]);
    expect(shown({ ...read, ledger: { ...read.ledger, day: "2026-11-20" } })).toEqual([]);
  });
});
