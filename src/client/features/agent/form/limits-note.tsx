import { MAX_ORDERS_PER_HOUR, MAX_ORDERS_PER_MINUTE } from "../../../../domain/order/risk.ts";
import { DAILY_LOSS_LIMIT_BPS, MAX_CONSECUTIVE_FAILURES } from "../../../../domain/risk-ledger.ts";

/** Note about the limits of every agent, shown before one is reached. */
export function LimitsNote() {
  return (
    <section aria-label="Limits of every agent" className="border-t pt-3 text-xs text-muted">
      <h3 className="font-medium text-ink">Limits of every agent</h3>
      <ul className="mt-1 list-disc pl-4">
        <li>
          No new entry after {MAX_ORDERS_PER_MINUTE} orders in a minute or {MAX_ORDERS_PER_HOUR} in
          an hour.
        </li>
        <li>
          After losing {`${DAILY_LOSS_LIMIT_BPS / 100n}`}% of its account in a day it only closes,
          until 00:00 UTC.
        </li>
        <li>
          After {MAX_CONSECUTIVE_FAILURES} failed orders in a row it only closes, until an order
          fills or you turn Auto-Trade off and on.
        </li>
        <li>Closing a position is never held back by these.</li>
      </ul>
    </section>
  );
}
