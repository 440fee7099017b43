import { useStore } from "zustand";
import { ChartPanel } from "../features/chart/chart-panel.tsx";
import { random } from "../lib/random.ts";
import { shownPreview } from "./handed-over.ts";
import { draftOf, simulatedDraft } from "./simulated-draft.ts";
import { changeTabState, useTabState } from "./tab-state.ts";
import type { TabProps } from "./tab-props.ts";
import { useOwner } from "../lib/session.ts";

const TAB_ID = "charts";

export default function ChartsTab({ chatId, agent, network }: TabProps) {
  const address = useOwner();
  const state = useTabState(TAB_ID);
  const shown = useStore(shownPreview);
  const draft = draftOf(useStore(simulatedDraft), { address, chatId });
  return (
    <ChartPanel
      chatId={chatId}
      agent={agent}
      network={network}
      preview={shown?.chatId === chatId ? shown.preview : null}
      onLeavePreview={() => shownPreview.setState(null, true)}
      isDraft={draft !== null}
      settings={state}
      onSettings={(change) => changeTabState(TAB_ID, change)}
      random={random}
    />
  );
}
