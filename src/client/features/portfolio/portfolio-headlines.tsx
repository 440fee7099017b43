import type { Portfolio } from "../../queries/portfolio.ts";
import { Figure } from "../../ui/figure.tsx";
import { How } from "../../ui/how.tsx";
import { NetworkBadge } from "../../ui/network-badge.tsx";
import { Share } from "../../ui/share.tsx";

type Network = Portfolio["networks"][number];

const SPANS = [
  ["today", "Today", "since 00:00 UTC"],
  ["week", "7 d", "in seven days"],
  ["month", "30 d", "in thirty days"],
  ["all", "All", "since the first deposit"],
] as const;

/** Total value, and what was made in four spans. */
export function PortfolioHeadlines({ shown }: { readonly shown: Network }) {
  return (
    <div className="flex flex-wrap items-end gap-x-8 gap-y-3">
      <div>
        <h3 className="flex items-center gap-1 text-xs text-muted">
          Total value <NetworkBadge network={shown.network} />
          <How of="Total value">
            What the venue says every agent's account is worth now, added up. Where the venue cannot
            be read, the last value in the book counts and is marked. Money in your wallet is not in
            it.
          </How>
        </h3>
        <p className="mt-0.5 text-2xl font-semibold tabular-nums max-[360px]:text-xl">
          <Figure value={shown.total} unit={` ${shown.quote.symbol}`} />
        </p>
        {shown.unbooked > 0 && (
          <p role="status" className="text-xs text-muted">
            Money of {shown.unbooked} {shown.unbooked === 1 ? "agent" : "agents"} is on its way:
            what was made counts it once it is final.
          </p>
        )}
        {shown.unread > 0 && (
          <p role="status" className="text-xs text-warn">
            {shown.unread} {shown.unread === 1 ? "agent" : "agents"} could not be read
            {shown.total === null
              ? ": the total is not known."
              : ": what was recorded last counts."}
          </p>
        )}
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-2">
        {SPANS.map(([key, label, span]) => (
          <div key={key}>
            <dt className="flex items-center gap-0.5 text-xs text-muted">
              {label}
              <How of={`the change ${label}`}>
                What these agents made {span}: what they are worth now, less what it was then, less
                what came in. While money is on its way or a venue cannot be read, the last worth in
                the book counts. The percentage is of what was there then and came in since. What
                deleted agents made is in it.
              </How>
            </dt>
            <dd className="text-sm font-medium tabular-nums">
              <Figure value={shown.made[key]?.amount} signed toned />{" "}
              {shown.made[key]?.share != null && (
                <Share value={shown.made[key].share} className="text-xs font-normal" />
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
