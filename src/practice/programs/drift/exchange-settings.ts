import { stateLayout } from "../../../venues/drift/layout-state.ts";
import { deriveState } from "../../../venues/drift/pdas.ts";
import { DRIFT_V2_INSTANCE } from "../../../venues/drift/instance.ts";
import type { CommitState } from "../../commit-queue.ts";

/** Settings that an operator of the practice exchange can change. */
export interface ExchangeSettings {
  /** Slots an order waits before the AMM fills it; 0: it fills at once. */
  readonly minPerpAuctionDuration?: number;
  /** Pause bits; 127 pauses everything. */
  readonly exchangeStatus?: number;
  /** Fee for opening an account in hundredths of a SOL; above 0, accounts younger than 13 days cannot be deleted. */
  readonly maxInitializeUserFee?: number;
}

/** Writes the exchange's settings, as its admin would. */
export function changeExchange(state: CommitState, settings: ExchangeSettings): void {
  const address = deriveState(DRIFT_V2_INSTANCE);
  const account = state.account(address);
  const data = stateLayout.encode({ ...stateLayout.decode(account.data), ...settings });
  state.put(new Map([[address, { ...account, data }]]));
}
