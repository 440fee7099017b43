import type { Chain } from "../src/solana/chain.ts";
import { SLOT_MS } from "../src/practice/slots.ts";
import { DRIFT_V2_INSTANCE } from "../src/venues/drift/instance.ts";
import { stateLayout } from "../src/venues/drift/layout-state.ts";
import { deriveState } from "../src/venues/drift/pdas.ts";
import type { VenueId } from "../src/domain/venue-id.ts";
import type { TestClock } from "./clock.ts";

/** Slots of the exchange's auctions in this run of the tests; undefined: those a practice exchange has by itself. */
export const STORY_AUCTION_SLOTS =
  process.env["AUCTION_SLOTS"] === undefined ? undefined : Number(process.env["AUCTION_SLOTS"]);

/** Venues of the stories in this run: where none are held, a second run without auctions would repeat the first. */
export const STORY_VENUES: readonly VenueId[] =
  STORY_AUCTION_SLOTS === undefined ? ["drift", "jupiter"] : ["drift"];

/** Returns the slots an order waits on the exchange before its curve fills it. */
export async function auctionSlots(chain: Pick<Chain, "accounts">): Promise<number> {
  const { accounts } = await chain.accounts([deriveState(DRIFT_V2_INSTANCE)]);
  const [state] = accounts;
  if (state == null) throw new Error("There is no exchange");
  return stateLayout.decode(state.data).minPerpAuctionDuration;
}

/** Advances the clock until an order placed now can be filled. */
export async function passAuction(world: {
  readonly chain: Pick<Chain, "accounts">;
  readonly clock: TestClock;
}): Promise<void> {
  const slots = await auctionSlots(world.chain);
  if (slots > 0) world.clock.advance((slots + 1) * SLOT_MS);
}
