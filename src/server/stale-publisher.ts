import type { StaleNotice } from "../contract/events.ts";
import type { OwnerAddress } from "../domain/ids.ts";

/** Notifies a wallet's browsers of outdated data. Must be called after the commit; never throws or blocks. */
export interface StalePublisher {
  publish(wallet: OwnerAddress, notice: StaleNotice): void;
}
