import { getUserActivity } from "../../../contract/wallet-trades.ts";
import { useRead } from "../../queries/read.ts";
import { ChevronDown } from "lucide-react";
import type { WorkspaceData } from "../../actions/action.ts";
import type { VenueId } from "../../../domain/venue-id.ts";
import { VENUE_PROFILES } from "../../../venues/profiles.ts";
import { Figure } from "../../ui/figure.tsx";
import { NotLoaded } from "../../ui/not-loaded.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { TimeText, ZoneNote } from "../../ui/time-text.tsx";
import { useOwner } from "../../lib/session.ts";

/** Returns the direction's label; on a spot venue buy or sell, because it has no shorts. */
function directionText(venue: VenueId, direction: "long" | "short"): string {
  if (VENUE_PROFILES[venue].kind !== "spot") return direction;
  return direction === "long" ? "buy" : "sell";
}

/** List of the wallet's agents with their filled orders. */
export function ActivityList({ explorerOf }: Pick<WorkspaceData, "explorerOf">) {
  const address = useOwner();
  const { data, isPending, isError, refetch } = useRead(getUserActivity, {
    query: { owner: address },
  });
  if (isPending) return <Skeleton className="m-3 h-10" />;
  if (isError)
    return (
      <NotLoaded onRetry={refetch} className="p-3 text-warn">
        Activity could not be loaded.
      </NotLoaded>
    );
  if (data.length === 0) {
    return <p className="p-6 text-center text-xs text-muted">No agents yet.</p>;
  }
  return (
    <>
      <ul className="flex flex-col p-1">
        {data.map((agent) => (
          <li key={agent.id}>
            <details className="group rounded-md open:bg-raised">
              <summary className="tint flex min-h-9 cursor-pointer list-none items-center gap-2 rounded-md px-2 hover:bg-hover">
                <span className="min-w-0 grow truncate text-sm font-medium">{agent.name}</span>
                <span className="text-2xs text-faint">{VENUE_PROFILES[agent.venue].label}</span>
                <ChevronDown
                  aria-hidden
                  className="size-3.5 text-faint transition-transform group-open:rotate-180"
                />
              </summary>
              {agent.fills.length === 0 && (
                <p className="px-2 pb-2 text-xs text-faint">No orders yet.</p>
              )}
              <ul className="flex flex-col pb-1">
                {agent.fills.map((fill) => {
                  const url = explorerOf(agent.id)?.(fill.signature);
                  return (
                    <li key={fill.signature} className="flex items-center gap-2 px-2 py-1 text-xs">
                      <span className="font-medium">{fill.market}</span>
                      <span className={fill.side === "long" ? "text-up" : "text-down"}>
                        {fill.side === "long" ? "↑" : "↓"} {directionText(agent.venue, fill.side)}
                      </span>
                      <Figure value={fill.size} decimals={4} />
                      <TimeText at={fill.at} as="short" className="ml-auto text-faint" />
                      {url ? (
                        <a
                          href={url}
                          target="_blank"
                          rel="noopener noreferrer"
                          className="font-mono text-accent-text"
                        >
                          {fill.signature.slice(0, 8)}
                        </a>
                      ) : (
                        <span className="font-mono text-faint" title={fill.signature}>
                          {fill.signature.slice(0, 8)}
                        </span>
                      )}
                    </li>
                  );
                })}
              </ul>
            </details>
          </li>
        ))}
      </ul>
      <ZoneNote className="block px-3 pb-2 text-2xs text-faint" />
    </>
  );
}
