import type { Agent } from "../../../contract/agent.ts";
import { Switch } from "../../ui/switch.tsx";

interface AutoTradeSwitchProps {
  readonly agent: Agent | null;
  /** Opens the confirmation; the switch itself never changes anything. */
  readonly onToggle: () => void;
}

function stateLabel(agent: Agent | null): string {
  if (agent === null || agent.number === undefined || agent.number < 0) return "Create agent first";
  if (agent.stopping) return "Stopping";
  return agent.tradingStatus === "on" ? "Active" : "Inactive";
}

export function AutoTradeSwitch({ agent, onToggle }: AutoTradeSwitchProps) {
  const hasAccount = agent?.number !== undefined && agent.number >= 0;
  return (
    <Switch
      tone="up"
      label={
        <>
          <span className="text-ink max-sm:sr-only">Auto-Trade · </span>
          {stateLabel(agent)}
        </>
      }
      checked={agent?.tradingStatus === "on"}
      disabled={!hasAccount || (agent?.stopping ?? false)}
      onCheckedChange={onToggle}
    />
  );
}
