import type { AccountMeta, Address, Instruction } from "@solana/kit";
import { AccountRole } from "@solana/kit";
import type { Keypair } from "../../src/solana/encoding/keys.ts";
import {
  DIRECTION,
  ORDER_TYPE,
  type OrderChange,
} from "../../src/venues/drift/instruction-arguments.ts";
import {
  cancelOrders,
  cancelOrdersByIds,
  fillPerpOrder,
  modifyOrderByUserId,
  placeAndTakePerpOrder,
  placePerpOrder,
  settlePnl,
} from "../../src/venues/drift/instructions.ts";
import { priceUpdateLayout } from "../../src/solana/programs/pyth-receiver.ts";
import { MARKET_STATUS } from "../../src/venues/drift/layout-spot-market.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import { triggerOrderChange, triggerOrderParams } from "../../src/venues/drift/order-params.ts";
import {
  type ExchangeBench,
  orderParams,
  SOL_BASE,
  START_PRICE,
  user,
  withSol,
} from "../drift-cases/case.ts";
import { initialisedExchange, SOL_ORACLE } from "../drift-cases/initialised-exchange.ts";
import { tradingKey, owner, stranger } from "../squads-bench.ts";
import { keeperFill, keeperTrigger } from "./keeper.ts";
import { putTrader } from "./traders.ts";

/** Creates a repeatable random generator from a seed. */
export function createChance(seed: number) {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    below: (end: number): number => Math.floor(next() * end),
    /** True once in so many times. */
    once: (times: number): boolean => next() * times < 1,
    of: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T,
  };
}

type Chance = ReturnType<typeof createChance>;

/** State of a running sequence. */
interface Walk {
  readonly bench: ExchangeBench;
  readonly chance: Chance;
  price: bigint;
  /** The market is being wound down, which practice does not do. */
  isWindingDown: boolean;
}

const share = (value: bigint, perMille: number): bigint => (value * BigInt(perMille)) / 1_000n;

function someSize({ chance }: Walk): bigint {
  if (chance.once(12))
    return chance.of([0n, 1n, 9_999_999n, 10_000_001n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n - 1n]);
  return BigInt(1 + chance.below(300)) * 10_000_000n + BigInt(chance.of([0, 0, 0, 7]));
}

function somePrice({ chance, price }: Walk): bigint {
  if (chance.once(10)) return chance.of([0n, 1n, 99n, 2n ** 63n - 1n, 2n ** 64n - 1n]);
  return share(price, chance.of([700, 950, 990, 999, 1_000, 1_001, 1_010, 1_050, 1_400])) + 33n;
}

/** Orders of every type, limits more often than others. */
const ORDER_TYPES = [...Object.values(ORDER_TYPE), ORDER_TYPE.limit, ORDER_TYPE.limit];

function someOrder(walk: Walk) {
  const { chance, price } = walk;
  const isLong = chance.once(2);
  const rarely = <T>(value: T): T | null => (chance.once(6) ? value : null);
  const signed = () => share(price, chance.of([-20, -1, 1, 990, 1_000, 1_010, 1_020]));
  return orderParams({
    orderType: chance.of(ORDER_TYPES),
    marketType: chance.once(30) ? 0 : 1,
    direction: isLong ? DIRECTION.long : DIRECTION.short,
    userOrderId: chance.once(8) ? 1 + chance.below(3) : 0,
    baseAssetAmount: someSize(walk),
    price: somePrice(walk),
    marketIndex: chance.once(40) ? 1 : 0,
    reduceOnly: chance.once(4),
    postOnly: chance.once(6) ? chance.below(4) : 0,
    bitFlags: chance.once(3) ? 1 : 0,
    triggerPrice: rarely(somePrice(walk)),
    triggerCondition: chance.once(8) ? chance.below(4) : 0,
    oraclePriceOffset: rarely(chance.of([-50_000, 0, 50_000, 2_000_000])),
    auctionDuration: chance.once(3) ? chance.of([0, 1, 10, 60, 255]) : null,
    auctionStartPrice: chance.once(3) ? signed() : null,
    auctionEndPrice: chance.once(3) ? signed() : null,
  });
}

/** Returns an order as the product sends it: immediate within its price, or with an auction that ends at it. */
function productOrder({ chance, price }: Walk) {
  const isLong = chance.once(2);
  const worst = share(price, isLong ? 1_010 : 990);
  const order = {
    direction: isLong ? DIRECTION.long : DIRECTION.short,
    baseAssetAmount: BigInt(1 + chance.below(300)) * 10_000_000n,
    price: worst - (worst % 100n),
    reduceOnly: chance.once(3),
  };
  return orderParams(order);
}

function waitingOrder(walk: Walk, unixTime: bigint) {
  const { chance, price } = walk;
  const order = productOrder(walk);
  return {
    ...order,
    orderType: chance.of([ORDER_TYPE.market, ORDER_TYPE.limit]),
    bitFlags: 0,
    maxTs: unixTime + BigInt(chance.of([-1, 0, 5, 30, 60])),
    auctionDuration: chance.of([1, 10, 20]),
    auctionStartPrice: price,
    auctionEndPrice: order.price,
  };
}

/** Returns a protective order as the product places it, near the price so that it is often triggered. */
function protectiveOrder({ chance, price }: Walk) {
  const side = chance.once(2) ? "long" : "short";
  const at = share(price, chance.of([980, 990, 998, 1_002, 1_010, 1_020]));
  const worst = share(at, side === "long" ? 1_050 : 950);
  const terms = {
    marketIndex: 0,
    side,
    baseSize: BigInt(1 + chance.below(300)) * 10_000_000n,
    price: worst - (worst % 100n),
    reduceOnly: !chance.once(8),
  } as const;
  const triggersWhen = chance.once(2) ? ("above" as const) : ("below" as const);
  const userOrderId = chance.of([0, 100, 131, 162]);
  return [terms, { userOrderId, triggerPrice: at, triggersWhen }] as const;
}

/** Returns a change as the product makes it, or one of any fields. */
function someChange(walk: Walk): OrderChange {
  const { chance } = walk;
  const own = triggerOrderChange(...protectiveOrder(walk));
  if (!chance.once(4)) return { ...own, policy: chance.of([null, 0, 1, 1]) };
  const { direction, postOnly, maxTs, oraclePriceOffset, ...others } = someOrder(walk);
  const maybe = <T>(value: T): T | null => (chance.once(2) ? value : null);
  return {
    direction: maybe(direction),
    baseAssetAmount: maybe(others.baseAssetAmount),
    price: maybe(others.price),
    reduceOnly: maybe(others.reduceOnly),
    postOnly: maybe(postOnly),
    immediateOrCancel: maybe(chance.once(2)),
    maxTs,
    triggerPrice: others.triggerPrice,
    triggerCondition: maybe(others.triggerCondition),
    oraclePriceOffset,
    auctionDuration: others.auctionDuration,
    auctionStartPrice: others.auctionStartPrice,
    auctionEndPrice: others.auctionEndPrice,
    policy: chance.of([null, 0, 1, 2]),
  };
}

function someProtective(walk: Walk, by: Address): Instruction {
  const { chance } = walk;
  const kind = chance.below(5);
  if (kind < 2) {
    return placePerpOrder(IDS, user, by, triggerOrderParams(...protectiveOrder(walk)), withSol);
  }
  if (kind < 4) return keeperTrigger(chance.below(7));
  const number = chance.of([0, 100, 131, 162]);
  return modifyOrderByUserId(IDS, user, by, number, someChange(walk), withSol);
}

/** Returns the instruction with its remaining accounts omitted, duplicated, reversed or read-only. */
function disturbed({ chance }: Walk, instruction: Instruction): Instruction {
  if (!chance.once(12)) return instruction;
  const accounts = [...(instruction.accounts ?? [])] as AccountMeta[];
  const at = chance.below(accounts.length);
  const meta = accounts[at];
  if (meta === undefined) return instruction;
  const changes: (() => AccountMeta[])[] = [
    () => accounts.toSpliced(at, 1),
    () => accounts.toSpliced(at, 0, meta),
    () => accounts.with(at, { ...meta, role: AccountRole.READONLY }),
    () => accounts.toReversed(),
    () => accounts.with(at, { ...meta, address: chance.of(accounts).address }),
  ];
  return { ...instruction, accounts: chance.of(changes)() };
}

async function movePrice(walk: Walk): Promise<void> {
  const { bench, chance } = walk;
  const isWild = chance.once(15);
  walk.price = share(
    walk.price,
    isWild ? chance.of([300, 600, 1_700, 6_000]) : 985 + chance.below(31),
  );
  if (walk.price < 1_000_000n) walk.price = START_PRICE;
  const { slot, unixTime } = await bench.time();
  const age = BigInt(chance.of([0, 0, 0, 0, 4, 9, 10, 11, 130]));
  const conf = chance.once(10) ? walk.price / 20n : walk.price / 5_000n;
  await bench.edit(SOL_ORACLE, (account) => ({
    ...account,
    data: priceUpdateLayout.encode({
      ...priceUpdateLayout.decode(account.data),
      price: walk.price,
      conf,
      publishTime: unixTime,
      postedSlot: slot - age,
    }),
  }));
  if (isWild && chance.once(2)) await bench.setPrice(walk.price);
}

async function changeSettings(walk: Walk): Promise<void> {
  const { bench, chance } = walk;
  const status = chance.of([0, 0, 0, 4, 8, 32, 64, 127, 128]);
  await bench.setExchange({
    exchangeStatus: status,
    minPerpAuctionDuration: chance.of([0, 0, 10]),
  });
  const market = {
    status: chance.of([1, 1, 1, 1, 0, 6, 7]),
    pausedOperations: chance.of([0, 0, 0, 1, 2, 4, 8, 16]),
    contractTier: chance.of([0, 1, 2, 3]),
  };
  walk.isWindingDown = market.status === MARKET_STATUS.settlement;
  const amm = {
    maxOpenInterest: chance.of([0n, 0n, 0n, SOL_BASE]),
    minOrderSize: chance.of([10_000_000n, 10_000_000n, SOL_BASE]),
    maxFillReserveFraction: chance.of([100, 100, 65_000]),
  };
  await bench.setMarket((last) => ({ ...last, ...market, amm: { ...last.amm, ...amm } }));
}

/** Changes the market's pools, its collected fees and its allowance for the revenue pool. */
async function changePools({ bench, chance }: Walk): Promise<void> {
  const cents = (most: number) => BigInt(chance.below(most * 100)) * 10_000n;
  const gains = cents(chance.of([1, 20, 900])) * 1_000n;
  const kept = cents(700) * 1_000n;
  const claim = {
    maxRevenueWithdrawPerPeriod: 100_000_000n + cents(50),
    revenueWithdrawSinceLastSettle: cents(100) - 50_000_000n,
    quoteMaxInsurance: cents(3),
  };
  const totalExchangeFee = cents(900);
  const fees = {
    totalExchangeFee,
    totalFeeMinusDistributions: cents(900) - chance.of([0n, 100_000_000n]),
    totalLiquidationFee: cents(5),
    totalFeeWithdrawn: chance.once(2) ? 0n : cents(chance.of([1, 100, 600])),
    netRevenueSinceLastFunding: cents(90),
    netUnsettledFundingPnl: cents(8) - 4_000_000n,
  };
  await bench.setMarket((last) => ({
    ...last,
    pnlPool: { ...last.pnlPool, scaledBalance: gains },
    insuranceClaim: { ...last.insuranceClaim, ...claim },
    amm: {
      ...last.amm,
      ...fees,
      feePool: { ...last.amm.feePool, scaledBalance: kept },
    },
  }));
}

function someTrade(walk: Walk, by: Address, unixTime: bigint): Instruction {
  const { chance } = walk;
  if (chance.once(3)) return someProtective(walk, by);
  const kind = chance.below(15);
  if (kind < 4) return placeAndTakePerpOrder(IDS, user, by, productOrder(walk), withSol);
  if (kind < 6) return placeAndTakePerpOrder(IDS, user, by, someOrder(walk), withSol);
  if (kind < 7) return placePerpOrder(IDS, user, by, someOrder(walk), withSol);
  if (kind < 9) return placePerpOrder(IDS, user, by, waitingOrder(walk, unixTime), withSol);
  if (kind < 11)
    return chance.once(2)
      ? fillPerpOrder(IDS, user, by, chance.below(6), withSol)
      : keeperFill(chance.once(3) ? null : chance.below(6));
  if (kind < 14 && !walk.isWindingDown)
    return settlePnl(IDS, user, by, chance.once(40) ? 1 : 0, 0, withSol);
  if (chance.once(2)) return cancelOrders(IDS, user, by, withSol);
  return cancelOrdersByIds(IDS, user, by, [chance.below(6), chance.below(40)], withSol);
}

/** Returns the keys that must sign; undefined when one of them is unknown. */
function signersOf(trade: Instruction): readonly Keypair[] | undefined {
  const asked = (trade.accounts ?? []).filter(({ role }) => role >= AccountRole.READONLY_SIGNER);
  const keys = [tradingKey, owner, stranger].filter((key) =>
    asked.some(({ address }) => address === key.address),
  );
  const isSignable = asked.every(({ address }) => keys.some((key) => key.address === address));
  return isSignable ? keys : undefined;
}

async function step(walk: Walk): Promise<void> {
  const { bench, chance } = walk;
  if (chance.once(4)) bench.advance(chance.of([1, 2, 20, 61, 400, 3_700]));
  if (chance.once(3)) bench.nextSlot();
  await movePrice(walk);
  if (chance.once(8)) await changeSettings(walk);
  if (chance.once(10)) await changePools(walk);
  const { unixTime } = await bench.time();
  const signer: Keypair = chance.once(15) ? chance.of([owner, stranger]) : tradingKey;
  const plain = someTrade(walk, signer.address, unixTime);
  const changed = disturbed(walk, plain);
  const trade = signersOf(changed) === undefined ? plain : changed;
  const [first = signer, ...others] = signersOf(trade) ?? [];
  await bench.send([first, ...others], [trade]);
}

/** Runs one sequence of trades on a fresh exchange. */
export async function runSequence(bench: ExchangeBench, seed: number, steps: number) {
  const chance = createChance(seed);
  for (const [address, state] of initialisedExchange(await bench.time(), START_PRICE)) {
    await bench.put(address, state);
  }
  await putTrader(bench, 1_000n);
  await putTrader(bench, 100n, stranger.address);
  const walk: Walk = { bench, chance, price: START_PRICE, isWindingDown: false };
  for (let at = 0; at < steps; at += 1) await step(walk);
}
