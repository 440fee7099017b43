import { describe, expect, it } from "vitest";
import {
  type OrderToSign,
  refuseOrder,
  type SignedSums,
  WIDE_EXIT_COST_BPS,
  worstEntryCost,
} from "./signing-budget.ts";

const WORTH = 1_000_000_000n;
const NOTHING = { minute: 0, day: 0, lamports: 0n };

const sums = (costs: Partial<SignedSums["costs"]>, open: SignedSums["open"] = []): SignedSums => ({
  counts: { entry: NOTHING, exit: NOTHING, protective: NOTHING, upkeep: NOTHING },
  costs: { hour: 0n, exitsOfHour: 0n, day: 0n, ...costs },
  failedExits: { SOL: { count: 3, firstMs: 0 } },
  open,
});

const order = (parts: Partial<OrderToSign>): OrderToSign => ({
  kind: "entry",
  marketId: "SOL",
  baseSize: 1n,
  notional: WORTH,
  beyondBps: 0n,
  // A hundredth of the worth
  cost: WORTH / 100n,
  isPriceUsable: true,
  account: {
    slot: 1n,
    worth: WORTH,
    free: WORTH,
    held: 0n,
    cash: WORTH,
    positions: {},
    hasOpenOrders: false,
  },
  ...parts,
});

const refusal = (given: OrderToSign, spent: SignedSums, leverage: number) =>
  refuseOrder(given, spent, { slippageBps: 50, leverage, nowMs: 1_000 })?.text ?? null;

describe("the budgets of an agent with leverage", () => {
  it("have an hour as many times as large, and the same day", () => {
    const hourOf = (bps: bigint) => sums({ hour: (WORTH * bps) / 10_000n });
    const HOUR = "orders of this hour cost too much";
    expect(refusal(order({}), hourOf(150n), 1)).toBeNull();
    expect(refusal(order({}), hourOf(151n), 1)).toBe(HOUR);
    expect(refusal(order({}), hourOf(650n), 3)).toBeNull();
    expect(refusal(order({}), hourOf(651n), 3)).toBe(HOUR);
    for (const leverage of [1, 5]) {
      const dayOf = (bps: bigint) => sums({ day: (WORTH * bps) / 10_000n });
      expect(refusal(order({}), dayOf(900n), leverage)).toBeNull();
      expect(refusal(order({}), dayOf(901n), leverage)).toBe("orders of today cost too much");
    }
  });

  it("count entries that can still land together against the leverage of the account", () => {
    const open = [{ kind: "entry", notional: 2n * WORTH }] as const;
    const WAITS = "an earlier entry can still trade";
    expect(refusal(order({}), sums({}, open), 3)).toBeNull();
    expect(refusal(order({ notional: (102n * WORTH) / 100n }), sums({}, open), 3)).toBe(WAITS);
    expect(refusal(order({}), sums({}, open), 1)).toBe(WAITS);
  });

  it("let the exit of a levered position widen as far as that of another", () => {
    const beyondBps = WIDE_EXIT_COST_BPS - 10n;
    const exit = (times: bigint) => order({ kind: "exit", notional: times * WORTH, beyondBps });
    const WIDE = "the exit is wider than its failed attempts allow";
    expect(refusal(exit(1n), sums({}), 1)).toBeNull();
    expect(refusal(exit(5n), sums({}), 5)).toBeNull();
    expect(refusal(exit(5n), sums({}), 1)).toBe(WIDE);
  });

  it("count what a backup forgot as an entry of the whole account at its leverage", () => {
    const terms = { slippageBps: 50, leverage: 1 };
    expect(worstEntryCost(WORTH, { ...terms, leverage: 4 })).toBe(
      4n * worstEntryCost(WORTH, terms),
    );
  });
});
