import type { AccountMeta, Instruction } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { readonly, signer, writable } from "../../solana/encoding/instruction.ts";
import { keypairFromSeed } from "../../solana/encoding/keys.ts";
import type { VenueAccount } from "../venue.ts";
import { createDriftAllowList } from "./allow-list.ts";
import { DRIFT_V2_INSTANCE as instance } from "./instance.ts";
import { MARKET_TYPE, type OrderParams } from "./instruction-arguments.ts";
import {
  cancelOrders,
  cancelOrdersByIds,
  placeAndTakePerpOrder,
  placePerpOrder,
  settlePnl,
} from "./instructions.ts";
import { auctionOrderParams, takeOrderParams } from "./order-params.ts";
import { derivePerpMarket, deriveSpotMarket } from "./pdas.ts";

const NOW_SECONDS = 1_764_000_000n;
const allow = createDriftAllowList(instance, { now: () => Number(NOW_SECONDS) * 1_000 });

const addressNamed = (n: number) => keypairFromSeed(new Uint8Array(32).fill(n)).address;
const owner = addressNamed(1);
const stranger = addressNamed(2);
const vault = addressNamed(3);
const tradingKey = addressNamed(4);
const account: VenueAccount = { owner, multisig: stranger, vault, tradingKey, subAccountId: 0 };
const user = { authority: vault, subAccountId: 0 };
const markets = {
  oracles: [addressNamed(5)],
  spotMarkets: [deriveSpotMarket(instance, 0)],
  perpMarkets: [derivePerpMarket(instance, 0)],
};

const terms = (side: "long" | "short", price = 156_000_000n) => ({
  marketIndex: 0,
  side,
  baseSize: 2_000_000_000n,
  price,
  reduceOnly: false,
});
const AUCTION = {
  startPrice: 155_000_000n,
  endPrice: 155_500_000n,
  duration: 10,
  maxTs: NOW_SECONDS + 45n,
};

const taking = (change: Partial<OrderParams> = {}) =>
  placeAndTakePerpOrder(
    instance,
    user,
    tradingKey,
    { ...takeOrderParams(terms("long")), ...change },
    markets,
  );
const waiting = (change: Partial<OrderParams> = {}, side: "long" | "short" = "long") =>
  placePerpOrder(
    instance,
    user,
    tradingKey,
    { ...auctionOrderParams(terms(side), AUCTION), ...change },
    markets,
  );
const beside = (made: Required<Instruction>, ...more: readonly AccountMeta[]) => ({
  ...made,
  accounts: [...made.accounts, ...more],
});

const order = taking();
const NO_AUCTION = "the order has no short auction within its price";

describe("what a trading key may do on Drift", () => {
  it.each([
    ["the program is not the exchange", { ...order, programAddress: stranger }],
    ["it is no order, fill, cancellation or settlement", { ...order, data: new Uint8Array(9) }],
    ["it acts on accounts that are not the agent's", { ...order, accounts: [] }],
    ["the order is not for a perpetual", taking({ marketType: MARKET_TYPE.spot })],
    ["the market is not traded here", taking({ marketIndex: 9 })],
    ["the order has no size", taking({ baseAssetAmount: 0n })],
    ["the order takes any price", taking({ price: 0n })],
    ["the order does more than fill at once within its price", taking({ bitFlags: 0 })],
    ["the order is not for a perpetual", waiting({ marketType: MARKET_TYPE.spot })],
    ["the order does more than wait out its auction", waiting({ postOnly: 1 })],
    ["the market is not traded here", settlePnl(instance, user, tradingKey, 9, 0, markets)],
    ["a further account signs", beside(order, signer(stranger))],
    ["an account is writable that is no market", beside(order, writable(stranger))],
    ["it names the owner's own keys", beside(order, readonly(vault))],
    ["it names the owner's own keys", beside(order, readonly(owner))],
  ])("excludes: %s", (reason, made) => {
    expect(allow(account, made)).toBe(reason);
  });

  it.each<[string, Partial<OrderParams>]>([
    ["no length", { auctionDuration: null }],
    ["no start", { auctionStartPrice: null }],
    ["no end", { auctionEndPrice: null }],
    ["no death", { maxTs: null }],
    ["a length of nothing", { auctionDuration: 0 }],
    ["more than the program's longest", { auctionDuration: 181 }],
    ["a start of nothing", { auctionStartPrice: 0n }],
    ["an end before its start", { auctionEndPrice: 154_999_999n }],
    ["an end beyond its price", { auctionEndPrice: 156_000_001n }],
    ["a death in the past", { maxTs: NOW_SECONDS }],
    ["a death too far away", { maxTs: NOW_SECONDS + 46n }],
  ])("excludes an auction with %s", (_, change) => {
    expect(allow(account, waiting(change))).toBe(NO_AUCTION);
  });

  it("includes an auction up to each bound", () => {
    const level = { auctionStartPrice: 156_000_000n, auctionEndPrice: 156_000_000n };
    for (const made of [
      waiting(),
      waiting({ auctionDuration: 180 }),
      waiting({ maxTs: NOW_SECONDS + 1n }),
      waiting({ auctionStartPrice: 1n }),
      waiting(level),
      waiting(level, "short"),
    ]) {
      expect(allow(account, made)).toBeNull();
    }
    const short = { auctionStartPrice: 157_000_000n, auctionEndPrice: 156_500_000n };
    expect(allow(account, waiting(short, "short"))).toBeNull();
    expect(allow(account, waiting({ ...short, auctionStartPrice: 156_400_000n }, "short"))).toBe(
      NO_AUCTION,
    );
    expect(allow(account, waiting({ ...short, auctionEndPrice: 155_999_999n }, "short"))).toBe(
      NO_AUCTION,
    );
  });

  it("lists the markets and foreign accounts that are only read", () => {
    expect(allow(account, beside(order, readonly(stranger)))).toBeNull();
    expect(allow(account, beside(order, writable(derivePerpMarket(instance, 1))))).toBeNull();
    expect(allow(account, cancelOrders(instance, user, tradingKey, markets))).toBeNull();
    const ids = cancelOrdersByIds(instance, user, tradingKey, [7, 9], markets);
    expect(allow(account, ids)).toBeNull();
    expect(allow(account, { ...ids, data: Uint8Array.of(...ids.data, 0) })).toContain("no order");
  });
});
