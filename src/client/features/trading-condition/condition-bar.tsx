import { ServerOff } from "lucide-react";
import type { NearLimit, TradingCondition } from "../../../contract/trading-condition.ts";
import { useTimes } from "../../lib/time-zone.ts";
import type { Node } from "../../queries/deployment.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConditionBadge } from "../../ui/condition-badge.tsx";
import { NearLimits } from "./near-limits.tsx";
import { describeNodes } from "./node-words.ts";

/** Limits that pause the agent when reached, until the owner resumes it. */
const RESUMED: ReadonlySet<NearLimit["limit"]> = new Set(["fall", "losses_in_a_row"]);

interface ConditionBarProps {
  readonly condition: TradingCondition | undefined;
  /** Limits that the agent is close to. */
  readonly nearLimits: readonly NearLimit[] | undefined;
  /** Nodes of the network when one has a fault, otherwise null. */
  readonly nodes: readonly Node[] | null;
  readonly onDetails: () => void;
}

/** Line below the header with the agent's restriction, its reason and what ends it. */
export default function ConditionBar({
  condition,
  nearLimits,
  nodes,
  onDetails,
}: ConditionBarProps) {
  const times = useTimes();
  // Exits are not retried while the operator has halted everything
  const exit = condition?.state === "halted" ? undefined : condition?.exits[0];
  const told =
    condition?.canResume === true
      ? nearLimits?.filter(({ limit, isReached }) => !isReached || !RESUMED.has(limit))
      : nearLimits;
  return (
    <div className="flex flex-col gap-1 border-t bg-raised px-3 py-1.5 text-xs">
      {condition && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <p role="status" className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
            <ConditionBadge condition={condition} />
            <span className="font-medium">{condition.reason}</span>
            <span className="text-muted">{condition.endsWhen}</span>
          </p>
          {exit && (
            <span className="text-muted">Next try at {times.clock(exit.nextAttemptAt)}.</span>
          )}
          <Button size="small" className="ml-auto" onClick={onDetails}>
            Details
          </Button>
        </div>
      )}
      {told && <NearLimits limits={told} />}
      {nodes !== null && (
        <p role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone="warn">
            <ServerOff aria-hidden />
            Node trouble
          </Badge>
          <span>{describeNodes(nodes, times)}</span>
        </p>
      )}
    </div>
  );
}
