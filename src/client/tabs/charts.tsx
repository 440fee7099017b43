import { Suspense, useMemo } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { timeframeOfInterval } from "../features/chart/agent-lines.ts";
import { ChartPanel } from "../features/chart/chart-panel.tsx";
import { storedText } from "../lib/stored.ts";
import { random } from "../lib/random.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { shownPreview } from "./handed-over.ts";
import { draftOf, simulatedDraft } from "./simulated-draft.ts";
import { changeTabState, useTabState } from "./tab-state.ts";
import type { TabProps } from "./tab-props.ts";
import { useOwner } from "../lib/session.ts";

const TAB_ID = "charts";

const AgentsNextDecision = lazyPart(() => import("./next-decision.tsx"));

/** Stands for whatever agent is shown first: the address names a timeframe. */
const LINKED = "linked";

const stored = storedText("chart-timeframe-of");

/** Agent whose chart's timeframe the user chose; another agent's chart opens at that agent's interval. */
const chosen = createStore<string>(() =>
  new URLSearchParams(location.search).has("timeframe") ? LINKED : (stored.read() ?? ""),
);

function choose(agentId: string): void {
  chosen.setState(agentId, true);
  stored.write(agentId);
}

export default function ChartsTab({ chatId, agent, network, onShowOnChart }: TabProps) {
  const address = useOwner();
  const state = useTabState(TAB_ID);
  const chosenFor = useStore(chosen);
  const agentId = agent?.id ?? "";
  const settings = useMemo(
    () =>
      agent === null || chosenFor === LINKED || chosenFor === agent.id
        ? state
        : { ...state, timeframe: timeframeOfInterval(agent.interval) },
    [agent, chosenFor, state],
  );
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
          settings={settings}
          onSettings={(change) => {
            if (change.timeframe !== undefined) choose(agentId);
            changeTabState(TAB_ID, { ...settings, ...change });
          }}
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
