import { useStore } from "zustand";
import { SimulationPanel } from "../features/results/simulation/simulation-panel.tsx";
import { canSimulate, draftOf, simulatedDraft } from "./simulated-draft.ts";
import type { TabProps } from "./tab-props.ts";
import { useOwner } from "../lib/session.ts";

export default function SimulationTab({ chatId, agent, network, onShowOnChart }: TabProps) {
  const address = useOwner();
  const draft = draftOf(useStore(simulatedDraft), { address, chatId });
  return (
    <SimulationPanel
      chatId={chatId}
      agent={agent}
      draft={draft !== null && canSimulate(draft) ? draft : null}
      network={network}
      onShowOnChart={onShowOnChart}
    />
  );
}
