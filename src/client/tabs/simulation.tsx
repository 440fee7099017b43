import { SimulationPanel } from "../features/simulation/simulation-panel.tsx";
import type { TabProps } from "./tab-props.ts";

export default function SimulationTab({ address, chatId, agent, network, onOpenAgent }: TabProps) {
  return (
    <SimulationPanel
      address={address}
      chatId={chatId}
      agent={agent}
      network={network}
      onOpenAgent={onOpenAgent}
    />
  );
}
