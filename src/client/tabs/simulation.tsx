import { useStore } from "zustand";
import { SimulationPanel } from "../features/results/simulation/simulation-panel.tsx";
import { canSimulate, draftOf, simulatedDraft } from "./simulated-draft.ts";
import type { TabProps } from "./tab-props.ts";

export default function SimulationTab({
  address,
  chatId,
  agent,
  network,
  onOpenAgent,
  onShowOnChart,
}: TabProps) {
  const draft = draftOf(useStore(simulatedDraft), { address, chatId });
  return (
    <SimulationPanel
      address={address}
      chatId={chatId}
      agent={agent}
      draft={draft !== null && canSimulate(draft) ? draft : null}
      network={network}
      onOpenAgent={onOpenAgent}
      onShowOnChart={onShowOnChart}
    />
  );
}
