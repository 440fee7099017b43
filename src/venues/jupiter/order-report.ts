import type { Fill } from "../../domain/order/order.ts";
import type { TransactionOutcome } from "../../solana/chain.ts";
import { explainFailure, orderFailure } from "../../solana/program-errors.ts";
import type { OrderReport } from "../placed-order.ts";
import type { VenueAccount } from "../venue.ts";
import { priceOf } from "./amounts.ts";
import type { JupiterInstance } from "./instance.ts";
import { jupiterErrors } from "./program-errors.ts";

/**
 * Returns the outcome of a landed order transaction from the combined balances of vault and trading key before and
 * after: a transfer between the two is no trade.
 */
export function reportOrderOf(
  instance: JupiterInstance,
  account: VenueAccount,
  outcome: TransactionOutcome,
): OrderReport {
  if (outcome.error !== null) {
    const failure = explainFailure({ error: outcome.error, logs: outcome.logs }, [jupiterErrors]);
    return { kind: "rejected", reason: orderFailure(failure), retryable: failure.retryable };
  }
  const change = (mint: string): bigint =>
    outcome.tokenDeltas
      .filter(
        (moved) =>
          moved.mint === mint &&
          (moved.owner === account.vault || moved.owner === account.tradingKey),
      )
      .reduce((sum, { delta }) => sum + delta, 0n);
  const quoteChange = change(instance.quote.mint);
  const fills = instance.assets.flatMap((asset): Fill[] => {
    const baseChange = change(asset.mint);
    const isTrade = baseChange * quoteChange < 0n;
    if (!isTrade) return [];
    const baseSize = baseChange < 0n ? -baseChange : baseChange;
    const quoteSize = quoteChange < 0n ? -quoteChange : quoteChange;
    return [{ price: priceOf(asset, baseSize, quoteSize), baseSize, quoteSize, fee: 0n }];
  });
  return fills.length === 1 ? { kind: "filled", fills } : { kind: "not_filled" };
}
