import type { Agent } from "../../queries/agent.ts";
import { Switch } from "../../ui/switch.tsx";

interface AutoTradeSwitchProps {
  readonly agent: Agent | null;
  /** Opens the confirmation, which makes the change. */
  readonly onToggle: () => void;
}

function stateLabel(agent: Agent | null): string {
  if (!agent?.isFunded) return "Create agent first";
  return { on: "Active", stopping: "Stopping", off: "Inactive" }[agent.autoTrade];
}

export function AutoTradeSwitch({ agent, onToggle }: AutoTradeSwitchProps) {
  const autoTrade = agent?.autoTrade ?? "off";
  return (
    <Switch
      tone="up"
      label={
        <>
          <span className="text-ink max-sm:sr-only">Auto-Trade · </span>
          {stateLabel(agent)}
        </>
      }
      checked={autoTrade !== "off"}
      disabled={!agent?.isFunded || autoTrade === "stopping"}
      onCheckedChange={onToggle}
    />
  );
}
