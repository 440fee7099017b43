import type { VenueHealth } from "../ports.ts";
import { EXCHANGE_STATUS } from "./layout-state.ts";

const ENTRY_BITS =
  EXCHANGE_STATUS.depositPaused |
  EXCHANGE_STATUS.withdrawPaused |
  EXCHANGE_STATUS.ammPaused |
  EXCHANGE_STATUS.fillPaused;

/** Returns the venue's health from the exchange's pause bits: whether it takes new entries and deposits. */
export function healthOfStatus(exchangeStatus: number): VenueHealth {
  if ((exchangeStatus & ENTRY_BITS) === 0) return { status: "available" };
  const paused = [
    (exchangeStatus & EXCHANGE_STATUS.depositPaused) !== 0 && "deposits",
    (exchangeStatus & EXCHANGE_STATUS.withdrawPaused) !== 0 && "withdrawals",
    (exchangeStatus & (EXCHANGE_STATUS.ammPaused | EXCHANGE_STATUS.fillPaused)) !== 0 && "trading",
  ].filter((part) => part !== false);
  return {
    status: "paused",
    reason: `Drift has paused ${paused.join(", ")}: no new positions and no deposits until it resumes.`,
  };
}
