import { getPosition, type PositionSummary } from "../../../contract/trade.ts";
import { useRead } from "../../queries/read.ts";
import type { ReactNode } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { sizeDecimals } from "../../lib/format.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { openAbove } from "../../lib/dialogs.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Figure } from "../../ui/figure.tsx";
import { assetOf } from "../../../venues/profiles.ts";

/** Strip with position, P&L and account value. After a failed read the old values stay, dimmed with their time. */
export function PositionStrip({ agent }: { readonly agent: Agent }) {
  const { data, isError, dataUpdatedAt } = useRead(getPosition, { query: { agentId: agent.id } });
  const times = useTimes();
  const isAvailable = data?.available === true;
  const isStale = isError || !isAvailable;
  const asOf = data?.asOf ?? (dataUpdatedAt > 0 ? new Date(dataUpdatedAt).toISOString() : null);
  const shown = isAvailable ? data : undefined;
  const asset = assetOf(agent.marketId);
  const isClosing = agent.trading?.exits.some(({ market }) => market === agent.marketId) === true;
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-xs whitespace-nowrap">
      {shown?.side !== undefined && (
        <Badge tone={shown.side === "long" ? "up" : "down"}>
          {shown.side === "long" ? "Long" : "Short"}
        </Badge>
      )}
      <dl
        title={isStale && asOf ? `unavailable since ${times.time(asOf)}` : undefined}
        className="contents"
      >
        <Named term="Position: ">
          <Figure
            value={shown?.position}
            decimals={sizeDecimals(shown?.position)}
            unit={` ${asset}`}
            stale={isError}
          />
        </Named>
        <Named
          term="P&amp;L: "
          title={
            shown !== undefined && shown.pnl === undefined
              ? "Unknown, because part of the position was not bought here"
              : undefined
          }
        >
          <Figure value={shown?.pnl} unit="%" toned stale={isError} />
        </Named>
        <Named term="Value: " title="What the position is worth">
          <Figure value={shown?.positionValue} prefix="$" stale={isError} />
        </Named>
        <Named
          term="Account: "
          title="What the agent's account is worth: its money, and the profit or loss of its position"
        >
          <Figure value={shown?.portfolioValue} prefix="$" stale={isError} />
        </Named>
        {shown?.limitLeft !== undefined && (
          <Named
            term="Left today: "
            title="The most an entry may cost now: what is left of the trading key's limit of the day. Change it under Manage Funds"
          >
            <Figure value={shown.limitLeft} prefix="$" stale={isError} className="text-warn" />
          </Named>
        )}
        {shown?.entryLimit !== undefined && (
          <Named
            term="Entry at most: "
            title="The most an entry may cost: what the trading key may spend in a day and sell again at today's price. Change it under Manage Funds"
          >
            <Figure value={shown.entryLimit} prefix="$" stale={isError} className="text-warn" />
          </Named>
        )}
        <Exposure position={shown} isStale={isError} />
      </dl>
      {shown?.side !== undefined && (
        <Button size="small" busy={isClosing} onClick={() => openAbove("close-position")}>
          {isClosing ? "Closing" : "Close position"}
        </Button>
      )}
      {data && isStale && asOf && (
        <span className="text-2xs text-warn">unavailable since {times.time(asOf)}</span>
      )}
    </div>
  );
}

/** What a perpetual position costs and risks. */
function Exposure({
  position,
  isStale,
}: {
  readonly position: PositionSummary | undefined;
  readonly isStale: boolean;
}) {
  const { exposure, fundingPerHour: funding, liquidationPrice } = position ?? {};
  return (
    <>
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

interface NamedProps {
  readonly term: string;
  readonly title?: string | undefined;
  readonly children: ReactNode;
}

function Named({ term, title, children }: NamedProps) {
  return (
    <div className="flex gap-1.5 max-sm:flex-col max-sm:gap-0">
      <dt title={title} className="text-faint">
        {term}
      </dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}
