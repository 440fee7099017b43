import { AccountRole, type Address, type Instruction, getBase16Codec } from "@solana/kit";
import { describe, expect, it } from "vitest";
import vectors from "../../../test/vectors.json" with { type: "json" };
import { type OrderParams, DIRECTION, MARKET_TYPE, ORDER_TYPE } from "./instruction-arguments.ts";
import {
  deleteUser,
  deposit,
  initializeUser,
  initializeUserStats,
  updateUserCustomMarginRatio,
  updateUserDelegate,
  updateUserName,
  withdraw,
  cancelOrders,
  cancelOrdersByIds,
  modifyOrderByUserId,
  placeAndTakePerpOrder,
  placePerpOrder,
  settlePnl,
} from "./instructions.ts";
import { triggerOrderChange, triggerOrderParams } from "./order-params.ts";
import { perpMarketLayout } from "./layout-perp-market.ts";
import { lazerPriceLayout } from "./layout-oracle.ts";
import { priceUpdateLayout } from "../../solana/programs/pyth-receiver.ts";
import { spotMarketLayout } from "./layout-spot-market.ts";
import { stateLayout } from "./layout-state.ts";
import { userStatsLayout } from "./layout-user-stats.ts";
import { userLayout } from "./layout-user.ts";
import {
  derivePerpMarket,
  deriveSigner,
  deriveSpotMarket,
  deriveSpotMarketVault,
  deriveState,
  deriveUser,
  deriveUserStats,
} from "./pdas.ts";
import { DRIFT_V2_INSTANCE as ids } from "./instance.ts";

const ROLES: Record<AccountRole, string> = {
  [AccountRole.READONLY]: "r",
  [AccountRole.WRITABLE]: "w",
  [AccountRole.READONLY_SIGNER]: "s",
  [AccountRole.WRITABLE_SIGNER]: "ws",
};

const plain = (instruction: Instruction) => ({
  programId: instruction.programAddress as string,
  accounts: (instruction.accounts ?? []).map(({ address, role }) => [
    address as string,
    ROLES[role],
  ]),
  data: getBase16Codec().decode(instruction.data ?? new Uint8Array()),
});

const keys = vectors.keys as Record<keyof typeof vectors.keys, Address>;
const vault = vectors.pdas.vault as Address;
const user = { authority: vault, subAccountId: 0 };
const spot = deriveSpotMarket(ids, 0);
const none = { oracles: [], spotMarkets: [spot], perpMarkets: [] };
const all = {
  oracles: [keys.treasury],
  spotMarkets: [spot],
  perpMarkets: [derivePerpMarket(ids, 0)],
};
const move = {
  spotMarketIndex: 0,
  tokenAccount: vectors.pdas.vaultUsdc as Address,
  markets: none,
};
const market: OrderParams = {
  orderType: ORDER_TYPE.market,
  marketType: MARKET_TYPE.perp,
  direction: DIRECTION.long,
  userOrderId: 0,
  baseAssetAmount: 2_000_000_000n,
  price: 0n,
  marketIndex: 0,
  reduceOnly: false,
  postOnly: 0,
  bitFlags: 0,
  maxTs: null,
  triggerPrice: null,
  triggerCondition: 0,
  oraclePriceOffset: null,
  auctionDuration: null,
  auctionStartPrice: null,
  auctionEndPrice: null,
};

const built: Record<keyof typeof vectors.drift, Instruction> = {
  initializeUserStats: initializeUserStats(ids, vault),
  "initializeUser 0": initializeUser(ids, user, "Agent ** SOL-1h"),
  updateUserDelegate: updateUserDelegate(ids, user, keys.delegate),
  updateUserName: updateUserName(ids, user, "Agent ** SOL-4h"),
  "deposit 1000 USDC": deposit(ids, user, { ...move, amount: 1_000_000_000n }),
  "withdraw 250 USDC": withdraw(ids, user, { ...move, amount: 250_000_000n }),
  "placePerpOrder long 2 SOL market": placePerpOrder(ids, user, keys.delegate, market, all),
  "placeAndTakePerpOrder close long 2 SOL": placeAndTakePerpOrder(
    ids,
    user,
    keys.delegate,
    { ...market, direction: DIRECTION.short, reduceOnly: true },
    all,
  ),
  "placePerpOrder short with auction": placePerpOrder(
    ids,
    user,
    keys.delegate,
    {
      ...market,
      direction: DIRECTION.short,
      baseAssetAmount: 1_000_000_000n,
      price: 145_000_000n,
      auctionDuration: 5,
      auctionStartPrice: 155_000_000n,
      auctionEndPrice: 146_000_000n,
    },
    all,
  ),
  cancelOrders: cancelOrders(ids, user, keys.delegate, all),
  "cancelOrdersByIds 7 and 300": cancelOrdersByIds(ids, user, keys.delegate, [7, 300], all),
  "settlePnl SOL-PERP": settlePnl(ids, user, keys.delegate, 0, 0, all),
  "deleteUser 0": deleteUser(ids, user),
};

describe("Drift instructions", () => {
  it.each(Object.keys(vectors.drift) as (keyof typeof vectors.drift)[])(
    "equal the golden bytes: %s",
    (name) => {
      expect(plain(built[name])).toEqual(vectors.drift[name]);
    },
  );
});

describe("the instruction that sets an account's own margin ratio", () => {
  it("has the discriminator that the program's published clients use", () => {
    const { data } = updateUserCustomMarginRatio(ids, user, 5_000);
    const published = [21, 221, 140, 187, 32, 129, 11, 123];
    expect([...data]).toEqual([...published, user.subAccountId, 0, 0x88, 0x13, 0, 0]);
  });
});

describe("protective orders", () => {
  const data = (instruction: Instruction) => plain(instruction).data;
  const terms = {
    marketIndex: 0,
    side: "short",
    baseSize: 2_000_000_000n,
    price: 118_080_000n,
    reduceOnly: true,
  } as const;
  const trigger = { userOrderId: 100, triggerPrice: 131_200_000n, triggersWhen: "below" } as const;

  it("are placed with the bytes that another encoder gives", () => {
    const params = triggerOrderParams(terms, trigger);
    expect(data(placePerpOrder(ids, user, keys.delegate, params, all))).toBe(
      "45a15dca787e4cb903010164009435770000000000c20907000000000000010000000100f4d107000000000100000000",
    );
  });

  it("are changed with the bytes that another encoder gives", () => {
    const change = triggerOrderChange(
      { ...terms, baseSize: 1_000_000_000n, price: 119_000_000n },
      { ...trigger, triggerPrice: 132_000_000n },
    );
    expect(data(modifyOrderByUserId(ids, user, keys.delegate, 100, change, all))).toBe(
      "9e4d04fdfcc2a1b36401010100ca9a3b0000000001c0cb1707000000000101000000010029de07000000000101000000000101",
    );
  });
});

describe("Drift addresses", () => {
  it("equal the golden ones", () => {
    expect({
      state: deriveState(ids),
      signer: deriveSigner(ids),
      user0: deriveUser(ids, vault, 0),
      userStats: deriveUserStats(ids, vault),
      spot0: spot,
      spotVault0: deriveSpotMarketVault(ids, 0),
      perp0: derivePerpMarket(ids, 0),
    }).toEqual(vectors.pdas.drift);
  });
});

const layouts = [userLayout, userStatsLayout, stateLayout, spotMarketLayout, perpMarketLayout];

describe("Drift accounts", () => {
  it("have the documented sizes", () => {
    expect(layouts.map(({ name, size }) => [name, size])).toEqual([
      ["User", 4376],
      ["UserStats", 240],
      ["State", 992],
      ["SpotMarket", 776],
      ["PerpMarket", 1216],
    ]);
    expect(priceUpdateLayout.size).toBe(134);
    expect(lazerPriceLayout.size).toBe(48);
    expect([...lazerPriceLayout.discriminator]).toEqual([159, 7, 161, 249, 34, 81, 121, 133]);
  });

  it.each([...layouts, priceUpdateLayout, lazerPriceLayout])(
    "decode and encode every byte of $name",
    (layout) => {
      const bytes = Uint8Array.from({ length: layout.size }, (_, at) => (at * 7 + 1) % 256);
      bytes.set(layout.discriminator);
      const decoded = (layout as typeof userLayout).decode(bytes);
      const again = (layout as typeof userLayout).decode(
        (layout as typeof userLayout).encode(decoded),
      );
      expect(again).toEqual(decoded);
      bytes[0] = (bytes[0] ?? 0) ^ 1;
      expect(layout.matches(bytes)).toBe(false);
      expect(() => layout.decode(bytes)).toThrow();
    },
  );

  it("keep fields at the documented offsets", () => {
    const put = (layout: { size: number; discriminator: Uint8Array }, offset: number) => {
      const bytes = new Uint8Array(layout.size);
      bytes.set(layout.discriminator);
      bytes[offset] = 5;
      return bytes;
    };
    expect(perpMarketLayout.decode(put(perpMarketLayout, 1160)).marketIndex).toBe(5);
    expect(spotMarketLayout.decode(put(spotMarketLayout, 684)).marketIndex).toBe(5);
    expect(userLayout.decode(put(userLayout, 4346)).subAccountId).toBe(5);
    expect(stateLayout.decode(put(stateLayout, 974)).exchangeStatus).toBe(5);
  });
});
