import { type Address, getBase64Codec, type Signature } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { ORDER_ACTION, type OrderActionRecord } from "./order-action-record.ts";
import { liquidationRecordCodec } from "./book-events.ts";
import { classifyExternalFrom } from "./classify-external.ts";
import { deriveUser } from "./pdas.ts";
import { DRIFT_V2_INSTANCE as instance } from "./instance.ts";
import { orderActionLog } from "../../../test/order-action-log.ts";

const authority = "J1F44aUFpgJKRPJTg1afzvgJmqVRdBSp2caEff5f9EMT" as Address;
const user = deriveUser(instance, authority, 0);
const stranger = deriveUser(instance, authority, 1);

const NOBODY = {
  filler: null,
  fillerReward: null,
  fillRecordId: 1n,
  takerFee: 1n,
  makerFee: null,
  referrerReward: null,
  quoteAssetAmountSurplus: null,
  spotFulfillmentMethodFee: null,
  takerOrderId: 1,
  takerOrderBaseAssetAmount: 1n,
  takerOrderCumulativeBaseAssetAmountFilled: 1n,
  takerOrderCumulativeQuoteAssetAmountFilled: 1n,
  makerOrderId: null,
  makerOrderBaseAssetAmount: null,
  makerOrderCumulativeBaseAssetAmountFilled: null,
  makerOrderCumulativeQuoteAssetAmountFilled: null,
  oraclePrice: 1n,
};

function fill(change: Partial<OrderActionRecord>): string {
  return orderActionLog({
    ...NOBODY,
    ts: 1n,
    action: ORDER_ACTION.fill,
    actionExplanation: 0,
    marketIndex: 0,
    marketType: 1,
    baseAssetAmountFilled: 2_000_000_000n,
    quoteAssetAmountFilled: 310_000_000n,
    taker: stranger,
    takerOrderDirection: 0,
    maker: null,
    makerOrderDirection: null,
    ...change,
  });
}

/** A liquidation's event, whose figures nobody reads here. */
function liquidated(who: Address): string {
  const bytes = liquidationRecordCodec.encode({
    ts: 1n,
    liquidationType: 0,
    user: who,
    liquidator: who,
    marginRequirement: 1n,
    totalCollateral: -1n,
    marginFreed: 1n,
    liquidationId: 1,
    bankrupt: false,
    canceledOrderIds: [7],
    others: new Uint8Array(178),
    pnlForDeposit: {
      perpMarketIndex: 0,
      marketOraclePrice: 1n,
      pnlTransfer: 0n,
      assetMarketIndex: 0,
      assetPrice: 1n,
      assetTransfer: 0n,
    },
    perpBankruptcy: { marketIndex: 0, pnl: 0n },
  });
  return `Program data: ${getBase64Codec().decode(bytes)}`;
}

/** Classifies a transaction whose logs call these instructions of the exchange in order. */
const judge = (called: readonly string[], ...others: readonly string[]) =>
  classifyExternalFrom(instance, user, {
    signature: "1".repeat(64) as Signature,
    slot: 1n,
    blockTime: null,
    error: null,
    logs: [
      ...called.flatMap((name) => [
        `Program ${instance.programId} invoke [1]`,
        `Program log: Instruction: ${name}`,
      ]),
      ...others,
    ],
    feeLamports: 0n,
    lamportDeltas: new Map(),
    tokenDeltas: [],
  });

describe("a transaction that was not made here", () => {
  it("is upkeep when keepers fill a resting order, with the fill's amounts", () => {
    const bought = fill({ taker: user, takerOrderDirection: 0 });
    const sold = fill({
      maker: user,
      makerOrderDirection: 1,
      marketIndex: 1,
      baseAssetAmountFilled: 5n,
    });
    expect(judge(["PostPythLazerOracleUpdate", "FillPerpOrder"], bought, bought, sold)).toEqual({
      kind: "upkeep",
      fills: new Map([
        ["SOL-PERP", 4_000_000_000n],
        ["BTC-PERP", -5n],
      ]),
    });
  });

  it("is upkeep without fills when it settles, expires, or fills another user", () => {
    const other = fill({});
    const cancelled = fill({ taker: user, action: ORDER_ACTION.cancel });
    for (const called of [["SettlePnl"], ["SettleMultiplePnls"], ["ForceCancelOrders"]]) {
      expect(judge(called, other, cancelled)).toEqual({ kind: "upkeep", fills: new Map() });
    }
  });

  it("is a liquidation even if it does other things too", () => {
    for (const name of ["LiquidatePerp", "LiquidatePerpWithFill", "ResolvePerpBankruptcy"]) {
      const told = judge(["SettlePnl", name], liquidated(user));
      expect(told).toEqual({ kind: "liquidation", fills: new Map() });
    }
  });

  it("is upkeep when another user is liquidated, with our orders' fills", () => {
    const bought = fill({ maker: user, makerOrderDirection: 0 });
    expect(judge(["LiquidatePerpWithFill"], bought, liquidated(stranger))).toEqual({
      kind: "upkeep",
      fills: new Map([["SOL-PERP", 2_000_000_000n]]),
    });
    expect(judge(["LiquidatePerp"])).toEqual({ kind: "upkeep", fills: new Map() });
  });

  it("is not classified by a truncated log", () => {
    const bought = fill({ taker: user, takerOrderDirection: 0 });
    for (const name of ["FillPerpOrder", "LiquidatePerp", "SettlePnl"]) {
      expect(judge([name], bought, "Log truncated")).toEqual({ kind: "cut", fills: new Map() });
    }
    expect(judge(["LiquidatePerp"], liquidated(user), "Log truncated").kind).toBe("liquidation");
    expect(judge(["PlacePerpOrder"], "Log truncated").kind).toBe("unknown");
  });

  it("is unknown when it uses the account's own rights, or has no log", () => {
    for (const name of [
      "PlaceAndTakePerpOrder",
      "PlacePerpOrder",
      "CancelOrders",
      "UpdateUserDelegate",
      "Deposit",
      "Withdraw",
      "DeleteUser",
      "SomethingNew",
    ]) {
      expect(judge(["FillPerpOrder", name])).toEqual({ kind: "unknown", fills: new Map() });
    }
    expect(judge([]).kind).toBe("unknown");
  });

  it("is not classified by another program's log", () => {
    const lie = ["Program 11111111111111111111111111111111 invoke [1]"];
    expect(judge([], ...lie, "Program log: Instruction: FillPerpOrder").kind).toBe("unknown");
    const hidden = [`Program ${instance.programId} invoke [2]`, "Program data: AAAA"];
    expect(judge(["FillPerpOrder"], ...hidden).kind).toBe("unknown");
  });
});
