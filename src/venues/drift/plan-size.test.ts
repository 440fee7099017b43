import type { Address, Blockhash, Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import { setComputeUnitLimit, setComputeUnitPrice } from "../../solana/programs/compute-budget.ts";
import type { LookupTables } from "../../solana/programs/squads-message.ts";
import { vaultLife, deriveMultisig, deriveVault } from "../../solana/programs/squads.ts";
import {
  compileTransaction,
  TRANSACTION_SIZE_LIMIT,
  WALLET_ROOM,
} from "../../solana/transaction.ts";
import type { PlanStep } from "../plan-step.ts";
import { placeAndTakePerpOrder, settlePnl } from "./instructions.ts";
import type { MarketReading } from "./exchange-reader.ts";
import { DIRECTION, ORDER_TYPE } from "./instruction-arguments.ts";
import { perpMarketLayout } from "./layout-perp-market.ts";
import { spotMarketLayout } from "./layout-spot-market.ts";
import { stateLayout } from "./layout-state.ts";
import { type DriftOrder, ORDER_STATUS, userLayout } from "./layout-user.ts";
import { takeOrderParams } from "./order-params.ts";
import { derivePerpMarket, deriveSpotMarket } from "./pdas.ts";
import { planDepositFrom, planSetUpFrom } from "./plan-entry.ts";
import { planCloseFrom, planDeleteFrom, planSettleFrom, planWithdrawFrom } from "./plan-exit.ts";
import { DRIFT_V2_INSTANCE as instance } from "./instance.ts";
import { sharedAddresses } from "./shared-addresses.ts";

const key = (fill: number): Address => keypairFromSeed(new Uint8Array(32).fill(fill)).address;
const multisig = deriveMultisig(key(1)).address;
const owner = key(2);
const oracle = key(3);
const table = key(4);
const account = {
  owner,
  multisig,
  vault: deriveVault(multisig).address,
  tradingKey: key(5),
  subAccountId: 0,
};
const spotMarkets = [deriveSpotMarket(instance, 0)];
const quoteOracle = key(6);
const tables: LookupTables = { [table]: sharedAddresses(instance, [quoteOracle, oracle]) };

const slot = { ...userLayout.zero().perpPositions[0]!, baseAssetAmount: 2_000_000_000n };
const NOW_MS = 1_764_000_000_000;

function openAccount(minPerpAuctionDuration: number, orders: readonly DriftOrder[] = []) {
  const market: MarketReading = {
    marketId: "SOL-PERP",
    address: derivePerpMarket(instance, 0),
    market: perpMarketLayout.zero(),
    price: { price: 155_000_000n, confidence: 0n, publishedAtMs: 0 },
    isTraded: true,
  };
  const state = { ...stateLayout.zero(), minPerpAuctionDuration };
  const quoteMarket = spotMarketLayout.zero();
  return {
    reading: { slot: 1n, state, quoteMarket, markets: [market], users: [] },
    user: { ...userLayout.zero(), orders: [...orders], openOrders: orders.length },
    held: [{ reading: market, slot, place: 0, margin: undefined as never }],
  };
}

/** The owner's closing order during its auction. */
const waiting = {
  ...userLayout.zero().orders[0]!,
  status: ORDER_STATUS.open,
  direction: DIRECTION.short,
  orderType: ORDER_TYPE.market,
  reduceOnly: true,
  orderId: 7,
  maxTs: BigInt(NOW_MS / 1_000) + 30n,
};

function bytes(
  instructions: readonly Instruction[],
  feePayer: Address,
  outer: LookupTables = {},
): number {
  return compileTransaction({
    feePayer,
    lifetime: { blockhash: key(9) as string as Blockhash, lastValidBlockHeight: 1n },
    instructions: [setComputeUnitLimit(600_000), setComputeUnitPrice(5_000n), ...instructions],
    tables: outer,
  }).length;
}

function sizes(step: PlanStep): { plain: number; outside: number; both: number } {
  const wrap = (inner: LookupTables): readonly Instruction[] => [
    ...step.before,
    ...(step.asVault.length === 0
      ? []
      : vaultLife({
          multisig,
          transactionIndex: 1n,
          member: owner,
          vault: account.vault,
          rentCollector: owner,
          instructions: step.asVault,
          tables: inner,
        })),
    ...step.after,
  ];
  return {
    plain: bytes(wrap({}), owner),
    outside: bytes(wrap({}), owner, tables),
    both: bytes(wrap(tables), owner, tables),
  };
}

/** Returns the plans with a deployment's price accounts: on mainnet the quote token has an oracle of its own. */
function plansWith(quoteOracles: readonly Address[]): Readonly<Record<string, PlanStep>> {
  const none = { oracles: quoteOracles, spotMarkets, perpMarkets: [] };
  const one = {
    oracles: [...quoteOracles, oracle],
    spotMarkets,
    perpMarkets: [derivePerpMarket(instance, 0)],
  };
  const close = (minAuction: number, orders: readonly DriftOrder[] = []) =>
    planCloseFrom(instance, account, { ...openAccount(minAuction, orders), markets: one }, NOW_MS);
  return {
    "set up": planSetUpFrom(instance, account, "Agent ** SOL-1h", {
      hasStats: false,
      tradingKey: null,
      maxMarginRatio: 0,
      vaultTokensRent: 2_039_280n,
    })[0]!,
    deposit: planDepositFrom(instance, account, 500_000_000n, none),
    close: close(0),
    "close with an auction": close(10),
    "close behind a resting order": close(0, [{ ...waiting, reduceOnly: false }]),
    "fill the close": close(10, [waiting]),
    withdraw: planWithdrawFrom(instance, account, 500_000_000n, none),
    "withdraw beside a position": planWithdrawFrom(instance, account, 500_000_000n, one),
    settle: planSettleFrom(instance, account, [0], one),
    delete: planDeleteFrom(instance, account),
  };
}

/** Bytes left for a wallet where that is less than it may add; the deposit here opens the vault's token account too. */
const ROOM_LEFT: Readonly<Record<string, number>> = {
  "set up": 250,
  deposit: 249,
  withdraw: 256,
  "withdraw beside a position": 248,
};

const plans = plansWith([]);
const mainnetPlans = plansWith([quoteOracle]);

describe("plans stay within the bytes measured on the real programs", () => {
  it.each([
    ["set up", 1149],
    ["deposit", 1188],
    ["close", 1021],
    ["close with an auction", 1031],
    ["fill the close", 996],
    ["withdraw", 1213],
    ["settle", 432],
    ["delete", 790],
  ])("%s: at most %i without a table", (name, most) => {
    const size = sizes(plans[name]!);
    expect(size.plain).toBeLessThanOrEqual(most);
    expect(size.plain).toBeLessThanOrEqual(TRANSACTION_SIZE_LIMIT);
  });

  it.each(Object.keys(plans))(
    "%s: what a wallet signs on mainnet, with the shared table",
    (name) => {
      const room = ROOM_LEFT[name] ?? WALLET_ROOM;
      expect(sizes(mainnetPlans[name]!).both).toBeLessThanOrEqual(TRANSACTION_SIZE_LIMIT - room);
    },
  );

  it("withdrawing beside a position does not fit without the table", () => {
    const beside = sizes(plans["withdraw beside a position"]!);
    expect(beside.plain).toBeGreaterThan(TRANSACTION_SIZE_LIMIT);
    expect(beside.outside).toBeLessThanOrEqual(TRANSACTION_SIZE_LIMIT);
  });

  it("the delegate's transactions are small without any table", () => {
    const user = { authority: account.vault, subAccountId: 0 };
    const order = takeOrderParams({
      marketIndex: 0,
      side: "long",
      baseSize: 2_000_000_000n,
      price: 156_000_000n,
      reduceOnly: false,
    });
    const one = {
      oracles: [oracle],
      spotMarkets,
      perpMarkets: [derivePerpMarket(instance, 0)],
    };
    const placing = placeAndTakePerpOrder(instance, user, account.tradingKey, order, one);
    expect(bytes([placing], account.tradingKey)).toBeLessThanOrEqual(463);
    const settling = settlePnl(instance, user, account.tradingKey, 0, 0, one);
    expect(bytes([settling], account.tradingKey)).toBeLessThanOrEqual(432);
  });
});
