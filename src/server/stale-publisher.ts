import type { StaleNotice } from "../contract/events.ts";

/** Tells a wallet's browsers what became stale. Call it after the commit; it never throws and never blocks. */
export interface StalePublisher {
  publish(wallet: string, notice: StaleNotice): void;
}
