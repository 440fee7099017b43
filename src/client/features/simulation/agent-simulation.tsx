import { useQuery } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useMemo, useState } from "react";
import { clock } from "../../lib/clock.ts";
import { newId } from "../../lib/new-id.ts";
import { alertsQuery } from "../../queries/alerts.ts";
import { useDailyLimits } from "../../queries/daily-limits.ts";
import { pastAlertsQuery } from "../../queries/past-alerts.ts";
import { rulesQuery } from "../../queries/rules.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { receivedFirings } from "../../workers/received-firings.ts";
import { simulatedAgent } from "../../workers/simulated-agent.ts";
import type { Assumptions } from "./assumption-form.ts";
import { importedFirings } from "./firing-records.ts";
import { FileNote } from "./file-note.tsx";
import { ImportDialog, type MappedFile } from "./import-dialog.tsx";
import { ReplayCard } from "./replay-card.tsx";
import type { AgentDraft, SimulationPanelProps } from "./panel-props.ts";
import { type FiringsFrom, SimulationHeader } from "./simulation-header.tsx";
import { SimulationView } from "./simulation-result.tsx";
import { useRun } from "./use-run.ts";

/** Simulation of one agent, saved or draft, with firings from one of three sources. */
export function AgentSimulation({
  address,
  chatId,
  agent,
  draft,
  network,
  onOpenAgent,
  onShowOnChart,
}: SimulationPanelProps) {
  const agentId = agent?.id ?? "";
  const alerts = useQuery(alertsQuery(address, agentId));
  const rules = useQuery(rulesQuery(address, agentId));
  /** Draft for which the user chose the saved agent instead; a newer draft is shown again. */
  const [savedFor, setSavedFor] = useState<AgentDraft | null>(null);
  const shown = draft !== null && (agent === null || savedFor !== draft) ? draft : null;
  const [source, setSource] = useState<FiringsFrom>("conditions");
  const [days, setDays] = useState("365");
  const [assumed, setAssumed] = useState<Assumptions | null>(null);
  const [nowMs, setNowMs] = useState(() => clock.now());
  const [imported, setImported] = useState<(MappedFile & { readonly id: string }) | null>(null);
  const [isImporting, setImporting] = useState(false);
  const past = useQuery({
    ...pastAlertsQuery(address, agentId),
    enabled: source === "received" && agentId !== "",
  });
  const saved = useMemo(
    () =>
      agent === null || alerts.data === undefined || rules.data === undefined
        ? null
        : simulatedAgent(agent, alerts.data, rules.data),
    [agent, alerts.data, rules.data],
  );
  const simulated = shown?.agent ?? saved;
  const record = useMemo(() => {
    if (source === "received" && past.data !== undefined) {
      return { id: `received ${past.data.length}`, firings: receivedFirings(past.data) };
    }
    if (source !== "file" || imported === null) return null;
    return { id: imported.id, firings: importedFirings(imported.file, imported.mapping) };
  }, [source, past.data, imported]);
  const daily = useDailyLimits(address, agent, simulated?.market);
  const hasConditions = simulated?.alerts.some(({ condition }) => condition !== undefined) === true;
  const hasFirings = source === "conditions" ? hasConditions : (record?.firings.length ?? 0) > 0;
  const isReady = hasFirings && !daily.isReading;
  const run = useRun({
    network: shown?.network ?? network,
    agent: simulated,
    days: Number(days),
    nowMs,
    assumed,
    record,
    daily,
    isReady,
  });
  const failed = [
    ...(shown === null ? [alerts, rules] : []),
    ...(source === "received" ? [past] : []),
  ].filter(({ isError }) => isError);
  if (failed.length > 0) {
    return (
      <EmptyState
        title="The agent could not be loaded"
        action={
          <Button onClick={() => void Promise.all(failed.map((each) => each.refetch()))}>
            Retry
          </Button>
        }
      />
    );
  }
  const configure = (
    <Button tone="primary" onClick={onOpenAgent}>
      {shown === null ? "Configure agent" : "Back to editing"}
    </Button>
  );
  const chooseFile = (
    <Button tone="primary" onClick={() => setImporting(true)}>
      <FileUp aria-hidden /> Choose a file
    </Button>
  );
  const body = () => {
    if (simulated === null || (source === "received" && past.data === undefined)) {
      return <Waiting label="Loading the agent..." />;
    }
    if (source === "conditions" && !hasConditions) {
      return (
        <EmptyState title="None of its alerts has a condition" action={configure}>
          Give one a built-in condition to see what it would have done, or choose above what else
          fires its alerts: those it received, or a file of TradingView&apos;s.
        </EmptyState>
      );
    }
    if (source === "received" && !hasFirings) {
      return (
        <EmptyState title="It received no alert yet">
          Alerts that counted are replayed here, as they came.
        </EmptyState>
      );
    }
    if (source === "file" && !hasFirings) {
      return (
        <EmptyState title="No file chosen" action={chooseFile}>
          The alert log or the strategy tester&apos;s list of trades, exported from TradingView as
          CSV.
        </EmptyState>
      );
    }
    if (run.isError) {
      return (
        <EmptyState
          title="The simulation could not be run"
          action={<Button onClick={() => void run.refetch()}>Retry</Button>}
        >
          {run.error.message}
        </EmptyState>
      );
    }
    if (run.data === undefined) return <Waiting label="Loading the history and trading it..." />;
    const { result } = run.data.report;
    if (result.times.length === 0) {
      return (
        <EmptyState title="Too little history">
          The source has no bars beyond the {result.warmUpBars} that warm the indicators up. Choose
          a longer history.
        </EmptyState>
      );
    }
    return (
      <>
        {source === "file" && imported !== null && <FileNote mapped={imported} done={run.data} />}
        <SimulationView done={run.data} onApply={setAssumed} onShowOnChart={onShowOnChart}>
          {source !== "file" && shown === null && (
            <ReplayCard address={address} chatId={chatId} done={run.data} />
          )}
        </SimulationView>
      </>
    );
  };
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <SimulationHeader
        agent={agent}
        draft={draft}
        isDraftShown={shown !== null}
        onShowDraft={(isShown) => setSavedFor(isShown ? null : draft)}
        onEdit={onOpenAgent}
        source={source}
        onSource={setSource}
        days={days}
        onDays={setDays}
      >
        {source === "file" && imported !== null && (
          <Button onClick={() => setImporting(true)}>Other file</Button>
        )}
        <Button
          busy={run.isFetching}
          disabled={!isReady}
          onClick={() => {
            setNowMs(clock.now());
            if (source === "received") void past.refetch();
          }}
        >
          Run again
        </Button>
      </SimulationHeader>
      <div className="min-h-0 grow overflow-y-auto p-4" aria-busy={run.isFetching}>
        {body()}
      </div>
      {isImporting && simulated !== null && (
        <ImportDialog
          agent={simulated}
          onClose={() => setImporting(false)}
          onDone={(mapped) => {
            setImported({ ...mapped, id: newId() });
            setImporting(false);
          }}
        />
      )}
    </div>
  );
}

function Waiting({ label }: { readonly label: string }) {
  return (
    <div className="flex h-full items-center justify-center text-sm text-muted">
      <Spinner label={label} />
    </div>
  );
}
