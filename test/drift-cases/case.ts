import type { Address, Instruction } from "@solana/kit";
import { expect } from "vitest";
import type { Keypair } from "../../src/solana/encoding/keys.ts";
import { associatedTokenAddress } from "../../src/solana/programs/associated-token.ts";
import {
  deposit,
  initializeUser,
  initializeUserStats,
  type MarketAccounts,
  updateUserDelegate,
  withdraw,
  placeAndTakePerpOrder,
  settlePnl,
} from "../../src/venues/drift/instructions.ts";
import { marketAtPrice } from "../../src/practice/programs/drift/market-at-price.ts";
import {
  type DriftPerpMarket,
  perpMarketLayout,
} from "../../src/venues/drift/layout-perp-market.ts";
import { priceUpdateLayout } from "../../src/solana/programs/pyth-receiver.ts";
import { stateLayout } from "../../src/venues/drift/layout-state.ts";
import { userLayout } from "../../src/venues/drift/layout-user.ts";
import {
  DIRECTION,
  IMMEDIATE_OR_CANCEL,
  MARKET_TYPE,
  ORDER_TYPE,
  type OrderParams,
} from "../../src/venues/drift/instruction-arguments.ts";
import { limitPrice } from "../../src/venues/drift/order-params.ts";
import { deriveSpotMarket, deriveState, deriveUser } from "../../src/venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE as IDS } from "../../src/venues/drift/instance.ts";
import type { ChainBench } from "../chain-bench.ts";
import type { ProgramCase } from "../real-program.ts";
import { tradingKey, owner, prepareSquads, putDollars } from "../squads-bench.ts";
import { initialisedExchange, SOL_ORACLE, SOL_PERP } from "./initialised-exchange.ts";

/** A chain with the exchange on it. */
export interface ExchangeBench extends ChainBench {
  /** Sets SOL's price and moves the market maker's curve to it. */
  setPrice(price: bigint): Promise<void>;
  /** Writes the exchange's settings as its admin would. */
  setExchange(settings: {
    readonly exchangeStatus?: number;
    readonly maxInitializeUserFee?: number;
    readonly minPerpAuctionDuration?: number;
  }): Promise<void>;
  /** Writes SOL's market as its admin would. */
  setMarket(change: (market: DriftPerpMarket) => DriftPerpMarket): Promise<void>;
}

/** One behaviour of the exchange in the life of an agent's account. */
export interface DriftCase extends ProgramCase {
  readonly run: (bench: ExchangeBench) => Promise<void>;
}

export const DOLLAR = 1_000_000n;
export const SOL_BASE = 1_000_000_000n;
export const START_PRICE = 155_000_000n;

/** Slippage that orders of the cases accept, against the current price: 1 %. */
const SLIPPAGE_BPS = 100;

export const user = { authority: owner.address, subAccountId: 0 };
export const userAddress = deriveUser(IDS, owner.address, 0);
export const ownerUsdc = associatedTokenAddress(owner.address, IDS.quote.mint);

const quoteMarket = deriveSpotMarket(IDS, 0);
export const noMarkets: MarketAccounts = {
  oracles: [],
  spotMarkets: [quoteMarket],
  perpMarkets: [],
};
export const withSol: MarketAccounts = {
  oracles: [SOL_ORACLE],
  spotMarkets: [quoteMarket],
  perpMarkets: [SOL_PERP],
};

/** Expects a transaction to land, or to fail with this error at this instruction. */
export async function expectError(
  result: ReturnType<ChainBench["send"]>,
  error: string | null,
): Promise<void> {
  const { error: seen, logs } = await result;
  expect(seen, logs.join("\n")).toBe(error);
}

export const open = (subAccountId = 0): readonly Instruction[] => [
  initializeUserStats(IDS, owner.address),
  initializeUser(IDS, { ...user, subAccountId }, "Agent"),
];

export const nameDelegate = () => updateUserDelegate(IDS, user, tradingKey.address);

export const bring = (amount: bigint) =>
  deposit(IDS, user, { spotMarketIndex: 0, tokenAccount: ownerUsdc, amount, markets: noMarkets });

export const take = (amount: bigint, markets = noMarkets, reduceOnly = false) =>
  withdraw(IDS, user, { spotMarketIndex: 0, tokenAccount: ownerUsdc, amount, markets, reduceOnly });

/** Returns parameters the program accepts: an immediate-or-cancel limit order, unless changed. */
export function orderParams(order: Partial<OrderParams> = {}): OrderParams {
  return {
    orderType: ORDER_TYPE.limit,
    marketType: MARKET_TYPE.perp,
    direction: DIRECTION.long,
    userOrderId: 0,
    baseAssetAmount: SOL_BASE,
    price: START_PRICE,
    marketIndex: 0,
    reduceOnly: false,
    postOnly: 0,
    bitFlags: IMMEDIATE_OR_CANCEL,
    maxTs: null,
    triggerPrice: null,
    triggerCondition: 0,
    oraclePriceOffset: null,
    auctionDuration: null,
    auctionStartPrice: null,
    auctionEndPrice: null,
    ...order,
  };
}

/** Returns an order of the trading key that fills immediately within 1 % of a price. */
export function trade(
  side: "long" | "short",
  baseSize: bigint,
  options: { readonly price?: bigint; readonly by?: Keypair; readonly reduceOnly?: boolean } = {},
): Instruction {
  const { price = START_PRICE, by = tradingKey, reduceOnly = false } = options;
  const params = orderParams({
    direction: DIRECTION[side],
    baseAssetAmount: baseSize,
    price: limitPrice(side, price, SLIPPAGE_BPS, 100n),
    reduceOnly,
  });
  return placeAndTakePerpOrder(IDS, user, by.address, params, withSol);
}

export const settle = (by = tradingKey) => settlePnl(IDS, user, by.address, 0, 0, withSol);

/** Returns the instruction with the owner's key replaced by another. */
export function as(key: Address, instruction: Instruction): Instruction {
  const accounts = (instruction.accounts ?? []).map((meta) =>
    meta.address === owner.address ? { ...meta, address: key } : meta,
  );
  return { ...instruction, accounts };
}

export async function readUser(bench: ChainBench) {
  const account = await bench.account(userAddress);
  if (account === null) throw new Error("The account does not exist");
  return userLayout.decode(account.data);
}

export async function readPosition(bench: ChainBench) {
  const { perpPositions } = await readUser(bench);
  return perpPositions.find(
    (slot) =>
      slot.marketIndex === 0 && (slot.baseAssetAmount !== 0n || slot.quoteAssetAmount !== 0n),
  );
}

/** Opens an account with a trading key and deposits this many of the owner's 2,000 dollars. */
export async function withAccount(bench: ExchangeBench, dollars = 1_000n): Promise<void> {
  await putDollars(bench, owner.address, 2_000n * DOLLAR);
  await expectError(
    bench.send([owner], [...open(), nameDelegate(), bring(dollars * DOLLAR)]),
    null,
  );
}

/** Opens an exchange on a chain as its own instructions initialise it. `fixPrice` is the chain's own way to set a price, if any. */
export async function openExchange(
  bench: ChainBench,
  fixPrice: (price: bigint) => void = () => undefined,
): Promise<ExchangeBench> {
  async function rewrite<T>(
    address: Address,
    layout: { decode(data: Uint8Array): T; encode(value: T): Uint8Array },
    change: (value: T) => T,
  ): Promise<void> {
    await bench.edit(address, (account) => ({
      ...account,
      data: layout.encode(change(layout.decode(account.data))),
    }));
  }

  await prepareSquads(bench);
  const start = await bench.time();
  for (const [address, state] of initialisedExchange(start, START_PRICE)) {
    await bench.put(address, state);
  }
  fixPrice(START_PRICE);

  return {
    ...bench,
    async setPrice(price) {
      const time = await bench.time();
      const { slot, unixTime } = time;
      fixPrice(price);
      await rewrite(SOL_PERP, perpMarketLayout, (market) => marketAtPrice(market, price, time));
      await rewrite(SOL_ORACLE, priceUpdateLayout, (oracle) => ({
        ...oracle,
        price,
        publishTime: unixTime,
        emaPrice: price,
        postedSlot: slot,
      }));
    },
    setMarket: (change) => rewrite(SOL_PERP, perpMarketLayout, change),
    setExchange: (settings) =>
      rewrite(deriveState(IDS), stateLayout, (state) => ({ ...state, ...settings })),
  };
}
