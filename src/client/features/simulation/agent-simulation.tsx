import { useState } from "react";
import { clock } from "../../lib/clock.ts";
import { useDailyLimits } from "../../queries/daily-limits.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { Assumptions } from "./assumption-form.ts";
import { FileNote } from "./file-note.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { NoFirings } from "./no-firings.tsx";
import type { SimulationPanelProps } from "./panel-props.ts";
import { ReplayCard } from "./replay-card.tsx";
import { RunState, Waiting } from "./run-state.tsx";
import { SimulationHeader } from "./simulation-header.tsx";
import { SimulationView } from "./simulation-result.tsx";
import { useFirings } from "./use-firings.ts";
import { useRun } from "./use-run.ts";
import { useShownAgent } from "./use-shown-agent.ts";

/** Simulation of one agent, saved or draft, with firings from one of three sources. */
export function AgentSimulation(props: SimulationPanelProps) {
  const { address, chatId, agent, draft, network, onOpenAgent, onShowOnChart } = props;
  const { simulated, shownDraft, showDraft, reads } = useShownAgent(props);
  const firings = useFirings({ address, agentId: agent?.id ?? "", simulated });
  const [days, setDays] = useState("365");
  const [assumed, setAssumed] = useState<Assumptions | null>(null);
  const [nowMs, setNowMs] = useState(() => clock.now());
  const [isImporting, setImporting] = useState(false);
  const daily = useDailyLimits(address, agent, simulated?.market);
  const isReady = firings.hasAny && !daily.isReading;
  const run = useRun({
    network: shownDraft?.network ?? network,
    agent: simulated,
    days: Number(days),
    nowMs,
    assumed,
    record: firings.record,
    // Alerts it received are what happened, not a choice
    triedBy: firings.source === "received" ? "" : address,
    daily,
    isReady,
  });
  const failed = [...reads, ...firings.reads].filter(({ isError }) => isError);
  if (failed.length > 0) {
    return <LoadFailed onRetry={() => failed.forEach((each) => void each.refetch())} />;
  }
  const isDraft = shownDraft !== null;
  const { source, file } = firings;
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <SimulationHeader
        agent={agent}
        draft={draft}
        isDraftShown={isDraft}
        onShowDraft={showDraft}
        onEdit={onOpenAgent}
        source={source}
        onSource={firings.setSource}
        days={days}
        onDays={setDays}
      >
        {file !== null && <Button onClick={() => setImporting(true)}>Other file</Button>}
        <Button
          busy={run.isFetching}
          disabled={!isReady}
          onClick={() => {
            setNowMs(clock.now());
            firings.reads.forEach((read) => void read.refetch());
          }}
        >
          Run again
        </Button>
      </SimulationHeader>
      <div className="min-h-0 grow overflow-y-auto p-4" aria-busy={run.isFetching}>
        {simulated === null || firings.isReading ? (
          <Waiting label="Loading the agent..." />
        ) : !firings.hasAny ? (
          <NoFirings
            source={source}
            isDraft={isDraft}
            onOpenAgent={onOpenAgent}
            onChooseFile={() => setImporting(true)}
          />
        ) : (
          <RunState run={run}>
            {(done) => (
              <>
                {file !== null && <FileNote mapped={file} done={done} />}
                <SimulationView
                  address={address}
                  done={done}
                  onApply={setAssumed}
                  onShowOnChart={onShowOnChart}
                >
                  {source !== "file" && !isDraft && (
                    <ReplayCard address={address} chatId={chatId} done={done} />
                  )}
                </SimulationView>
              </>
            )}
          </RunState>
        )}
      </div>
      {isImporting && simulated !== null && (
        <ImportDialog
          agent={simulated}
          onClose={() => setImporting(false)}
          onDone={(mapped) => {
            firings.setFile(mapped);
            setImporting(false);
          }}
        />
      )}
    </div>
  );
}

function LoadFailed({ onRetry }: { readonly onRetry: () => void }) {
  return (
    <EmptyState
      title="The agent could not be loaded"
      action={<Button onClick={onRetry}>Retry</Button>}
    />
  );
}
