import type { StaleNotice } from "../contract/events.ts";

/** Notifies a wallet's browsers of outdated data. Must be called after the commit; never throws or blocks. */
export interface StalePublisher {
  publish(wallet: string, notice: StaleNotice): void;
}
