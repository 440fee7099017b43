import { CircleSlash2, Gauge } from "lucide-react";
import { useState } from "react";
import type { Agent, NearLimit, TradingCondition } from "../../../contract/agent.ts";
import { Approve } from "../../custody/approve.tsx";
import type { SignedInWallet } from "../../lib/session.ts";
import { useTimes, type Times } from "../../lib/time-zone.ts";
import type { LivePrices, Node } from "../../queries/deployment.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ConditionBadge } from "../../ui/condition-badge.tsx";
import { NodeTrouble } from "./node-trouble.tsx";
import { findMarket } from "../../../venues/profiles.ts";
import { HealthParts } from "./health-card.tsx";
import { priceParts } from "./health-words.ts";

/** List of limits the agent is close to, with what is left. */
function NearLimits({ limits }: { readonly limits: readonly NearLimit[] }) {
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

/** Limits that pause the agent when reached, until the owner resumes it. */
const RESUMED: ReadonlySet<NearLimit["limit"]> = new Set(["fall", "losses_in_a_row"]);

interface PriceTroubleProps {
  readonly prices: LivePrices;
  /** Agent whose market is told of; absent: every market. */
  readonly agent?: Pick<Agent, "network" | "venue" | "marketId"> | null | undefined;
}

/** Returns an agent's asset; undefined without an agent on a known market. */
const assetOf = (agent: PriceTroubleProps["agent"]): string | undefined =>
  agent ? findMarket(agent.venue, agent.marketId)?.asset : undefined;

/** Line that tells since when there are no prices, and what is wrong with which source. */
function PriceTrouble({ prices, agent }: PriceTroubleProps) {
  const parts = priceParts(prices, assetOf(agent), useTimes(), agent?.network);
  if (parts.length === 0) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone="warn">
        <CircleSlash2 aria-hidden />
        {parts.some(({ tone }) => tone === "fault") ? "No prices" : "Price source trouble"}
      </Badge>
      <HealthParts parts={parts} />
    </div>
  );
}

interface ConditionBarProps {
  readonly address: SignedInWallet | "";
  /** Absent where the chat has no agent; only nodes are then told of. */
  readonly agent?: Agent | null;
  readonly condition: TradingCondition | undefined;
  /** Limits that the agent is close to. */
  readonly nearLimits: readonly NearLimit[] | undefined;
  /** Nodes of the network when one has a fault, otherwise null. */
  readonly nodes: readonly Node[] | null;
  /** Live prices of the network when one is missing or a source has a fault. */
  readonly prices?: LivePrices | null;
  readonly onDetails: () => void;
}

/** Line below the header with the agent's restriction, its reason and what ends it. */
export default function ConditionBar({
  address,
  agent,
  condition,
  nearLimits,
  nodes,
  prices,
  onDetails,
}: ConditionBarProps) {
  const times = useTimes();
  const [isRevoking, setRevoking] = useState(false);
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
          <span className="ml-auto flex gap-2">
            {condition.mayBeStolen && (
              <Button size="small" tone="caution" onClick={() => setRevoking(true)}>
                Revoke the trading key
              </Button>
            )}
            <Button size="small" onClick={onDetails}>
              Details
            </Button>
          </span>
        </div>
      )}
      {isRevoking && agent && address !== "" && (
        <Approve
          agent={agent}
          intent="revoke"
          told={{ title: "Trading key revoked" }}
          onClose={() => setRevoking(false)}
          onDone={() => setRevoking(false)}
        />
      )}
      {told && <NearLimits limits={told} />}
      {prices && <PriceTrouble prices={prices} agent={agent} />}
      {nodes !== null && <NodeTrouble nodes={nodes} />}
    </div>
  );
}

/** Text of a limit: what is left of it, and what resets it. */
interface LimitWords {
  readonly what: string;
  readonly ends: string;
}

/** Returns the text for a limit that the agent is close to. */
export function describeLimit(near: NearLimit, times: Times): LimitWords {
  const { limit, used, most, isReached, easesAt } = near;
  switch (limit) {
    case "orders_a_minute":
      return orderWords(near, "a minute", times);
    case "orders_an_hour":
      return orderWords(near, "an hour", times);
    case "failures":
      return {
        what: `${used} of ${most} orders in a row failed. ${isReached ? "It only closes now." : `After ${most} it only closes.`}`,
        ends: "An order that fills ends the count, and so does turning Auto-Trade off and on.",
      };
    case "fall":
      return {
        what: `The account is ${used}% below its peak. ${isReached ? "It only closes now." : `At ${most}% it only closes.`}`,
        ends: "Resuming it measures the peak anew.",
      };
    case "losses_in_a_row":
      return {
        what: `${used} of ${most} trades in a row lost. ${isReached ? "It only closes now." : `After ${most} it only closes.`}`,
        ends: isReached
          ? "Resuming it starts the count anew."
          : "A trade that wins ends the count.",
      };
    case "trades_a_day":
      return {
        what: isReached
          ? `No new entry: all ${most} trades today are used.`
          : `${BigInt(most) - BigInt(used)} of ${most} trades today left.`,
        ends: easesAt ? `The count starts again at ${times.time(easesAt)} ${times.zone}.` : "",
      };
    case "daily_loss":
      return {
        what: `${used}% of the account is lost today. ${isReached ? "It only closes now." : `At ${most}% it only closes.`}`,
        ends: easesAt ? `The count starts again at ${times.time(easesAt)} ${times.zone}.` : "",
      };
  }
}

function orderWords(near: NearLimit, span: string, times: Times): LimitWords {
  const { used, most, isReached, easesAt } = near;
  const left = BigInt(most) - BigInt(used);
  return {
    what: isReached
      ? `No new entry: all ${most} orders ${span} are used.`
      : `${left} of ${most} orders ${span} left.`,
    ends: easesAt ? `One more is free at ${times.clock(easesAt)}.` : "",
  };
}
