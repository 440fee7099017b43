import type { Address } from "@solana/kit";
import type { Fill } from "../../domain/order/order.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import { explainFailure } from "../../solana/program-errors.ts";
import type { OrderReport } from "../venue.ts";
import { BASE_PRECISION } from "./margin.ts";
import {
  ORDER_ACTION,
  type OrderActionRecord,
  parseOrderActionLog,
} from "./order-action-record.ts";
import { driftErrors } from "./program-errors.ts";
import type { DriftProfile } from "./profile.ts";

function toFill(record: OrderActionRecord, user: Address): Fill | undefined {
  if (record.action !== ORDER_ACTION.fill || record.taker !== user) return undefined;
  const baseSize = record.baseAssetAmountFilled ?? 0n;
  const quoteSize = record.quoteAssetAmountFilled ?? 0n;
  if (baseSize === 0n) return undefined;
  return {
    price: (quoteSize * BASE_PRECISION) / baseSize,
    baseSize,
    quoteSize,
    fee: record.takerFee ?? 0n,
  };
}

/** Returns what a landed order transaction did for the user as taker. A signature alone is not a fill. */
export function reportOrderOf(
  profile: DriftProfile,
  user: Address,
  outcome: TransactionOutcome,
): OrderReport {
  if (outcome.error !== null) {
    const { words, retryable } = explainFailure({ error: outcome.error, logs: outcome.logs }, [
      driftErrors(profile),
    ]);
    return { kind: "rejected", reason: words, retryable };
  }
  const fills = outcome.logs.flatMap((line) => {
    const record = parseOrderActionLog(line);
    const fill = record === undefined ? undefined : toFill(record, user);
    return fill === undefined ? [] : [fill];
  });
  return fills.length === 0 ? { kind: "not_filled" } : { kind: "filled", fills };
}
