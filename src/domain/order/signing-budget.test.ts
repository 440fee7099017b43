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
  hourly: [],
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
  it("have an hour and a day of the money, whatever the leverage", () => {
    const WIDE = "the entry is wider than the costs of this hour allow";
    for (const leverage of [1, 3, 5]) {
      const hourOf = (bps: bigint) => sums({ hour: (WORTH * bps) / 10_000n });
      expect(refusal(order({}), hourOf(150n), leverage)).toBeNull();
      expect(refusal(order({}), hourOf(151n), leverage)).toBe(WIDE);
      const dayOf = (bps: bigint) => sums({ day: (WORTH * bps) / 10_000n });
      expect(refusal(order({}), dayOf(900n), leverage)).toBeNull();
      expect(refusal(order({}), dayOf(901n), leverage)).toBe(WIDE);
    }
  });

  it("narrow an entry to what is left, and say until when there is too little", () => {
    const asked = (costs: Partial<SignedSums["costs"]>, notional: bigint, leverage: number) => {
      // Wide slippage: three percent and a half of the notional, and the fee
      const entry = order({ notional, cost: (notional * 360n) / 10_000n });
      const hourly = [
        { cost: costs.hour ?? 0n, untilMs: 60_000 },
        { cost: 0n, untilMs: 90_000 },
      ];
      const spent = { ...sums(costs), hourly };
      const { text: _, ...room } =
        refuseOrder(entry, spent, { slippageBps: 300, leverage, nowMs: 1_000 }) ?? {};
      return room;
    };
    const percent = (bps: bigint) => (WORTH * bps) / 10_000n;
    expect(asked({}, WORTH, 1)).toEqual({ limitBps: 190 });
    // After nine round trips at the market's price
    expect(asked({ hour: percent(180n) }, WORTH, 1)).toEqual({ limitBps: 10 });
    expect(asked({ hour: percent(190n) }, WORTH, 1)).toEqual({ untilMs: 60_000 });
    expect(asked({}, 5n * WORTH, 5)).toEqual({ limitBps: 30 });
    expect(asked({ hour: percent(100n) }, 5n * WORTH, 5)).toEqual({ limitBps: 10 });
    expect(asked({ hour: percent(200n) }, 5n * WORTH, 5)).toEqual({ untilMs: 60_000 });
    expect(asked({ day: percent(940n) }, WORTH, 1)).toEqual({ untilMs: 86_400_000 });
  });

  it("count entries that can still land together against the leverage of the account", () => {
    const open = [{ kind: "entry", notional: 2n * WORTH }] as const;
    const WAITS = "an earlier entry can still trade";
    expect(refusal(order({}), sums({}, open), 3)).toBeNull();
    expect(refusal(order({ notional: (102n * WORTH) / 100n }), sums({}, open), 3)).toBe(WAITS);
    expect(refusal(order({}), sums({}, open), 1)).toBe(WAITS);
  });

  it("let an exit widen to the same share of the money, and never hold it nearer than its least", () => {
    const WIDE = "the exit is wider than its failed attempts allow";
    const least: Readonly<Record<number, bigint>> = { 1: 100n, 3: 33n, 5: 20n };
    for (const leverage of [1, 3, 5]) {
      const times = BigInt(leverage);
      const exit = (beyondBps: bigint) =>
        order({ kind: "exit", notional: times * WORTH, beyondBps });
      const most = WIDE_EXIT_COST_BPS / times;
      expect(refusal(exit(most), sums({}), leverage)).toBeNull();
      expect(refusal(exit(most + 1n), sums({}), leverage)).toBe(WIDE);
      const spent = sums({ exitsOfHour: WORTH });
      expect(refusal(exit(least[leverage] ?? 0n), spent, leverage)).toBeNull();
      expect(refusal(exit((least[leverage] ?? 0n) + 1n), spent, leverage)).toBe(WIDE);
    }
  });

  it("count what a backup forgot as an entry of the whole account at its leverage", () => {
    const terms = { slippageBps: 50, leverage: 1 };
    expect(worstEntryCost(WORTH, { ...terms, leverage: 4 })).toBe(
      4n * worstEntryCost(WORTH, terms),
    );
  });
});
