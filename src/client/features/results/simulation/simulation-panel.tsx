import { NothingLoaded } from "../../../ui/not-loaded.tsx";
import { useSavedAgent, useSimulation } from "../performance/use-simulated.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import {
  type FiringsFrom,
  SimulationHeader,
  type AgentDraft,
  type SimulationPanelProps,
} from "./simulation-header.tsx";
import { type ReactNode, useMemo, useState } from "react";
import { clock } from "../../../lib/clock.ts";
import { useDailyLimits } from "../../../queries/daily-limits.ts";
import type { Assumptions } from "./assumption-lines.ts";
import { FileReport, ImportDialog, type MappedFile } from "./import-dialog.tsx";
import { SimulationView } from "./simulation-result.tsx";
import { PlanTrial, useTriedPlan } from "./plan-trial.tsx";
import { barsOf } from "../../../../strategy/bar-times.ts";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import { importedFirings, priceAgreement, spanOf } from "./firing-records.ts";
import { shareText } from "./share-text.ts";
import { FileUp } from "lucide-react";
import { ReplayCard } from "./replay-card.tsx";
import { openAgentDialog } from "../../../lib/dialogs.ts";
import { type SignedInWallet, useOwner } from "../../../lib/session.ts";
import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import { Spinner } from "../../../ui/spinner.tsx";
import type { AgentId } from "../../../../domain/ids.ts";
import type {
  DailyLimits,
  RecordedFiring,
  SimulatedAgent,
} from "../../../../strategy/simulation.ts";
import { newId } from "../../../lib/new-id.ts";
import { pastAlertsQuery } from "../../../queries/past-alerts.ts";
import { receivedFirings } from "../../../workers/received-firings.ts";
import type { Network } from "../../../../domain/network.ts";

interface RunStateProps {
  readonly run: UseQueryResult<AgentReport>;
  /** Renders a run that has something to show. */
  readonly children: (done: AgentReport) => ReactNode;
}

/** Shows a run's result, or why there is none. */
function RunState({ run, children }: RunStateProps) {
  if (run.isError) {
    return (
      <NothingLoaded title="The simulation could not be run" onRetry={run.refetch}>
        {run.error.message}
      </NothingLoaded>
    );
  }
  if (run.data === undefined) return <Waiting label="Loading the history and trading it..." />;
  const { result } = run.data.report;
  if (result.times.length === 0) {
    return (
      <EmptyState title="Too little history">
        The source has no bars beyond the {result.warmUpBars} that warm the indicators up. Choose a
        longer history.
      </EmptyState>
    );
  }
  return children(run.data);
}

function Waiting({ label }: { readonly label: string }) {
  return (
    <div className="flex h-full items-center justify-center text-sm text-muted">
      <Spinner label={label} />
    </div>
  );
}

/** Simulates the chat's agent on history with the production trading code. */
export function SimulationPanel(props: SimulationPanelProps) {
  const address = useOwner();
  const { agent, draft, ...rest } = props;
  if (address === "") {
    return <EmptyState title="Sign in to simulate an agent" />;
  }
  if (agent === null && draft === null) {
    return (
      <EmptyState
        title="No agent to simulate yet"
        action={
          <div className="flex flex-col gap-4">
            {rest.choice}
            <Button tone="primary" onClick={() => openAgentDialog(rest)}>
              Configure agent
            </Button>
          </div>
        }
      >
        Give this chat an agent with alerts, conditions and rules: here you see what they would have
        done.
      </EmptyState>
    );
  }
  return <AgentSimulation key={`${rest.chatId} ${agent?.id}`} {...props} />;
}

/** Simulation of one agent, saved or draft, with firings from one of three sources. */
function AgentSimulation(props: SimulationPanelProps) {
  const address = useOwner();
  const { chatId, agent, draft, network, planFields, onShowOnChart } = props;
  const openAgent = () => openAgentDialog({ chatId });
  const { simulated, shownDraft, showDraft, reads } = useShownAgent(props);
  const firings = useFirings({ address, agentId: agent?.id ?? "", simulated });
  const [days, setDays] = useState("365");
  const [assumed, setAssumed] = useState<Assumptions | null>(null);
  const trial = useTriedPlan(simulated);
  const [nowMs, setNowMs] = useState(() => clock.now());
  const [isImporting, setImporting] = useState(false);
  const daily = useDailyLimits(agent, simulated?.market);
  const isReady = firings.hasAny && !daily.isReading;
  const run = useRun({
    network: shownDraft?.network ?? network,
    agent: trial.agent,
    days: Number(days),
    nowMs,
    assumed,
    record: firings.record,
    triedBy: firings.source === "received" ? "" : address,
    daily,
    isReady,
  });
  // What was read once stays on screen when reading it again fails
  const failed = [...reads, ...firings.reads].filter(({ isLoadingError }) => isLoadingError);
  if (failed.length > 0) {
    return (
      <NothingLoaded
        title="The agent could not be loaded"
        onRetry={() => failed.forEach((each) => void each.refetch())}
      />
    );
  }
  const { source, file } = firings;
  const isReplayed = source !== "file" && shownDraft === null && !trial.isTried;
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <SimulationHeader
        agent={agent}
        draft={draft}
        isDraftShown={shownDraft !== null}
        isPlanTried={trial.isTried}
        onShowDraft={showDraft}
        onEdit={openAgent}
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
            isDraft={shownDraft !== null}
            onOpenAgent={openAgent}
            onChooseFile={() => setImporting(true)}
          />
        ) : (
          <RunState run={run}>
            {(done) => (
              <>
                {file !== null && <FileNote mapped={file} done={done} />}
                <SimulationView done={done} onApply={setAssumed} onShowOnChart={onShowOnChart}>
                  {isReplayed && <ReplayCard chatId={chatId} done={done} />}
                  <PlanTrial done={done} planFields={planFields} {...trial.props} />
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

/** Minimum share of agreeing prices; below it, market or time zone differ from the file's. */
const ENOUGH_AGREEMENT = 0.8;

/** Note on a file's events and on whether its prices match this market. */
function FileNote(props: { readonly mapped: MappedFile; readonly done: AgentReport }) {
  const { mapped, done } = props;
  const agreement = useMemo(() => {
    const { columns, agent } = done.request;
    return priceAgreement(mapped.file.events, barsOf(columns), agent.intervalMinutes);
  }, [mapped, done]);
  return (
    <div className="mb-4 flex flex-col gap-1 text-xs">
      <p className="font-medium wrap-anywhere">{mapped.name}</p>
      <FileReport file={mapped.file} />
      {agreement !== null && agreement < ENOUGH_AGREEMENT && (
        <p className="text-warn">
          Only {shareText(agreement)} of the file&apos;s prices lie within the bars of their time
          here: it is of another market, or of another time zone.
        </p>
      )}
    </div>
  );
}

interface NoFiringsProps {
  readonly source: FiringsFrom;
  readonly isDraft: boolean;
  readonly onOpenAgent: () => void;
  readonly onChooseFile: () => void;
}

/** Says why nothing can be replayed from the chosen source, and what to do. */
function NoFirings({ source, isDraft, onOpenAgent, onChooseFile }: NoFiringsProps) {
  switch (source) {
    case "conditions":
      return (
        <EmptyState
          title="None of its alerts has a condition"
          action={
            <Button tone="primary" onClick={onOpenAgent}>
              {isDraft ? "Back to editing" : "Configure agent"}
            </Button>
          }
        >
          Give one a built-in condition to see what it would have done, or choose above what else
          fires its alerts: those it received, or a file of TradingView&apos;s.
        </EmptyState>
      );
    case "received":
      return (
        <EmptyState title="It received no alert yet">
          Alerts that counted are replayed here, as they came.
        </EmptyState>
      );
    case "file":
      return (
        <EmptyState
          title="No file chosen"
          action={
            <Button tone="primary" onClick={onChooseFile}>
              <FileUp aria-hidden /> Choose a file
            </Button>
          }
        >
          The alert log or the strategy tester&apos;s list of trades, exported from TradingView as
          CSV.
        </EmptyState>
      );
  }
}

/** Returns the agent to simulate: the draft, or the saved agent when the user chose it. */
function useShownAgent({ agent, draft }: Pick<SimulationPanelProps, "agent" | "draft">) {
  const { simulated: saved, reads } = useSavedAgent(agent);
  /** Draft for which the user chose the saved agent instead; a newer draft is shown again. */
  const [savedFor, setSavedFor] = useState<AgentDraft | null>(null);
  const shownDraft = draft !== null && (agent === null || savedFor !== draft) ? draft : null;
  return {
    /** Null while the saved agent loads. */
    simulated: shownDraft?.agent ?? saved,
    /** Null when the saved agent is shown. */
    shownDraft,
    showDraft: (isShown: boolean) => setSavedFor(isShown ? null : draft),
    /** Reads the shown agent needs. */
    reads: shownDraft === null ? reads : [],
  };
}

interface FiringsOf {
  readonly address: SignedInWallet;
  readonly agentId: AgentId | "";
  readonly simulated: SimulatedAgent | null;
}

/** Returns what fires the simulated agent's alerts: its conditions, alerts it received or a file. */
function useFirings({ address, agentId, simulated }: FiringsOf) {
  const [source, setSource] = useState<FiringsFrom>("conditions");
  const [file, setFile] = useState<(MappedFile & { readonly id: string }) | null>(null);
  const past = useQuery({
    ...pastAlertsQuery(address, agentId),
    enabled: source === "received" && agentId !== "",
  });
  const record = useMemo(() => {
    if (source === "received" && past.data !== undefined) {
      return { id: `received ${past.data.length}`, firings: receivedFirings(past.data) };
    }
    if (source !== "file" || file === null) return null;
    return { id: file.id, firings: importedFirings(file.file, file.mapping) };
  }, [source, past.data, file]);
  const hasConditions = simulated?.alerts.some(({ condition }) => condition !== undefined) === true;
  return {
    source,
    setSource,
    /** Imported file; null unless it is what fires. */
    file: source === "file" ? file : null,
    setFile: (mapped: MappedFile) => setFile({ ...mapped, id: newId() }),
    /** Recorded firings; null when conditions fire. */
    record,
    hasAny: source === "conditions" ? hasConditions : (record?.firings.length ?? 0) > 0,
    isReading: source === "received" && past.data === undefined,
    /** Reads the source needs. */
    reads: source === "received" ? [past] : [],
  };
}

/** Requested run; null firings are computed from the agent's conditions. */
interface WantedRun {
  readonly network: Network;
  readonly agent: SimulatedAgent | null;
  readonly days: number;
  readonly nowMs: number;
  readonly assumed: Assumptions | null;
  /** Recorded firings; the id avoids comparing events one by one. */
  readonly record: { readonly id: string; readonly firings: readonly RecordedFiring[] } | null;
  /** Wallet for which the variant counts as tried; empty for received alerts, which happened and are no choice. */
  readonly triedBy: SignedInWallet;
  /** Daily limits of the trading key, and their part of the query key. */
  readonly daily: { readonly limits: DailyLimits | null; readonly key: string | null };
  readonly isReady: boolean;
}

const keyOf = (assumed: Assumptions | null) =>
  assumed === null ? null : { ...assumed, startMoney: `${assumed.startMoney}` };

/** Runs a simulation when its inputs change; an outdated run is cancelled. */
function useRun(wanted: WantedRun) {
  const { network, agent, days, nowMs, assumed, record, triedBy, daily, isReady } = wanted;
  return useSimulation(
    ["simulation", network, agent, daily.key, days, nowMs, keyOf(assumed), record?.id],
    !isReady || agent === null
      ? null
      : () => {
          const span = record === null ? { days, nowMs } : spanOf(record.firings, nowMs);
          const firings = record === null ? undefined : ({ kind: "recorded", ...record } as const);
          const limited = { ...agent, dailyLimits: daily.limits };
          return { network, agent: limited, ...span, ...assumed, firings, triedBy };
        },
    // The previous result stays while only assumptions change; with other firings it would be misattributed
    { keepsPrevious: true },
  );
}
