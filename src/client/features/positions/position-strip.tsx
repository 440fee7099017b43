import { useQuery } from "@tanstack/react-query";
import type { Agent } from "../../../contract/agent.ts";
import { sizeDecimals } from "../../lib/format.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { positionQuery } from "../../queries/positions.ts";
import { Figure } from "../../ui/figure.tsx";

/** Position, P&L and value of the agent on screen. A failed read keeps the old figures, dimmed, and says since when. */
export function PositionStrip({
  address,
  agent,
}: {
  readonly address: string;
  readonly agent: Agent;
}) {
  const { data, isError, dataUpdatedAt } = useQuery(positionQuery(address, agent.botId));
  const times = useTimes();
  const isAvailable = data?.available === true;
  const isStale = isError || !isAvailable;
  const asOf = data?.asOf ?? (dataUpdatedAt > 0 ? new Date(dataUpdatedAt).toISOString() : null);
  const shown = isAvailable ? data : undefined;
  const asset = agent.assetPair.replace(/-PERP$/, "");
  return (
    <dl
      title={isStale && asOf ? `unavailable since ${times.time(asOf)}` : undefined}
      className="flex min-w-0 flex-wrap items-center gap-x-4 text-xs whitespace-nowrap"
    >
      <div className="flex gap-1.5 max-sm:flex-col max-sm:gap-0">
        <dt className="text-faint">Position: </dt>
        <dd className="font-medium">
          <Figure
            value={shown?.position}
            decimals={sizeDecimals(shown?.position)}
            unit={` ${asset}`}
            stale={isError}
          />
        </dd>
      </div>
      <div className="flex gap-1.5 max-sm:flex-col max-sm:gap-0">
        <dt className="text-faint">P&amp;L: </dt>
        <dd className="font-medium">
          <Figure value={shown?.pnl} unit="%" toned stale={isError} />
        </dd>
      </div>
      <div className="flex gap-1.5 max-sm:flex-col max-sm:gap-0">
        <dt className="text-faint">Value: </dt>
        <dd className="font-medium">
          <Figure value={shown?.positionValue} prefix="$" stale={isError} />
        </dd>
      </div>
      {data && isStale && asOf && (
        <span className="text-2xs text-warn">unavailable since {times.time(asOf)}</span>
      )}
    </dl>
  );
}
