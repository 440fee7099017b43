import { listUserPositions } from "../../../contract/wallet-trades.ts";
import { useRead } from "../../queries/read.ts";
import { sizeDecimals } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Figure } from "../../ui/figure.tsx";
import { NotLoaded } from "../../ui/not-loaded.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { assetOf } from "../../../venues/profiles.ts";
import { useOwner } from "../../lib/session.ts";

/** List of open positions of the wallet's agents. */
export function PortfolioList() {
  const address = useOwner();
  const { data, isPending, isError, refetch } = useRead(listUserPositions, {
    query: { owner: address },
  });
  if (isPending) return <Skeleton className="m-3 h-10" />;
  if (isError)
    return (
      <NotLoaded onRetry={refetch} className="p-3 text-warn">
        Positions could not be loaded.
      </NotLoaded>
    );
  return (
    <>
      {data.positions.length === 0 && data.unavailable.length === 0 && (
        <p className="p-6 text-center text-xs text-muted">
          No open positions. What your agents hold shows up here.
        </p>
      )}
      <ul className="flex flex-col p-1">
        {data.positions.map((position) => (
          <li
            key={`${position.agentId}/${position.market}`}
            className="flex items-center gap-2 rounded-md px-2 py-1.5 hover:bg-hover"
          >
            <div className="min-w-0 grow">
              <p className="flex items-center gap-1.5 text-sm font-medium">
                {position.market}
                <Badge tone={position.side === "long" ? "up" : "down"}>
                  <span aria-hidden>{position.side === "long" ? "▲" : "▼"}</span>
                  {position.side === "long" ? "Long" : "Short"}
                </Badge>
              </p>
              <p className="truncate text-2xs text-faint">{position.agent}</p>
            </div>
            <div className="text-right text-xs">
              <p>
                <Figure
                  value={position.size}
                  decimals={sizeDecimals(position.size)}
                  unit={` ${assetOf(position.market)}`}
                />
              </p>
              <p>
                <Figure value={position.pnl} unit="%" toned />
              </p>
            </div>
          </li>
        ))}
      </ul>
      {data.unavailable.length > 0 && (
        <p className="px-3 pb-3 text-2xs text-warn">
          {data.unavailable.length} agent(s) could not be read just now.
        </p>
      )}
    </>
  );
}
