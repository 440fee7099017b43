import type { Portfolio } from "../../../../contract/portfolio.ts";
import { Badge } from "../../../ui/badge.tsx";

export type PortfolioAgent = Portfolio["networks"][number]["agents"][number];

const STATES = {
  off: { tone: "neutral", label: "Off" },
  on: { tone: "up", label: "On" },
  stopping: { tone: "warn", label: "Stopping" },
  reducing: { tone: "warn", label: "Reducing" },
  closing: { tone: "warn", label: "Closing" },
  halted: { tone: "down", label: "Halted" },
} as const;

/** Badge with an agent's state. */
export function AgentState({ state }: Pick<PortfolioAgent, "state">) {
  const { tone, label } = STATES[state];
  return <Badge tone={tone}>{label}</Badge>;
}
