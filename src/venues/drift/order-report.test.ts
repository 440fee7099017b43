import { type Address, getBase64Codec, type Signature } from "@solana/kit";
import { describe, expect, it } from "vitest";
import { ChainUnavailableError, type TransactionOutcome } from "../../solana/chain.ts";
import type { Fill } from "../../domain/order/order.ts";
import { anchorStruct } from "../../solana/encoding/anchor.ts";
import { fundingHead } from "./book-events.ts";
import { deriveUser } from "./pdas.ts";
import {
  FILLED_WITH_AMM,
  ORDER_ACTION,
  type OrderActionRecord,
  orderActionRecordCodec,
  orderRecordCodec,
  parseOrderActionLog,
} from "./order-action-record.ts";
import type { RestingOrder } from "../placed-order.ts";
import { userLayout } from "./layout-user.ts";
import { fillsOfRestingOrder, reportOrderOf } from "./order-report.ts";
import { DRIFT_V2_INSTANCE } from "./instance.ts";
import { orderActionLog } from "../../../test/order-action-log.ts";

const fundingRecordCodec = anchorStruct("event", "FundingPaymentRecord", fundingHead);
const user = deriveUser(
  DRIFT_V2_INSTANCE,
  "J1F44aUFpgJKRPJTg1afzvgJmqVRdBSp2caEff5f9EMT" as Address,
  0,
);
const record = (change: Partial<OrderActionRecord> = {}): OrderActionRecord => ({
  ts: 1_700_000_000n,
  action: ORDER_ACTION.fill,
  actionExplanation: FILLED_WITH_AMM,
  marketIndex: 0,
  marketType: 1,
  filler: null,
  fillerReward: null,
  fillRecordId: 7n,
  baseAssetAmountFilled: 2_000_000_000n,
  quoteAssetAmountFilled: 310_000_000n,
  takerFee: 310_000n,
  makerFee: null,
  referrerReward: null,
  quoteAssetAmountSurplus: -5n,
  spotFulfillmentMethodFee: null,
  taker: user,
  takerOrderId: 1,
  takerOrderDirection: 0,
  takerOrderBaseAssetAmount: 2_000_000_000n,
  takerOrderCumulativeBaseAssetAmountFilled: 2_000_000_000n,
  takerOrderCumulativeQuoteAssetAmountFilled: 310_000_000n,
  maker: null,
  makerOrderId: null,
  makerOrderDirection: null,
  makerOrderBaseAssetAmount: null,
  makerOrderCumulativeBaseAssetAmountFilled: null,
  makerOrderCumulativeQuoteAssetAmountFilled: null,
  oraclePrice: 155_000_000n,
  ...change,
});
const outcome = (
  logs: readonly string[],
  error: TransactionOutcome["error"] = null,
): TransactionOutcome => ({
  signature: "1".repeat(64) as Signature,
  slot: 1n,
  blockTime: null,
  error,
  logs: [`Program ${DRIFT_V2_INSTANCE.programId} invoke [1]`, ...logs],
  feeLamports: 5000n,
  lamportDeltas: new Map(),
  tokenDeltas: [],
});

const place = (change: Partial<OrderActionRecord> = {}) =>
  orderActionLog(
    record({ action: ORDER_ACTION.place, baseAssetAmountFilled: null, takerFee: null, ...change }),
  );
const cancel = (change: Partial<OrderActionRecord> = {}) =>
  orderActionLog(
    record({ action: ORDER_ACTION.cancel, baseAssetAmountFilled: null, takerFee: null, ...change }),
  );
const report = (...logs: string[]) => reportOrderOf(DRIFT_V2_INSTANCE, user, outcome(logs));

describe("reportOrderOf", () => {
  it("reads every fill of the order it placed, and no other order's", () => {
    const half = { baseAssetAmountFilled: 1_000_000_000n };
    expect(
      report(
        "Program log: Instruction: PlaceAndTakePerpOrder",
        cancel({ takerOrderId: 7 }),
        place(),
        orderActionLog(record({ ...half, quoteAssetAmountFilled: 155_000_000n })),
        orderActionLog(record({ takerOrderId: 7 })),
        orderActionLog(record({ ...half, quoteAssetAmountFilled: 156_000_000n })),
      ),
    ).toEqual({
      kind: "filled",
      fills: [
        { price: 155_000_000n, baseSize: 1_000_000_000n, quoteSize: 155_000_000n, fee: 310_000n },
        { price: 156_000_000n, baseSize: 1_000_000_000n, quoteSize: 156_000_000n, fee: 310_000n },
      ],
    });
  });

  it("gives the funding of its market that was settled before it to the first fill", () => {
    const funding = (change: { readonly user?: Address; readonly marketIndex?: number }) => {
      const head = { ts: 0n, userAuthority: user, user, marketIndex: 0, fundingPayment: -12_400n };
      const bytes = fundingRecordCodec.encode({ ...head, ...change });
      return `Program data: ${getBase64Codec().decode(bytes)}`;
    };
    const half = orderActionLog(record({ baseAssetAmountFilled: 1_000_000_000n }));
    const others = [funding({ user: DRIFT_V2_INSTANCE.programId }), funding({ marketIndex: 1 })];
    const { fills } = report(...others, funding({}), place(), half, half) as {
      readonly fills: readonly Fill[];
    };
    expect(fills.map((fill) => fill.funding)).toEqual([-12_400n, undefined]);
  });

  it("does not report a partial fill as a full one", () => {
    const part = orderActionLog(record({ baseAssetAmountFilled: 1_999_999_999n }));
    expect(report(place(), part, cancel())).toMatchObject({
      kind: "partially_filled",
      fills: [{ baseSize: 1_999_999_999n }],
    });
  });

  it("reports an order that is neither filled nor cancelled, or whose log is cut, as resting", () => {
    const order = { ...userLayout.zero().orders[0]!, orderId: 1, baseAssetAmount: 2_000_000_000n };
    const placed = orderRecordCodec.encode({
      ts: 1_700_000_000n,
      user,
      order: { ...order, maxTs: 1_700_000_045n, marketIndex: 1 },
    });
    const rests = `Program log: ${getBase64Codec().decode(placed)}`;
    expect(report(place(), rests)).toEqual({
      kind: "resting",
      order: {
        venueOrderId: "1",
        marketId: "BTC-PERP",
        baseSize: 2_000_000_000n,
        placedSlot: 1n,
        expiresAtMs: 1_700_000_045_000,
      },
    });
    expect(report(place(), rests, cancel())).toEqual({ kind: "not_filled" });
    const cut = "Log truncated";
    expect(report(place(), rests, cut)).toMatchObject({ kind: "resting" });
    for (const logs of [[cut], [place(), cut]]) {
      expect(() => report(...logs)).toThrow(ChainUnavailableError);
    }
    expect(report(place(), orderActionLog(record()), cut)).toMatchObject({ kind: "filled" });
  });

  it("does not report a placement, a cancellation, another user's fill or a signature as a fill", () => {
    const theirs = orderActionLog(record({ taker: DRIFT_V2_INSTANCE.programId }));
    expect(
      report(place(), cancel(), theirs, "Program data: not base64 at all!", "Program data: AAAA"),
    ).toEqual({ kind: "not_filled" });
    expect(report()).toEqual({ kind: "not_filled" });
  });

  it("ignores another program's log in the exchange's format", () => {
    const liar = "Liar1111111111111111111111111111111111111111";
    const fill = orderActionLog(record());
    expect(
      report(place(), `Program ${liar} invoke [2]`, fill, `Program ${liar} success`, cancel()),
    ).toEqual({ kind: "not_filled" });
    const resting = { venueOrderId: "1", marketId: "SOL-PERP", baseSize: 1n } as RestingOrder;
    const fills = (logs: readonly string[]) =>
      fillsOfRestingOrder(DRIFT_V2_INSTANCE, user, resting, outcome(logs)).length;
    const program = DRIFT_V2_INSTANCE.programId;
    expect(fills([fill])).toBe(1);
    expect(fills([`Program ${program} success`, `Program ${liar} invoke [1]`, fill])).toBe(0);
    expect(fills([`Program ${liar} invoke [2]`, `Program ${liar} failed: x`, fill])).toBe(1);
  });

  it("says in words why the program refused", () => {
    const program = DRIFT_V2_INSTANCE.programId;
    const failed = outcome([`Program ${program} failed: custom program error: 0x1788`], {
      kind: "instruction",
      name: "Custom",
      instructionIndex: 2,
      code: 6024,
    });
    expect(reportOrderOf(DRIFT_V2_INSTANCE, user, failed)).toEqual({
      kind: "rejected",
      reason: "The exchange is paused.",
      retryable: false,
    });
  });
});

describe("OrderActionRecord", () => {
  it("survives a round trip through its log line, followed by fields of later versions", () => {
    expect(parseOrderActionLog(orderActionLog(record()))).toEqual(record());
    const asData = orderActionLog(record()).replace("Program log: ", "Program data: ");
    expect(parseOrderActionLog(asData)).toBeUndefined();
    const longer = new Uint8Array([...orderActionRecordCodec.encode(record()), 1, 2, 3]);
    expect(orderActionRecordCodec.decode(longer)).toEqual(record());
  });
});
