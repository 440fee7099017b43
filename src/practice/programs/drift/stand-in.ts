import { DRIFT_V2_INSTANCE } from "../../../venues/drift/instance.ts";
import { sharedAddresses } from "../../../venues/drift/shared-addresses.ts";
import type { VenueStandIn } from "../../venue-stand-in.ts";
import { driftProgram } from "./drift.ts";
import { exchangeAccounts, mintWithPools, oracleAddress } from "./drift-genesis.ts";
import { withKeepers } from "./exchange-clock.ts";
import { PRACTICE_MARKETS } from "./practice-markets.ts";
import { upgradedExchange } from "./upgrade-exchange.ts";

/** Stand-in for the perpetuals exchange on the practice chain. */
export const perpetualsExchange: VenueStandIn = {
  program: driftProgram,
  accounts: exchangeAccounts,
  withPools: mintWithPools,
  upgraded: upgradedExchange,
  live: withKeepers,
  sharedAddresses: () => sharedAddresses(DRIFT_V2_INSTANCE, PRACTICE_MARKETS.map(oracleAddress)),
};
