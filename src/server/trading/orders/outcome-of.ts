import type { Fill } from "../../../domain/order/order.ts";
import type { TransactionOutcome } from "../../../solana/chain.ts";
import type { OrderReport } from "../../../venues/placed-order.ts";
import type { BookedFill } from "../../store/orders/order-outcomes.ts";
import type { OrderOutcome } from "./record-fill.ts";

/** Returns the fills together with the signature of their transaction. */
export function bookedFills(
  fills: readonly Fill[],
  { signature, slot }: Pick<TransactionOutcome, "signature" | "slot">,
): readonly BookedFill[] {
  return fills.map((fill) => ({ ...fill, signature, slot }));
}

/** Returns the outcome of an order whose transaction landed. */
export function outcomeOf(report: OrderReport, landed: TransactionOutcome): OrderOutcome {
  const { slot } = landed;
  switch (report.kind) {
    case "filled":
      return { event: "fill", fills: bookedFills(report.fills, landed), slot };
    case "partially_filled":
      return { event: "fill_partly", fills: bookedFills(report.fills, landed), slot };
    case "resting":
      return { event: "rest", order: report.order, fills: [], slot };
    case "not_filled":
      return { event: "reject", reason: "not_filled" };
    case "rejected":
      return { event: "reject", reason: report.reason };
  }
}
