import type { Instruction } from "@solana/kit";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type DriftFixture, openDriftFixture } from "../../../test/drift-fixture.ts";
import { fundVenueAccount, land } from "../../../test/venue-conformance.ts";
import type { Approved, OrderIntent } from "../../domain/order/order.ts";
import { agentIdOf, orderIdOf } from "../../../test/ids.ts";
import type { Chain } from "../../solana/chain.ts";
import type { SigningPurpose, SigningTerms } from "../order-signing.ts";
import { createDriftAllowList } from "./allow-list.ts";
import { DRIFT_V2_INSTANCE as instance } from "./instance.ts";
import {
  MODIFY_POLICY,
  ORDER_TYPE,
  type OrderChange,
  type OrderParams,
  TRIGGER_CONDITION,
  DIRECTION,
  MARKET_TYPE,
} from "./instruction-arguments.ts";
import {
  accountsOf,
  cancelOrders,
  cancelOrdersByIds,
  modifyOrderByUserId,
  placeAndTakePerpOrder,
  placePerpOrder,
} from "./instructions.ts";
import { type DriftOrder, ORDER_STATUS, userLayout } from "./layout-user.ts";
import { createDriftOrderLimits } from "./order-limits.ts";
import {
  takeOrderParams,
  type OrderTerms,
  type OrderTrigger,
  triggerOrderChange,
  triggerOrderParams,
} from "./order-params.ts";
import { derivePerpMarket, deriveSpotMarket, deriveUser } from "./pdas.ts";

/*
 * What a thief with the trading key can have signed among orders that rest: the position is 2 SOL long at 150, the
 * agent's slippage half a percent, so that a protective order's limit is at most two percent from its trigger. What he
 * can have signed among entries is at the end: as much as the leverage allows of the poorer of two readings.
 */

const SETS = Number(process.env["RANDOM_SETS"] ?? 10_000);
const PRICE = 150_000_000n;
const SOL = 1_000_000_000n;
const HELD = 2n * SOL;
const signing: SigningTerms = {
  marketId: "SOL-PERP",
  slippageBps: 50,
  leverage: 1,
  stop: { kind: "percent", bps: 300 },
  tradingState: "active",
};
const STOP_NUMBER = 100;

let fixture: DriftFixture;
let judge: (
  instructions: readonly Instruction[],
  purpose?: SigningPurpose,
  terms?: Partial<SigningTerms>,
) => Promise<string | null>;
let markets: Parameters<typeof placePerpOrder>[4];

beforeAll(async () => {
  fixture = await openDriftFixture();
  await fundVenueAccount(fixture, 500_000_000n);
  const { account, chain, clock, market, tradingKey, venue } = fixture;
  const entry = {
    orderId: orderIdOf("0"),
    agentId: agentIdOf("a"),
    market,
    side: "long",
    baseSize: HELD,
    referencePrice: PRICE,
    slippageBps: 50,
    reduceOnly: false,
    percentage: 100,
  } as unknown as Approved<OrderIntent>;
  const built = await venue.buildOrder(account, entry);
  expect((await land(fixture, tradingKey, built.instructions)).error).toBeNull();
  const allow = createDriftAllowList(instance, clock);
  const limits = createDriftOrderLimits({ chain, instance, clock });
  judge = async (instructions, purpose = "protective", terms = {}) => {
    const all = instructions as readonly Required<Instruction>[];
    for (const each of all) {
      const refusal = allow(account, each);
      if (refusal !== null) return refusal;
    }
    return (await limits(account, all, purpose, { ...signing, ...terms })).refusal;
  };
  const shared = await venue.sharedAddresses();
  markets = {
    oracles: shared.slice(-3, -2),
    spotMarkets: [deriveSpotMarket(instance, 0)],
    perpMarkets: [derivePerpMarket(instance, 0)],
  };
});

const TERMS: OrderTerms = {
  marketIndex: 0,
  side: "short",
  baseSize: HELD,
  price: 142_590_000n,
  reduceOnly: true,
};
const STOP: OrderTrigger = {
  userOrderId: STOP_NUMBER,
  triggerPrice: 145_500_000n,
  triggersWhen: "below",
};
const GAIN: OrderTrigger = { userOrderId: 131, triggerPrice: 160_000_000n, triggersWhen: "above" };

function place(
  terms: Partial<OrderTerms> = {},
  trigger: Partial<OrderTrigger> = {},
  change: Partial<OrderParams> = {},
) {
  const params = triggerOrderParams({ ...TERMS, ...terms }, { ...STOP, ...trigger });
  const { account } = fixture;
  const all = { ...params, ...change };
  return placePerpOrder(instance, accountsOf(account), account.tradingKey, all, markets);
}

function modify(
  terms: Partial<OrderTerms> = {},
  trigger: Partial<OrderTrigger> = {},
  change: Partial<OrderChange> = {},
) {
  const wanted = { ...STOP, ...trigger };
  const { account } = fixture;
  const all = { ...triggerOrderChange({ ...TERMS, ...terms }, wanted), ...change };
  const user = accountsOf(account);
  return modifyOrderByUserId(instance, user, account.tradingKey, wanted.userOrderId, all, markets);
}

const cancel = () => {
  const { account } = fixture;
  return cancelOrders(instance, accountsOf(account), account.tradingKey, markets);
};

const take = () => {
  const { account } = fixture;
  const params = takeOrderParams({ ...TERMS, price: PRICE });
  return placeAndTakePerpOrder(instance, accountsOf(account), account.tradingKey, params, markets);
};

const gain = { price: 156_800_000n, baseSize: SOL };

describe("protective orders that the signer signs", () => {
  it.each<[string, () => readonly Instruction[]]>([
    ["a stop", () => [place()]],
    ["a change of the stop", () => [modify()]],
    [
      "a stop above the market, which a keeper fires at once",
      () => [place({ price: PRICE }, { triggerPrice: 153_000_000n })],
    ],
    ["a target", () => [place(gain, GAIN)]],
    [
      "a cancellation, a stop and four targets",
      () => [
        cancel(),
        place(),
        ...[131, 162, 193, 224].map((userOrderId) => place(gain, { ...GAIN, userOrderId })),
      ],
    ],
    [
      "a stop as near as the plan's, half a percent for rounding",
      () => [place({ price: 143_400_000n }, { triggerPrice: 144_900_000n })],
    ],
  ])("are %s", async (_, made) => {
    expect(await judge(made())).toBeNull();
  });

  it("are the same while the agent only reduces, and none under a halt", async () => {
    expect(await judge([place()], "protective", { tradingState: "reducing" })).toBeNull();
    expect(await judge([place()], "protective", { tradingState: "halted" })).toBe(
      "trading is halted",
    );
  });
});

describe("the stop that the plan asks for", () => {
  const small = "the stop is smaller than the position";
  const far = "the stop is farther than the plan's";
  const gone = "it takes away the stop that the plan asks for";
  const named = (ids: readonly number[]) => {
    const { account } = fixture;
    return cancelOrdersByIds(instance, accountsOf(account), account.tradingKey, ids, markets);
  };

  it.each<[string, string, () => readonly Instruction[]]>([
    ["of a part", small, () => [place({ baseSize: SOL })]],
    ["of a single step", small, () => [place({ baseSize: 10_000_000n })]],
    [
      "at a hundredth of the price",
      far,
      () => [place({ price: 1_480_000n }, { triggerPrice: 1_500_000n })],
    ],
    [
      "farther than the plan's",
      far,
      () => [place({ price: 143_000_000n }, { triggerPrice: 144_700_000n })],
    ],
    [
      "which a gain triggers",
      "no loss triggers the stop",
      () => [place({ price: 158_000_000n }, { triggerPrice: 160_000_000n, triggersWhen: "above" })],
    ],
    ["whose change makes it smaller", small, () => [modify({ baseSize: SOL })]],
    [
      "whose change is farther",
      far,
      () => [modify({ price: 139_000_000n }, { triggerPrice: 140_000_000n })],
    ],
  ])("is refused %s", async (_, refusal, made) => {
    expect(await judge(made())).toBe(refusal);
  });

  it("is held to the farthest that any plan can have where it is a multiple of the ATR", async () => {
    const atr = { stop: { kind: "atr", length: 14, timesHundredths: 200 } } as const;
    const at = (triggerPrice: bigint) =>
      judge([place({ price: triggerPrice - 1_000_000n }, { triggerPrice })], "protective", atr);
    expect(await at(76_000_000n)).toBeNull();
    expect(await at(70_000_000n)).toBe(far);
  });

  it("is not placed without a plan, whose cancellations pass", async () => {
    const none = { stop: null };
    expect(await judge([place()], "protective", none)).toBe("its plan asks for no stop");
    expect(await judge([cancel()], "protective", none)).toBeNull();
  });

  it("is taken away by nothing but another that holds, while it rests", async () => {
    expect(await judge([cancel()])).toBeNull();
    const { tradingKey, chain } = fixture;
    expect((await land(fixture, tradingKey, [place()])).error).toBeNull();
    const user = deriveUser(instance, fixture.account.vault, 0);
    const [account] = (await chain.accounts([user])).accounts;
    const orders = userLayout.decode(account?.data ?? new Uint8Array()).orders;
    const id = orders.find(({ userOrderId }) => userOrderId === STOP_NUMBER)?.orderId ?? 0;
    for (const purpose of ["protective", "follow_up"] as const) {
      expect(await judge([cancel()], purpose)).toBe(gone);
      expect(await judge([named([id])], purpose)).toBe(gone);
      expect(await judge([named([id + 1])], purpose)).toBeNull();
    }
    const part = { ...TERMS, price: PRICE, baseSize: SOL };
    const own = accountsOf(fixture.account);
    const exit = (terms: OrderTerms) =>
      placeAndTakePerpOrder(
        instance,
        own,
        fixture.account.tradingKey,
        takeOrderParams(terms),
        markets,
      );
    expect(await judge([cancel(), exit(part)], "order")).toBe(gone);
    expect(await judge([exit(part)], "order")).toBeNull();
    const whole = exit({ ...TERMS, price: PRICE });
    expect(await judge([cancel(), whole], "order")).toBe(gone);
    expect(await judge([named([id]), whole], "order")).toBe(gone);
    expect(await judge([named([id + 1]), whole], "order")).toBeNull();
    expect(await judge([whole], "order")).toBeNull();
    expect(await judge([cancel(), whole], "order", { stop: null })).toBeNull();
    expect(await judge([cancel(), place()])).toBeNull();
    expect(await judge([cancel()], "protective", { stop: null })).toBeNull();
    expect((await land(fixture, tradingKey, [cancel()])).error).toBeNull();
  });
});

describe("protective orders that a thief makes up", () => {
  const rest = "the order does more than rest until a price is reached";
  const beyond = "its price is too far from its trigger";
  const behind = "its price is too far from the market's";
  const size = "it is larger than the position";
  const nothing = "there is no position that it protects";
  const both = "the order that rests does not only reduce";

  it.each<[string, string, () => readonly Instruction[]]>([
    ["that grows the position", nothing, () => [place({ side: "long", price: 148_000_000n })]],
    [
      "whose change grows the position",
      nothing,
      () => [modify({ side: "long", price: 148_000_000n })],
    ],
    ["that does not only reduce", both, () => [place({ reduceOnly: false })]],
    ["whose change does not only reduce", both, () => [modify({ reduceOnly: false })]],
    ["whose change leaves reducing as it is", both, () => [modify({}, {}, { reduceOnly: null })]],
    ["larger than the position", size, () => [place({ baseSize: HELD + 1n })]],
    ["whose change is larger than the position", size, () => [modify({ baseSize: HELD + 1n })]],
    ["of no size", "the order has no size", () => [place({ baseSize: 0n })]],
    [
      "whose change leaves the size as it is",
      "the order has no size",
      () => [modify({}, {}, { baseAssetAmount: null })],
    ],
    ["at any price", "the order takes any price", () => [place({ price: 0n })]],
    [
      "whose change leaves the price as it is",
      "the order takes any price",
      () => [modify({}, {}, { price: null })],
    ],
    ["one unit beyond its limit", beyond, () => [place({ price: 142_589_999n })]],
    ["whose change is one unit beyond its limit", beyond, () => [modify({ price: 142_589_999n })]],
    ["that sells for almost nothing", beyond, () => [place({ price: 1n })]],
    [
      "that is triggered at almost nothing",
      behind,
      () => [place({ ...gain, price: 1n }, { ...GAIN, triggerPrice: 1n })],
    ],
    [
      "that is triggered above a price far below the market",
      behind,
      () => [place({}, { ...GAIN, triggerPrice: STOP.triggerPrice })],
    ],
    [
      "whose change is triggered above a price far below the market",
      behind,
      () => [modify({}, { ...GAIN, triggerPrice: STOP.triggerPrice })],
    ],
    [
      "a target just behind the market",
      behind,
      () => [place({ price: 149_249_999n }, { ...GAIN, triggerPrice: 149_249_999n })],
    ],
    ["that is triggered at once by no price", rest, () => [place({}, {}, { triggerPrice: 0n })]],
    ["without a trigger", rest, () => [place({}, {}, { triggerPrice: null })]],
    [
      "that counts as triggered",
      rest,
      () => [place({}, {}, { triggerCondition: TRIGGER_CONDITION.triggeredBelow })],
    ],
    [
      "whose change counts as triggered",
      rest,
      () => [modify({}, {}, { triggerCondition: TRIGGER_CONDITION.triggeredAbove })],
    ],
    [
      "whose change leaves the condition as it is",
      rest,
      () => [modify({}, {}, { triggerCondition: null })],
    ],
    [
      "whose change leaves the trigger as it is",
      rest,
      () => [modify({}, {}, { triggerPrice: null })],
    ],
    ["with a number of nobody", rest, () => [place({}, { userOrderId: 0 })]],
    ["with another program's number", rest, () => [place({}, { userOrderId: 99 })]],
    ["with another market's number", rest, () => [place({}, { userOrderId: 101 })]],
    ["with a number beyond ours", rest, () => [place({}, { userOrderId: 255 })]],
    ["whose change is of an order of nobody", rest, () => [modify({}, { userOrderId: 0 })]],
    ["that waits for a taker", rest, () => [place({}, {}, { postOnly: 1 })]],
    ["that is cancelled unless it fills at once", rest, () => [place({}, {}, { bitFlags: 1 })]],
    ["that expires", rest, () => [place({}, {}, { maxTs: 2_000_000_000n })]],
    ["that follows the oracle", rest, () => [place({}, {}, { oraclePriceOffset: -1 })]],
    ["whose change follows the oracle", rest, () => [modify({}, {}, { oraclePriceOffset: -1 })]],
    [
      "with an auction of its own",
      rest,
      () => [place({}, {}, { auctionDuration: 10, auctionStartPrice: 1n, auctionEndPrice: 2n })],
    ],
    [
      "whose change has an auction of its own",
      rest,
      () => [modify({}, {}, { auctionStartPrice: 1n })],
    ],
    ["whose change may find nothing", rest, () => [modify({}, {}, { policy: MODIFY_POLICY.try })]],
    [
      "without a worst price",
      "the order has no short auction within its price",
      () => [place({}, {}, { orderType: ORDER_TYPE.triggerMarket })],
    ],
    [
      "for a market that is not traded here",
      "the market is not traded here",
      () => [place({ marketIndex: 9 })],
    ],
    [
      "for a market without a position",
      nothing,
      () => [place({ marketIndex: 1 }, { userOrderId: 101 })],
    ],
    [
      "beside an order",
      "it is more or something else than one set of protective orders",
      () => [take(), place()],
    ],
    [
      "before what cancels it",
      "it is more or something else than one set of protective orders",
      () => [place(), cancel()],
    ],
  ])("are refused %s", async (_, refusal, made) => {
    expect(await judge(made())).toBe(refusal);
  });

  it.each(["order", "follow_up", "settlement"] as const)("are refused as %s", async (purpose) => {
    expect(await judge([place()], purpose)).toContain("it is more or something else");
  });

  it("are signed where they reduce within their limit, and only there", async () => {
    const near = fc.bigInt({ min: 120_000_000n, max: 180_000_000n });
    const figures = fc.record({
      side: fc.constantFrom("long" as const, "short" as const, "short" as const),
      baseSize: fc.oneof(fc.constant(HELD), fc.bigInt({ min: 1n, max: HELD + SOL / 4n })),
      reduceOnly: fc.constantFrom(true, true, true, false),
      triggerPrice: near,
      triggersWhen: fc.constantFrom("above" as const, "below" as const),
      // Half of them near the bound
      beyond: fc.oneof(
        fc.integer({ min: -3, max: 3 }),
        fc.integer({ min: -9_000_000, max: 3_000_000 }),
      ),
      isChange: fc.boolean(),
    });
    const [held] = (await fixture.venue.accountState(fixture.account)).positions;
    const entry = held?.entryPrice ?? 0n;
    let signed = 0;
    for (const { beyond, isChange, ...order } of fc.sample(figures, {
      numRuns: SETS,
      seed: 20261126,
    })) {
      const { side, baseSize, reduceOnly, triggerPrice, triggersWhen } = order;
      const lowest = (triggerPrice * 98n + 99n) / 100n;
      const price = lowest + BigInt(beyond);
      const { userOrderId } = triggersWhen === "above" ? GAIN : STOP;
      const trigger = { userOrderId, triggerPrice, triggersWhen };
      const terms = { side, baseSize, reduceOnly, price };
      const refusal = await judge([isChange ? modify(terms, trigger) : place(terms, trigger)]);
      // Where the market has to be for it to trade, said of prices alone
      const worstFor =
        triggersWhen === "below" ? triggerPrice : PRICE > triggerPrice ? PRICE : triggerPrice;
      const tolerated = triggersWhen === "below" ? 9_800n : PRICE > triggerPrice ? 9_751n : 9_800n;
      if (refusal === null) {
        signed += 1;
        expect({ side, reduceOnly }).toEqual({ side: "short", reduceOnly: true });
        expect(baseSize).toBeLessThanOrEqual(HELD);
        expect(price * 10_000n).toBeGreaterThanOrEqual(worstFor * tolerated);
      } else {
        const isBehind = triggersWhen === "above" && triggerPrice * 10_000n < PRICE * 9_950n;
        const isNoStop =
          triggersWhen === "below" && (baseSize < HELD || triggerPrice * 10_000n < entry * 9_650n);
        const isRightlyRefused =
          side === "long" ||
          !reduceOnly ||
          baseSize > HELD ||
          price < lowest ||
          isBehind ||
          isNoStop;
        expect([order, price, refusal, isRightlyRefused].at(-1)).toBe(true);
      }
    }
    expect(signed).toBeGreaterThan(SETS / 20);
  });
});

describe("entries that a thief makes up", () => {
  /** A chain as a node tells it that makes the account ten times as rich. */
  const richer = (chain: Chain): Chain => ({
    ...chain,
    async accounts(addresses, ...rest) {
      const read = await chain.accounts(addresses, ...rest);
      const user = deriveUser(instance, fixture.account.vault, 0);
      const accounts = read.accounts.map((account, at) => {
        if (addresses[at] !== user || account === null) return account;
        const decoded = userLayout.decode(account.data);
        const spotPositions = decoded.spotPositions.map((each) => ({
          ...each,
          scaledBalance: each.scaledBalance * 10n,
        }));
        return { ...account, data: userLayout.encode({ ...decoded, spotPositions }) };
      });
      return { ...read, accounts };
    },
  });

  it.each([0, 1])("are signed within the leverage of the account (richer: %i)", async (at) => {
    const { account, chain, clock, venue } = fixture;
    const readings = [chain, chain].map((each, index) => (index === at ? richer(each) : each));
    const limits = createDriftOrderLimits({
      chain,
      readings: readings as [Chain, Chain],
      instance,
      clock,
    });
    const state = await venue.accountState(account);
    const held = (HELD * PRICE) / SOL;
    const figures = fc.record({
      side: fc.constantFrom("long" as const, "short" as const),
      leverage: fc.integer({ min: 1, max: 5 }),
      // Half of them near the bound, which is 201 dollars and half a thousand for each leverage above 1
      beyond: fc.oneof(
        fc.bigInt({ min: -30_000_000n, max: 30_000_000n }),
        fc.bigInt({ min: -1_000_000_000n, max: 2_000_000_000n }),
      ),
    });
    let signed = 0;
    const samples = fc.sample(figures, { numRuns: SETS / 2, seed: 20261127 });
    for (const { side, leverage, beyond } of samples) {
      const most = (state.portfolioValue * BigInt(leverage) * 10_050n) / 10_000n - held;
      const baseSize = (most * SOL) / PRICE + beyond;
      if (baseSize <= 0n) continue;
      const params = takeOrderParams({ ...TERMS, side, baseSize, price: PRICE, reduceOnly: false });
      const user = accountsOf(account);
      const made = placeAndTakePerpOrder(instance, user, account.tradingKey, params, markets);
      const terms = { ...signing, leverage };
      const limited = await limits(account, [made as Required<typeof made>], "order", terms);
      const notional = (baseSize * PRICE + SOL - 1n) / SOL;
      const isWithin =
        held + notional <= (state.portfolioValue * BigInt(leverage) * 10_050n) / 10_000n;
      // Half of the money is margin of what is held, which bounds an entry without leverage too
      const isFree = notional <= (state.freeCollateral * BigInt(leverage) * 10_050n) / 10_000n;
      expect([leverage, notional, limited.refusal === null]).toEqual([
        leverage,
        notional,
        isWithin && isFree,
      ]);
      if (limited.refusal === null) signed += 1;
    }
    expect(signed).toBeGreaterThan(SETS / 20);
  });
});

describe("a stop beside an entry that waits out its auction", () => {
  const SIZE = 3n * SOL;

  /** Judges a stop where the account holds nothing, and this order is open. */
  async function judgeBeside(order: Partial<DriftOrder>, terms: Partial<OrderTerms> = {}) {
    const { account, chain, clock } = fixture;
    const entering: Chain = {
      ...chain,
      async accounts(addresses, ...rest) {
        const read = await chain.accounts(addresses, ...rest);
        const user = deriveUser(instance, account.vault, 0);
        const accounts = read.accounts.map((each, at) => {
          if (addresses[at] !== user || each === null) return each;
          const decoded = userLayout.decode(each.data);
          const perpPositions = decoded.perpPositions.map((held) => ({
            ...held,
            baseAssetAmount: 0n,
          }));
          const orders = decoded.orders.map((none, place) =>
            place > 0
              ? none
              : {
                  ...none,
                  status: ORDER_STATUS.open,
                  marketType: MARKET_TYPE.perp,
                  orderType: ORDER_TYPE.market,
                  direction: DIRECTION.long,
                  marketIndex: 0,
                  baseAssetAmount: SIZE + SOL,
                  baseAssetAmountFilled: SOL,
                  ...order,
                },
          );
          return { ...each, data: userLayout.encode({ ...decoded, perpPositions, orders }) };
        });
        return { ...read, accounts };
      },
    };
    const limits = createDriftOrderLimits({ chain: entering, instance, clock });
    const trigger = terms.price === undefined ? {} : { triggerPrice: terms.price + 1_700_000n };
    const made = place({ baseSize: SIZE, ...terms }, trigger) as Required<Instruction>;
    return limits(account, [made], "protective", signing);
  }

  it("is signed as large as the entry, and its cost counts from the market's price", async () => {
    const accountOf = async (baseSize: bigint) => {
      const limited = await judgeBeside({ baseAssetAmount: baseSize + SOL }, { baseSize });
      if (limited.refusal !== null) throw new Error(limited.refusal);
      return limited.order?.account;
    };
    const [one, more] = [await accountOf(SIZE), await accountOf(SIZE + SOL)];
    expect(one?.positions).toEqual({ "SOL-PERP": SIZE });
    expect((one?.cash ?? 0n) - (more?.cash ?? 0n)).toBe(PRICE);
  });

  it.each<[string, Partial<DriftOrder>, Partial<OrderTerms>, string]>([
    ["larger", {}, { baseSize: SIZE + 10_000_000n }, "it is larger than the position"],
    ["with it", { direction: DIRECTION.short }, {}, "no loss triggers the stop"],
    ["farther than the plan's", {}, { price: 143_000_000n }, "the stop is farther than the plan's"],
    ["smaller", {}, { baseSize: SOL }, "the stop is smaller than the position"],
    ["beside a closing", { reduceOnly: true }, {}, "there is no position that it protects"],
    [
      "beside one in another market",
      { marketIndex: 1 },
      {},
      "there is no position that it protects",
    ],
    ["beside one that is over", { status: 0 }, {}, "there is no position that it protects"],
  ])("is not signed %s", async (_, order, terms, refusal) => {
    expect(await judgeBeside(order, terms)).toEqual({ refusal });
  });
});
