import { parseVenueId, VENUE_IDS } from "../../src/domain/venue-id.ts";
import type { VenueProfile } from "../../src/domain/venue-profile.ts";
import {
  createPracticeSpotPrices,
  createPracticeSwapRouter,
} from "../../src/practice/programs/swap/practice-swap-router.ts";
import { VENUE_APPROVALS } from "../../src/venues/approvals.ts";
import { createJupiterAllowList } from "../../src/venues/jupiter/allow-list.ts";
import { termsOf } from "../../src/venues/jupiter/approval.ts";
import { JUPITER_PRACTICE_INSTANCE } from "../../src/venues/jupiter/instance.ts";
import { createJupiterVenue } from "../../src/venues/jupiter/jupiter-venue.ts";
import { createJupiterOrderLimits } from "../../src/venues/jupiter/order-limits.ts";
import { vaultReader } from "../../src/venues/jupiter/vault-reading.ts";
import { VENUE_PROFILES } from "../../src/venues/profiles.ts";
import type { VenueApproval } from "../../src/venues/venue-approval.ts";
import { ADDED_VENUES } from "../practice-venues.ts";

// A venue nobody has heard of: its name, its words and its one market are its own. It trades through the practice
// chain's swap program, because a program of its own would be another fifty files
const NAME = "bazaar";
const MARKET = "SOL at Bazaar";

// What a new venue writes into each of the lists. Imported before anything that reads them when it is loaded
(VENUE_IDS as unknown as string[]).push(NAME);
const id = parseVenueId(NAME);
if (id === null) throw new Error(`${NAME} is not on the list`);

/** The venue's id, from the list like any other. */
export const BAZAAR = id;

const profile: VenueProfile = {
  label: "Bazaar",
  kind: "spot",
  sides: ["long"],
  markets: [
    {
      venue: BAZAAR,
      marketId: MARKET,
      asset: "SOL",
      assetName: "Solana",
      kind: "spot",
      assetClass: "crypto",
      baseDecimals: 9,
      marketIndex: 0,
    },
  ],
  quote: { symbol: "USDC", decimals: 6 },
  hasSpendingLimits: true,
  keepsStops: false,
};

const [sol] = JUPITER_PRACTICE_INSTANCE.assets;
if (sol === undefined) throw new Error("The swap program trades nothing");
const instance = {
  ...JUPITER_PRACTICE_INSTANCE,
  name: NAME,
  assets: [{ ...sol, marketId: MARKET }],
};

Object.assign(VENUE_PROFILES, { [BAZAAR]: profile });
(VENUE_APPROVALS as VenueApproval[]).push({ venue: BAZAAR, on: () => termsOf(instance) });
ADDED_VENUES.set(BAZAAR, {
  open: ({ chain, prices, clock }) => ({
    ...createJupiterVenue({
      chain,
      router: createPracticeSwapRouter(chain),
      prices: createPracticeSpotPrices(prices, clock),
      instance,
      clock,
    }),
    id: BAZAAR,
  }),
  rules: ({ chain, prices, clock }) => ({
    chain,
    allow: createJupiterAllowList(instance),
    limit: createJupiterOrderLimits({
      prices: createPracticeSpotPrices(prices, clock),
      instance,
      clock,
      readAccount: vaultReader([chain, chain], {
        prices: createPracticeSpotPrices(prices, clock),
        instance,
        clock,
      }),
    }),
  }),
});
