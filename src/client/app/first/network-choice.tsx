import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useStore } from "zustand";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";
import { useActionContext } from "../../actions/action-context.ts";
import { chooseNetwork, chosenNetwork } from "../../lib/chosen-network.ts";
import {
  deploymentQuery,
  livePrices,
  type LivePrices,
  offersNetwork,
} from "../../queries/deployment.ts";
import { Segments } from "../../ui/segments.tsx";

/** Longest wait for a price before practice is offered, in milliseconds. */
const WAIT_MS = 2_000;

const OPTIONS = [
  { value: "paper", label: "Paper, real prices" },
  { value: "practice", label: "Practice" },
] as const;

const isLive = (prices: LivePrices | undefined): boolean =>
  prices?.assets.some(({ missing }) => missing === null) ?? false;

const namesOf = (prices: LivePrices): string =>
  new Intl.ListFormat("en").format(
    prices.sources.flatMap(({ name, trouble }) => (trouble === null ? name : [])),
  );

function lineOf(network: string, prices: LivePrices): string {
  if (network === "practice") {
    return isLive(prices)
      ? "Made-up prices, offline too. Play money."
      : "No price source answers, so it starts on Practice: made-up prices, play money.";
  }
  return isLive(prices)
    ? `Live prices of ${namesOf(prices)}. Play money.`
    : "No price source answers: on Paper nothing fills until one does.";
}

/** Says which venues take entries with real money at present, as this server read it; nothing where it trades none. */
export function RealVenues() {
  const { data: deployment } = useQuery(deploymentQuery);
  const mainnet = deployment?.networks.find(({ network }) => network === "mainnet");
  if (mainnet === undefined) return null;
  const parts = mainnet.venues.map(({ venue, status }) => {
    const word =
      status === "available" ? "takes entries" : status.replace("unread", "not read yet");
    return `${VENUE_PROFILES[venue].label}: ${word}`;
  });
  return <p className="mt-2 text-xs text-muted">On mainnet today: {parts.join(". ")}.</p>;
}

/** Choice of the network with play money that new agents are made on; paper is taken when prices answer in time. */
export function NetworkChoice() {
  const { network } = useActionContext();
  const { data: deployment, refetch } = useQuery(deploymentQuery);
  const chosen = useStore(chosenNetwork).network;
  const prices = livePrices(deployment, "paper");
  const isOffered = prices !== undefined && offersNetwork(deployment, "practice");
  const hasPrices = isLive(prices);
  useEffect(() => {
    if (!isOffered || chosen !== null) return undefined;
    if (hasPrices) {
      chooseNetwork("paper");
      return undefined;
    }
    const timer = setTimeout(() => {
      void refetch().then(({ data }) => {
        chooseNetwork(isLive(livePrices(data, "paper")) ? "paper" : "practice");
      });
    }, WAIT_MS);
    return () => clearTimeout(timer);
  }, [isOffered, chosen, hasPrices, refetch]);
  if (!isOffered) return null;
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <Segments
        label="Network of new agents"
        value={network === "paper" ? "paper" : "practice"}
        options={OPTIONS}
        onChange={chooseNetwork}
      />
      <p role="status" className="text-xs text-muted">
        {chosen === null ? "Asking for live prices…" : lineOf(network, prices)}
      </p>
    </div>
  );
}
