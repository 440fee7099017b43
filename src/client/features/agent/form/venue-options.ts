import { COMING_SOON_VENUES, isPriced, VENUE_PROFILES } from "../../../../venues/profiles.ts";
import type { Market } from "../../../../domain/market.ts";
import type { Network } from "../../../../domain/network.ts";
import { VENUE_IDS } from "../../../../domain/venue-id.ts";
import type { Deployment } from "../../../queries/deployment.ts";
import type { SelectGroup } from "../../../ui/select.tsx";
import type { AgentForm } from "../agent-form.ts";

type VenueState = Deployment["networks"][number]["venues"][number];

/** Returns the state of a venue on a network in this deployment, if any. */
export function venueState(
  deployment: Deployment | undefined,
  network: Network,
  venue: string,
): VenueState | undefined {
  return deployment?.networks
    .find((each) => each.network === network)
    ?.venues.find((each) => each.venue === venue);
}

const STATUS_NOTES: Readonly<Record<VenueState["status"], string>> = {
  available: "",
  paused: "Paused",
  "coming soon": "Coming Soon",
  retired: "Retired",
  unread: "Not read yet",
};

/** Returns the options of the venue select: supported venues by health, announced ones disabled. */
export function venueGroups(
  deployment: Deployment | undefined,
  network: Network,
): readonly SelectGroup[] {
  const ours = VENUE_IDS.map((venue) => {
    const state = venueState(deployment, network, venue);
    const isOffered = deployment === undefined || state?.status === "available";
    const note = state === undefined ? "Not offered here" : STATUS_NOTES[state.status];
    return {
      value: venue,
      label: VENUE_PROFILES[venue].label,
      ...(!isOffered && { disabled: true, note }),
    };
  });
  const announced = COMING_SOON_VENUES.map((name) => ({
    value: name,
    label: name,
    disabled: true,
    note: "Coming Soon",
  }));
  return [{ options: [...ours, ...announced] }];
}

/** Returns the asset options of a venue: the user's favourites, then crypto before stocks. */
export function assetGroups(
  { venue, network }: Pick<AgentForm, "venue" | "network">,
  favourites: readonly string[],
): readonly SelectGroup[] {
  if (venue === "") return [];
  const groupOf = ({ asset, assetClass }: Market) =>
    favourites.includes(asset) ? "Favourites" : assetClass === "crypto" ? "Crypto" : "Stocks";
  const group = (label: string): SelectGroup => ({
    label,
    options: VENUE_PROFILES[venue].markets
      .filter((market) => groupOf(market) === label)
      .map((market) => ({
        value: market.marketId,
        label: market.marketId,
        ...(!isPriced(market, network) && { disabled: true, note: "No price here" }),
      })),
  });
  return ["Favourites", "Crypto", "Stocks"].map(group).filter(({ options }) => options.length > 0);
}
