import type { PositionSummary } from "../../../contract/trade.ts";
import { Figure } from "../../ui/figure.tsx";
import { Named } from "../../ui/named.tsx";

/** The trading key's limits where they bind, and what a perpetual position costs and risks. */
export default function PositionDetails({
  position,
  isStale,
}: {
  readonly position: PositionSummary;
  readonly isStale: boolean;
}) {
  const { limitLeft, entryLimit, exposure, fundingPerHour: funding, liquidationPrice } = position;
  return (
    <>
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
            <Figure value={liquidationPrice} prefix="$" stale={isStale} />
          )}
        </Named>
      )}
    </>
  );
}
