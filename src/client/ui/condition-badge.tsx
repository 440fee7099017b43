import { ChevronsDown, LogOut, OctagonPause, Unplug } from "lucide-react";
import type { TradingCondition } from "../../contract/agent.ts";
import { Badge } from "./badge.tsx";

const LOOKS = {
  halted: { tone: "down", label: "Halted", Icon: OctagonPause },
  exiting: { tone: "warn", label: "Closing", Icon: LogOut },
  reducing: { tone: "warn", label: "Reducing", Icon: ChevronsDown },
  stolen: { tone: "down", label: "Key may be stolen", Icon: OctagonPause },
  no_candles: { tone: "warn", label: "No candles", Icon: Unplug },
} as const;

/** Badge for an agent's restriction; the title attribute holds the reason, the agent's dialog all details. */
export function ConditionBadge({
  condition,
}: {
  readonly condition: Pick<TradingCondition, "state" | "reason" | "mayBeStolen">;
}) {
  const { tone, label, Icon } = LOOKS[condition.mayBeStolen ? "stolen" : condition.state];
  return (
    <Badge tone={tone} title={condition.reason}>
      <Icon aria-hidden />
      {label}
    </Badge>
  );
}
