import { JUPITER_PRACTICE_INSTANCE } from "../../../venues/jupiter/instance.ts";
import { sharedAddresses } from "../../../venues/jupiter/shared-addresses.ts";
import type { VenueStandIn } from "../../venue-stand-in.ts";
import { mintWithSwapPool, swapAccounts } from "./swap-pools.ts";
import { withSwapPrices } from "./swap-prices.ts";
import { swapProgram } from "./swap.ts";

/** Stand-in for the swap venue on the practice chain. */
export const swapPool: VenueStandIn = {
  program: swapProgram,
  accounts: swapAccounts,
  withPools: mintWithSwapPool,
  live: (account, prices, { nowMs }) => withSwapPrices(account, prices, nowMs),
  sharedAddresses: () => sharedAddresses(JUPITER_PRACTICE_INSTANCE),
};
