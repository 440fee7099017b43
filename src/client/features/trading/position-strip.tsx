import { getPosition } from "../../../contract/trade.ts";
import { useRead } from "../../queries/read.ts";
import { Suspense } from "react";
import type { Agent } from "../../../contract/agent.ts";
import { sizeDecimals } from "../../lib/format.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { openAbove } from "../../lib/dialogs.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Figure } from "../../ui/figure.tsx";
import { lazyPart } from "../../ui/lazy-part.tsx";
import { Named } from "../../ui/named.tsx";
import { assetOf } from "../../../venues/profiles.ts";

const PositionDetails = lazyPart(() => import("./position-details.tsx"));

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
    <div className="flex min-h-8 min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-xs whitespace-nowrap">
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
        {shown !== undefined && (
          <Suspense fallback={null}>
            <PositionDetails
              position={shown}
              network={agent.network}
              asset={asset}
              isStale={isError}
            />
          </Suspense>
        )}
      </dl>
      {shown?.side !== undefined && (
        <Button
          size="small"
          busy={isClosing}
          className="md:ml-auto"
          onClick={() => openAbove("close-position")}
        >
          {isClosing ? "Closing" : "Close position"}
        </Button>
      )}
      {data && isStale && asOf && (
        <span className="text-2xs text-warn">unavailable since {times.time(asOf)}</span>
      )}
    </div>
  );
}
