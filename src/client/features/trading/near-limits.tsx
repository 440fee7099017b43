import { Gauge } from "lucide-react";
import type { NearLimit } from "../../../contract/trading-condition.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { Badge } from "../../ui/badge.tsx";
import { describeLimit } from "./near-limit-words.ts";

/** List of limits the agent is close to, with what is left. */
export function NearLimits({ limits }: { readonly limits: readonly NearLimit[] }) {
  const times = useTimes();
  return limits.map((near, at) => {
    const { what, ends } = describeLimit(near, times);
    const isNamed = near.isReached !== limits[at - 1]?.isReached;
    return (
      <p key={near.limit} role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Badge tone="warn" className={isNamed ? undefined : "max-md:hidden"}>
          <Gauge aria-hidden />
          {near.isReached ? "Limit reached" : "Near a limit"}
        </Badge>
        <span className="font-medium">{what}</span>
        <span className="text-muted">{ends}</span>
      </p>
    );
  });
}
