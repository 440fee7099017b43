import type { Clock } from "../../domain/clock.ts";
import type { Chain } from "../../solana/chain.ts";
import type { PlanStep, Venue, VenueAccount } from "../venue.ts";
import type { LeftoverAlarm } from "./build-order.ts";
import type { JupiterInstance } from "./instance.ts";
import type { SpotPrices, SwapRouter } from "./swap-router.ts";

/** The swap venue, with what only a venue of spending limits has. */
export interface JupiterVenue extends Venue {
  /**
   * Replaces both spending limits in one transaction; limits of other assets go with it. `quoteLimit` in quote base
   * units a day, 1 to 1,000,000 USDC; throws `RangeError` outside.
   */
  planLimits(account: VenueAccount, quoteLimit: bigint): Promise<readonly PlanStep[]>;
}

/** What the swap venue of a chain is made of. */
export interface JupiterOptions {
  readonly chain: Chain;
  readonly router: SwapRouter;
  /** Not the router: what the router's quotes are checked against. */
  readonly prices: SpotPrices;
  readonly instance: JupiterInstance;
  readonly clock: Clock;
  readonly onLeftover?: LeftoverAlarm;
}

/** Now in whole Unix seconds, as the program counts. */
export const unixSeconds = ({ clock }: Pick<JupiterOptions, "clock">): bigint =>
  BigInt(Math.floor(clock.now() / 1_000));
