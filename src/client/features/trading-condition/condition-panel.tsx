import { ServerOff } from "lucide-react";
import { useState } from "react";
import type { TradingCondition } from "../../../contract/trading-condition.ts";
import type { AgentId } from "../../../domain/ids.ts";
import { useTimes } from "../../lib/time-zone.ts";
import type { Node } from "../../queries/deployment.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConditionBadge } from "../../ui/condition-badge.tsx";
import { describeNodes } from "./node-words.ts";
import { ResumeButton } from "./resume-button.tsx";
import { ExitProgress } from "./exit-progress.tsx";
import { StopClosingDialog } from "./stop-closing-dialog.tsx";
import type { SignedInWallet } from "../../lib/session.ts";

interface ConditionPanelProps {
  readonly address: SignedInWallet;
  readonly agentId: AgentId;
  readonly condition: TradingCondition | undefined;
  /** Nodes of the network when one has a fault, otherwise null. */
  readonly nodes: readonly Node[] | null;
}

/** Panel of an agent's restriction: reason, start, what ends it, and all positions being closed. */
export function ConditionPanel({ address, agentId, condition, nodes }: ConditionPanelProps) {
  const times = useTimes();
  const [isAsking, setAsking] = useState(false);
  return (
    <section
      aria-label="What limits this agent"
      className="mb-4 flex flex-col gap-2 rounded-md border border-line-strong bg-raised p-3 text-xs"
    >
      {condition && (
        <>
          <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <ConditionBadge condition={condition} />
            {condition.since !== undefined && (
              <span className="text-muted">since {times.short(condition.since)}</span>
            )}
          </div>
          <p>{condition.reason}</p>
          <p className="text-muted">{condition.endsWhen}</p>
          {condition.canResume && <ResumeButton address={address} agentId={agentId} />}
        </>
      )}
      {condition && condition.exits.length > 0 && (
        <div className="flex flex-col items-start gap-2 border-t pt-2">
          <ul className="flex flex-col gap-2">
            {condition.exits.map((exit) => (
              <ExitProgress
                key={`${exit.market} ${exit.side}`}
                exit={exit}
                isHalted={condition.state === "halted"}
              />
            ))}
          </ul>
          <Button size="small" onClick={() => setAsking(true)}>
            Stop closing
          </Button>
        </div>
      )}
      {nodes !== null && (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Badge tone="warn">
            <ServerOff aria-hidden />
            Node trouble
          </Badge>
          <span>{describeNodes(nodes, times)}</span>
        </p>
      )}
      {isAsking && (
        <StopClosingDialog address={address} agentId={agentId} onClose={() => setAsking(false)} />
      )}
    </section>
  );
}
