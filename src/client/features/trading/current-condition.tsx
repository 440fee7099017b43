import { useQuery } from "@tanstack/react-query";
import type { TradingCondition } from "../../../contract/agent.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import { deploymentQuery, troubledNodes, type Node } from "../../queries/deployment.ts";
import { useState } from "react";
import { PLAN_ACT_WORDS } from "../../../domain/plan/plan.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { Button } from "../../ui/button.tsx";
import { ConditionBadge } from "../../ui/condition-badge.tsx";
import { NodeTrouble } from "./node-trouble.tsx";
import { resumeAgent } from "../../../contract/owner-limits.ts";
import { endExits } from "../../../contract/agents.ts";
import { useAgentChange } from "../../queries/read.ts";
import { AlertDialog } from "../../ui/alert-dialog.tsx";

interface CurrentConditionProps {
  readonly agentId: AgentId;
  readonly network: Network;
  readonly condition: TradingCondition | undefined;
}

/** Current restriction of an agent and faults of its network's nodes; empty without any. */
export function CurrentCondition({ network, ...agent }: CurrentConditionProps) {
  const nodes = troubledNodes(useQuery(deploymentQuery).data, network);
  if (agent.condition === undefined && nodes === null) return null;
  return <ConditionPanel {...agent} nodes={nodes} />;
}

interface ConditionPanelProps {
  readonly agentId: AgentId;
  readonly condition: TradingCondition | undefined;
  /** Nodes of the network when one has a fault, otherwise null. */
  readonly nodes: readonly Node[] | null;
}

/** Panel of an agent's restriction: reason, start, what ends it, and all positions being closed. */
export function ConditionPanel({ agentId, condition, nodes }: ConditionPanelProps) {
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
          {condition.canResume && <ResumeButton agentId={agentId} />}
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
      {nodes !== null && <NodeTrouble nodes={nodes} />}
      {isAsking && <StopClosingDialog agentId={agentId} onClose={() => setAsking(false)} />}
    </section>
  );
}

type ExitInWork = TradingCondition["exits"][number];

const ASKED_BY = {
  owner: "You asked for it",
  alert: "An alert asked for it",
  reversal: "A signal for the other side asked for it",
  plan: "The plan asked for it",
} as const;

const tries = (attempts: number): string =>
  attempts === 0
    ? "Not tried yet"
    : `Tried ${attempts === 1 ? "once" : attempts === 2 ? "twice" : `${attempts} times`}`;

/** Progress of an exit: the part that is closed, reason for waiting, next attempt and allowed price deviation. */
function ExitProgress({
  exit,
  isHalted,
}: {
  readonly exit: ExitInWork;
  /** True while no attempts are made, even if one is scheduled. */
  readonly isHalted: boolean;
}) {
  const times = useTimes();
  return (
    <li className="flex flex-col gap-0.5">
      <p className="font-medium">
        {exit.portion === undefined ? "Closing" : `Closing ${exit.portion}% of`} the {exit.side}{" "}
        position in {exit.market}
      </p>
      {exit.lastReason !== undefined && <p>{exit.lastReason}</p>}
      <p className="text-muted">
        {ASKED_BY[exit.askedBy]}
        {exit.planEnd !== undefined && ` (${PLAN_ACT_WORDS[exit.planEnd].toLowerCase()})`} at{" "}
        {times.clock(exit.askedAt)}. {tries(exit.attempts)}
        {isHalted
          ? ". It is tried again once trading is allowed."
          : `, next try at ${times.clock(exit.nextAttemptAt)}.`}{" "}
        The price may be up to {exit.limitPercent}% worse than the market&apos;s.
      </p>
    </li>
  );
}

/** Button that resumes an agent paused by an owner's limit; the wallet confirms. */
function ResumeButton({ agentId }: { readonly agentId: AgentId }) {
  const resume = useAgentChange(resumeAgent, { toast: { title: "Resumed" } });
  return (
    <Button
      size="small"
      className="self-start"
      busy={resume.isPending}
      onClick={() => resume.mutate({ params: { agentId } })}
    >
      Resume
    </Button>
  );
}

interface StopClosingDialogProps {
  readonly agentId: AgentId;
  readonly onClose: () => void;
}

/** Confirmation before the owner ends the attempts to close open positions. */
function StopClosingDialog({ agentId, onClose }: StopClosingDialogProps) {
  const end = useAgentChange(endExits, { toast: { title: "Closing Stopped" } });
  return (
    <AlertDialog
      onClose={onClose}
      title="Stop Closing?"
      actionLabel="Stop closing"
      cancelLabel="Go on closing"
      busy={end.isPending}
      onAction={() => end.mutate({ params: { agentId } }, { onSettled: onClose })}
    >
      What is still open stays open and is not closed by itself any more. An order that was sent
      already may still fill.
    </AlertDialog>
  );
}
