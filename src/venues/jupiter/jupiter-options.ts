import type { Clock } from "../../domain/clock.ts";
import type { Chain } from "../../solana/chain.ts";
import type { PlanStep } from "../plan-step.ts";
import type { Venue } from "../ports.ts";
import type { VenueAccount } from "../venue.ts";
import type { LeftoverAlarm } from "./build-order.ts";
import type { JupiterInstance } from "./instance.ts";
import type { SpotPrices, SwapRouter } from "./swap-router.ts";

/** The swap venue with its spending limit call. */
export interface JupiterVenue extends Venue {
  /**
   * Replaces both spending limits in one transaction and removes limits of other assets. `quoteLimit` in quote base
   * units a day, 1 to 1,000,000 USDC; throws `RangeError` outside.
   */
  planLimits(account: VenueAccount, quoteLimit: bigint): Promise<readonly PlanStep[]>;
}

/** Dependencies of the swap venue. */
export interface JupiterOptions {
  readonly chain: Chain;
  readonly router: SwapRouter;
  /** Independent of the router: its quotes are checked against these prices. */
  readonly prices: SpotPrices;
  readonly instance: JupiterInstance;
  readonly clock: Clock;
  readonly onLeftover?: LeftoverAlarm;
}

/** Returns the present time in whole Unix seconds, as the program counts. */
export const unixSeconds = ({ clock }: Pick<JupiterOptions, "clock">): bigint =>
  BigInt(Math.floor(clock.now() / 1_000));
