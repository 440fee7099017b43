import { useQuery } from "@tanstack/react-query";
import { useStore } from "zustand";
import type { PositionSummary } from "../../../contract/trade.ts";
import type { Network } from "../../../domain/network.ts";
import { keptWords } from "../../../domain/plan/plan-words.ts";
import { Figure } from "../../ui/figure.tsx";
import { Named } from "../../ui/named.tsx";
import { displayPrice } from "../../lib/format.ts";
import { live } from "../../lib/live.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { deploymentQuery, livePrices } from "../../queries/deployment.ts";

/** The trading key's limits where they bind, and what a perpetual position costs and risks. */
export default function PositionDetails({
  position,
  network,
  asset,
  isStale,
}: {
  readonly position: PositionSummary;
  readonly network: Network;
  readonly asset: string;
  readonly isStale: boolean;
}) {
  const { limitLeft, entryLimit, exposure, fundingPerHour: funding, liquidationPrice } = position;
  const { plan } = position;
  return (
    <>
      <LivePrice network={network} asset={asset} />
      {plan !== undefined && <PlanLevels plan={plan} network={network} isStale={isStale} />}
      {limitLeft !== undefined && (
        <Named
          term="Left today: "
          title="The most an entry may cost now: what is left of the trading key's limit of the day. Change it under Manage Funds"
        >
          <Figure value={limitLeft} prefix="$" stale={isStale} className="text-warn" />
        </Named>
      )}
      {entryLimit !== undefined && (
        <Named
          term="Entry at most: "
          title="The most an entry may cost: what the trading key may spend in a day and sell again at today's price. Change it under Manage Funds"
        >
          <Figure value={entryLimit} prefix="$" stale={isStale} className="text-warn" />
        </Named>
      )}
      {exposure !== undefined && (
        <Named term="Exposure: " title="Value of the position as a multiple of the account's">
          <Figure value={exposure} unit="x" stale={isStale} />
        </Named>
      )}
      {funding !== undefined && (
        <Named
          term="Funding: "
          title="What this size received in the last hour; with a minus sign, what it paid"
        >
          <Figure value={funding} decimals={4} prefix="$" unit=" an hour" signed stale={isStale} />
        </Named>
      )}
      {liquidationPrice !== undefined && (
        <Named
          term="Liquidation: "
          title={
            liquidationPrice === "none"
              ? "At no price of this market"
              : "Price at which the exchange may close the position"
          }
        >
          {liquidationPrice === "none" ? (
            "none"
          ) : (
            <Figure value={liquidationPrice} price prefix="$" stale={isStale} />
          )}
        </Named>
      )}
    </>
  );
}

/** The newest live price as the server pushed it, otherwise as last read; nothing on a network without live prices. */
function LivePrice({ network, asset }: { readonly network: Network; readonly asset: string }) {
  const pushed = useStore(live).prices;
  const read = livePrices(useQuery(deploymentQuery).data, network)?.assets;
  const times = useTimes();
  const assets = pushed?.network === network ? pushed.assets : read;
  const newest = assets?.find((each) => each.asset === asset);
  if (newest === undefined || newest.price === null || newest.at === null) return null;
  const { price, at, sources, missing } = newest;
  return (
    <Named
      term="Price: "
      title={`Live price of ${asset}: the median of ${sources} ${sources === 1 ? "source" : "sources"} at ${times.clock(at)}`}
    >
      {/* Changes up to twice a second, so it does not flash */}
      <span className={missing === null ? undefined : "opacity-50"}>${displayPrice(price)}</span>
    </Named>
  );
}

const NOT_KEPT =
  "The plan does not speak of this position: you stopped its closing, or the agent was off.";

const STOPPED_BY = {
  stop: "Stop: ",
  trail: "Trailing stop: ",
  break_even: "Break-even stop: ",
} as const;

/** The stop and the next target, and what keeps them. What is wrong with them is said, not only shown. */
function PlanLevels({
  plan: { kept, stop, targets, unwatchedSince, withoutStopSince, notRestingSince },
  network,
  isStale,
}: {
  readonly network: Network;
  readonly plan: NonNullable<PositionSummary["plan"]>;
  readonly isStale: boolean;
}) {
  const times = useTimes();
  const [next] = targets;
  if (kept === "none") {
    return (
      <Named term="Plan: " title={NOT_KEPT}>
        <span className="text-warn">not kept</span>
      </Named>
    );
  }
  return (
    <>
      {stop !== undefined && (
        <Named term={STOPPED_BY[stop.by]} title={keptWords(kept, network)}>
          <Figure value={stop.price} price prefix="$" stale={isStale} />
          <span className="text-muted"> · {kept}</span>
        </Named>
      )}
      {next !== undefined && (
        <Named term={`Target ${next.target}: `} title={keptWords("watched", network)}>
          <Figure value={next.price} price prefix="$" stale={isStale} />
        </Named>
      )}
      {withoutStopSince !== undefined && (
        <span className="text-warn">no stop since {times.time(withoutStopSince)}</span>
      )}
      {notRestingSince !== undefined && (
        <span className="text-warn">
          stop not at the exchange since {times.time(notRestingSince)}, watched here
        </span>
      )}
      {unwatchedSince !== undefined && (
        <span className="text-warn">no price for the plan since {times.time(unwatchedSince)}</span>
      )}
    </>
  );
}
