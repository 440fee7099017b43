import { type Address, type Signature } from "@solana/kit";
import { describe, expect, it } from "vitest";
import type { TransactionOutcome } from "../../solana/chain.ts";
import { deriveUser } from "./pdas.ts";
import {
  FILLED_WITH_AMM,
  ORDER_ACTION,
  type OrderActionRecord,
  orderActionLog,
  orderActionRecordCodec,
  parseOrderActionLog,
} from "./order-action-record.ts";
import { reportOrderOf } from "./order-report.ts";
import { DRIFT_V2_PROFILE } from "./profile.ts";

const user = deriveUser(
  DRIFT_V2_PROFILE,
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
  logs: string[],
  error: TransactionOutcome["error"] = null,
): TransactionOutcome => ({
  signature: "1".repeat(64) as Signature,
  slot: 1n,
  blockTime: null,
  error,
  logs,
  feeLamports: 5000n,
  lamportDeltas: new Map(),
  tokenDeltas: [],
});

describe("reportOrderOf", () => {
  it("reads every fill of the user's order from the logs", () => {
    const logs = [
      "Program log: Instruction: PlaceAndTakePerpOrder",
      orderActionLog(record({ action: ORDER_ACTION.place, baseAssetAmountFilled: null })),
      orderActionLog(record()),
      orderActionLog(
        record({ baseAssetAmountFilled: 1_000_000n, quoteAssetAmountFilled: 156_000n }),
      ),
    ];
    expect(reportOrderOf(DRIFT_V2_PROFILE, user, outcome(logs))).toEqual({
      kind: "filled",
      fills: [
        { price: 155_000_000n, baseSize: 2_000_000_000n, quoteSize: 310_000_000n, fee: 310_000n },
        { price: 156_000_000n, baseSize: 1_000_000n, quoteSize: 156_000n, fee: 310_000n },
      ],
    });
  });

  it("does not take a place, a cancel, another user's fill or a signature for a fill", () => {
    const logs = [
      orderActionLog(record({ action: ORDER_ACTION.cancel })),
      orderActionLog(record({ taker: DRIFT_V2_PROFILE.programId })),
      "Program data: not base64 at all!",
      "Program data: AAAA",
    ];
    expect(reportOrderOf(DRIFT_V2_PROFILE, user, outcome(logs))).toEqual({ kind: "not_filled" });
    expect(reportOrderOf(DRIFT_V2_PROFILE, user, outcome([]))).toEqual({ kind: "not_filled" });
  });

  it("says in words why the program refused", () => {
    const program = DRIFT_V2_PROFILE.programId;
    const failed = outcome([`Program ${program} failed: custom program error: 0x1788`], {
      kind: "instruction",
      name: "Custom",
      instructionIndex: 2,
      code: 6024,
    });
    expect(reportOrderOf(DRIFT_V2_PROFILE, user, failed)).toEqual({
      kind: "rejected",
      reason: "The exchange is paused.",
      retryable: false,
    });
  });
});

describe("OrderActionRecord", () => {
  it("survives its log line, fields of later program versions after it", () => {
    expect(parseOrderActionLog(orderActionLog(record()))).toEqual(record());
    const line = orderActionLog(record());
    const asText = `Program log: ${line.slice(line.indexOf(": ") + 2)}`;
    expect(parseOrderActionLog(asText)).toEqual(record());
    const longer = new Uint8Array([...orderActionRecordCodec.encode(record()), 1, 2, 3]);
    expect(orderActionRecordCodec.decode(longer)).toEqual(record());
  });
});
