import { Suspense } from "react";
import { useStore } from "zustand";
import { ChartPanel } from "../features/chart/chart-panel.tsx";
import { random } from "../lib/random.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { shownPreview } from "./handed-over.ts";
import { draftOf, simulatedDraft } from "./simulated-draft.ts";
import { changeTabState, useTabState } from "./tab-state.ts";
import type { TabProps } from "./tab-props.ts";
import { useOwner } from "../lib/session.ts";

const TAB_ID = "charts";

const AgentsNextDecision = lazyPart(() => import("./next-decision.tsx"));

export default function ChartsTab({ chatId, agent, network, onShowOnChart }: TabProps) {
  const address = useOwner();
  const state = useTabState(TAB_ID);
  const shown = useStore(shownPreview);
  const draft = draftOf(useStore(simulatedDraft), { address, chatId });
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <div className="min-h-0 grow">
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
      </div>
      {agent && (
        <div className="max-h-1/2 shrink-0 overflow-y-auto border-t p-2 empty:hidden">
          <Suspense>
            <AgentsNextDecision agent={agent} onShowOnChart={onShowOnChart} />
          </Suspense>
        </div>
      )}
    </div>
  );
}
