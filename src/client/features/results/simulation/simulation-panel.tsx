import { TableHead } from "../../../ui/table-head.tsx";
import { NothingLoaded } from "../../../ui/not-loaded.tsx";
import { listRules } from "../../../../contract/rules.ts";
import { listAlerts } from "../../../../contract/alerts.ts";
import { useRead } from "../../../queries/read.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import type { SimulationPanelProps, AgentDraft } from "./panel-props.ts";
import { useState, useMemo, type ReactNode } from "react";
import { clock } from "../../../lib/clock.ts";
import { useDailyLimits } from "../../../queries/daily-limits.ts";
import type { Assumptions } from "./assumption-form.ts";
import { ImportDialog, FileReport, type MappedFile } from "./import-dialog.tsx";
import { SimulationHeader, type FiringsFrom } from "./simulation-header.tsx";
import { SimulationView } from "./simulation-result.tsx";
import { PlanTrial, useTriedPlan } from "./plan-trial.tsx";
import { useFirings } from "./use-firings.ts";
import { useRun } from "./use-run.ts";
import { barsOf } from "../../../../strategy/bar-columns.ts";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import { priceAgreement } from "./firing-records.ts";
import { shareText } from "./share-text.ts";
import { FileUp } from "lucide-react";
import type { ChatId } from "../../../../domain/ids.ts";
import { reasonWhat } from "../../../../domain/reasons.ts";
import {
  type ReplayDifference,
  type RealTrade,
  type ReplayRow,
  replay,
} from "../../../../strategy/replay.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { useTimes } from "../../../lib/time-zone.ts";
import type { TradeLogEntry } from "../../../../contract/trade-log.ts";
import { useTradeLog } from "../../../queries/trade-log.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { openAgentDialog } from "../../../lib/dialogs.ts";
import { useOwner } from "../../../lib/session.ts";
import { type UseQueryResult } from "@tanstack/react-query";
import { simulatedAgent } from "../../../../assistant/simulated-agent.ts";
import { Spinner } from "../../../ui/spinner.tsx";

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
    return <EmptyState title="Please connect your wallet to simulate an agent" />;
  }
  if (agent === null && draft === null) {
    return (
      <EmptyState
        title="No agent to simulate yet"
        action={
          <Button tone="primary" onClick={() => openAgentDialog(rest)}>
            Configure agent
          </Button>
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
  const { chatId, agent, draft, network, onShowOnChart } = props;
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
    // Alerts it received are what happened, not a choice
    triedBy: firings.source === "received" ? "" : address,
    daily,
    isReady,
  });
  const failed = [...reads, ...firings.reads].filter(({ isError }) => isError);
  if (failed.length > 0) {
    return (
      <NothingLoaded
        title="The agent could not be loaded"
        onRetry={() => failed.forEach((each) => void each.refetch())}
      />
    );
  }
  const isDraft = shownDraft !== null;
  const { source, file } = firings;
  const isReplayed = source !== "file" && !isDraft && !trial.isTried;
  return (
    <div className="flex h-full min-h-0 flex-col bg-surface">
      <SimulationHeader
        agent={agent}
        draft={draft}
        isDraftShown={isDraft}
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
            isDraft={isDraft}
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
                  <PlanTrial done={done} {...trial.props} />
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

const MINUTE_MS = 60_000;

/** Time within which an order follows the close of the bar that caused it. */
const ORDER_DELAY_MS = MINUTE_MS;

/** Number of rows shown, newest first, because recent differences can still be corrected. */
const SHOWN_ROWS = 50;

const WORDS: Readonly<Record<ReplayDifference, string>> = {
  together: "Both traded",
  late: "Traded late",
  refused: "Refused live",
  missing: "Nothing came live",
  only_live: "Traded live only",
  not_yet: "Bar not closed yet",
  refused_here: "Refused here",
};

const realOf = (entry: TradeLogEntry): RealTrade => ({
  signal: entry.byOwner === true ? "" : entry.signal,
  atMs: Date.parse(entry.at),
  hasTraded: entry.status === "success",
  price: entry.price === undefined ? null : Number(entry.price),
  reason: entry.reason ?? null,
});

interface ReplayCardProps {
  readonly chatId: ChatId | "";
  readonly done: AgentReport;
}

/** Comparison of the run with the agent's actual trades, with their differences. */
function ReplayCard({ chatId, done }: ReplayCardProps) {
  const address = useOwner();
  const fromMs = done.request.columns.openTimeMs[0] ?? 0;
  const { log, isLoadingOlder, retryOlder } = useTradeLog(
    { address, chatId, filter: "all" },
    (loaded) => Date.parse(loaded.entries.at(-1)?.at ?? "") >= fromMs,
  );
  const real = (log.data?.entries ?? []).map(realOf).filter(({ signal }) => signal !== "");
  const first = real.reduce((least, { atMs }) => Math.min(least, atMs), Number.POSITIVE_INFINITY);
  if (log.data === undefined || isLoadingOlder || !Number.isFinite(first)) {
    return (
      <Card className="text-xs text-muted">
        {log.data !== undefined && !isLoadingOlder
          ? "Once the agent has traded, its real trades stand here beside the simulated ones."
          : log.isError || retryOlder !== null
            ? "The trade log could not be loaded, so the run is not compared with what was really traded."
            : "Reading what was really traded..."}
      </Card>
    );
  }
  const intervalMs = done.request.agent.intervalMinutes * MINUTE_MS;
  const { orders } = done.report.result;
  const lastOpenMs = done.request.columns.openTimeMs.at(-1) ?? first;
  // What an alert from outside did after the last open has no open to be simulated at
  const delayMs = done.request.firings.kind === "conditions" ? ORDER_DELAY_MS : 0;
  const rows = replay(orders, real, {
    fromMs: Math.max(first - intervalMs, fromMs),
    toMs: lastOpenMs + delayMs,
    intervalMs,
  });
  const compared = rows.filter(({ parting }) => parting !== "not_yet");
  const apart = compared.filter(({ parting }) => parting !== "together").length;
  return (
    <Card aria-labelledby="simulation-replay" className="flex flex-col gap-2">
      <h3 id="simulation-replay" className="text-sm font-medium">
        Beside what was really traded
      </h3>
      <p className="text-xs text-muted">
        {rows.length === 0
          ? "Neither the run nor the agent traded since its first order."
          : `${apart} of ${compared.length} ${compared.length === 1 ? "order" : "orders"} since its first differ.`}
      </p>
      {rows.length > 0 && <ReplayTable rows={rows.toReversed().slice(0, SHOWN_ROWS)} />}
    </Card>
  );
}

const priceText = (price: number | null) => (price === null ? "–" : price.toPrecision(6));

function ReplayTable({ rows }: { readonly rows: readonly ReplayRow[] }) {
  const times = useTimes();
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Orders compared">
      <table className="w-full text-xs whitespace-nowrap tabular-nums">
        <TableHead
          cell="py-1 pr-4"
          columns={[
            "Signal at",
            "Signal",
            "Outcome",
            { right: "Simulated" },
            { right: "Real" },
            { right: "Worse by" },
            { right: "After" },
            "Why",
          ]}
        />
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.atMs} ${row.signal} ${row.parting}`} className="border-t border-line">
              <td className="py-1 pr-4">
                {times.date(row.atMs)} {times.time(row.atMs)}
              </td>
              <td className="py-1 pr-4">{signalText(row.signal)}</td>
              <td className="py-1 pr-4">
                <Badge tone={row.parting === "together" ? "neutral" : "warn"}>
                  {WORDS[row.parting]}
                </Badge>
              </td>
              <td className="py-1 pr-4 text-right">{priceText(row.simulatedPrice)}</td>
              <td className="py-1 pr-4 text-right">{priceText(row.realPrice)}</td>
              <td className="py-1 pr-4 text-right">{shareText(row.slippage, true)}</td>
              <td className="py-1 pr-4 text-right">
                {row.lateMs === null ? "–" : `${Math.round(row.lateMs / 1_000)} s`}
              </td>
              <td className="py-1 whitespace-normal">
                {row.reason === null ? "" : reasonWhat(row.reason)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Returns the agent to simulate: the draft, or the saved agent when the user chose it. */
function useShownAgent({ agent, draft }: Pick<SimulationPanelProps, "agent" | "draft">) {
  const agentId = agent?.id ?? "";
  const alerts = useRead(listAlerts, { params: { agentId } });
  const rules = useRead(listRules, { params: { agentId } });
  /** Draft for which the user chose the saved agent instead; a newer draft is shown again. */
  const [savedFor, setSavedFor] = useState<AgentDraft | null>(null);
  const shownDraft = draft !== null && (agent === null || savedFor !== draft) ? draft : null;
  const saved = useMemo(
    () =>
      agent === null || alerts.data === undefined || rules.data === undefined
        ? null
        : simulatedAgent(agent, alerts.data, rules.data),
    [agent, alerts.data, rules.data],
  );
  return {
    /** Null while the saved agent loads. */
    simulated: shownDraft?.agent ?? saved,
    /** Null when the saved agent is shown. */
    shownDraft,
    showDraft: (isShown: boolean) => setSavedFor(isShown ? null : draft),
    /** Reads the shown agent needs. */
    reads: shownDraft === null ? [alerts, rules] : [],
  };
}
