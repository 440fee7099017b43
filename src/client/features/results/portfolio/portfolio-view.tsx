import { NothingLoaded, StaleNote } from "../../../ui/not-loaded.tsx";
import { getPortfolio } from "../../../../contract/portfolio.ts";
import { PieChart, CheckCircle2, CircleAlert, OctagonX } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { ChatId, AgentId } from "../../../../domain/ids.ts";
import { RANGES, type Range } from "../../../../domain/performance/range.ts";
import { describeProblem } from "../../../lib/problem.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Segments } from "../../../ui/segments.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { NetworkPortfolio } from "./network-portfolio.tsx";
import { useOwner } from "../../../lib/session.ts";
import { setTradingStatus } from "../../../../contract/agents.ts";
import { useAgentChange, useRead } from "../../../queries/read.ts";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import type { PortfolioAgent } from "./agent-state.tsx";

const LABELS: Readonly<Record<Range, string>> = {
  "7d": "7 d",
  "30d": "30 d",
  "90d": "90 d",
  "1y": "1 y",
  all: "All",
};

interface PortfolioViewProps {
  readonly onOpen: (chatId: ChatId) => void;
  /** Export action; absent when not available. */
  readonly actions?: ReactNode;
}

/** Portfolio of all agents of a wallet. */
export function PortfolioView({ onOpen, actions }: PortfolioViewProps) {
  const address = useOwner();
  const [range, setRange] = useState<Range>("30d");
  const read = useRead(
    getPortfolio,
    { params: { walletAddress: address }, query: { range } },
    { keepsPrevious: true },
  );
  if (address === "") {
    return (
      <EmptyState icon={<PieChart />} title="Your portfolio">
        Once you are signed in, everything your agents hold and made is shown here.
      </EmptyState>
    );
  }
  if (read.data === undefined) {
    return read.isError ? (
      <NothingLoaded title="Your portfolio could not be loaded" onRetry={read.refetch}>
        {describeProblem(read.error).message}
      </NothingLoaded>
    ) : (
      <div className="mx-auto flex w-full max-w-[1200px] flex-col gap-4 p-4">
        <Skeleton className="h-16" />
        <Skeleton className="h-56" />
        <Skeleton className="h-64" />
      </div>
    );
  }
  const networks = read.data.networks.filter(
    ({ agents, deleted }) => agents.length + deleted.length > 0,
  );
  const agents = networks.flatMap((network) => network.agents);
  if (networks.length === 0) {
    return (
      <EmptyState icon={<PieChart />} title="No agents yet">
        What your agents are worth and what they made will be shown here.
      </EmptyState>
    );
  }
  return (
    <div className="mx-auto flex w-full max-w-[1200px] flex-col gap-6 p-4 max-sm:p-3">
      <header className="flex flex-wrap items-center gap-2">
        <h2 className="mr-auto text-base font-semibold">Portfolio</h2>
        {actions}
        <StopAll agents={agents} />
        <Segments
          label="Span"
          value={range}
          options={RANGES.map((value) => ({ value, label: LABELS[value] }))}
          onChange={setRange}
        />
      </header>
      {read.isError && <StaleNote readAt={read.dataUpdatedAt} />}
      {networks.map((network) => (
        <NetworkPortfolio key={network.network} shown={network} onOpen={onOpen} />
      ))}
    </div>
  );
}

interface StopAllProps {
  /** Agents of all networks. */
  readonly agents: readonly PortfolioAgent[];
}

const canStop = ({ state }: PortfolioAgent) => state !== "off";

/** Stops every agent of the wallet after one confirmation; failures are listed with a retry. */
function StopAll({ agents }: StopAllProps) {
  const setAutoTrade = useAgentChange(setTradingStatus);
  const [isAsking, setAsking] = useState(false);
  const [stops, setStops] = useState<readonly Stop[] | null>(null);
  const running = agents.filter(canStop);
  const begin = (targets: readonly Pick<Stop, "id" | "name">[]) => {
    setAsking(false);
    void stopAll(targets, {
      stop: async (agentId) => {
        const { autoTrade } = await setAutoTrade.mutateAsync({
          params: { agentId },
          body: { autoTrade: "off" },
        });
        return autoTrade === "stopping" ? autoTrade : "off";
      },
      reasonOf: (error) => describeProblem(error).message,
      onChange: setStops,
    });
  };
  if (running.length === 0 && stops === null) return null;
  return (
    <>
      <Button tone="caution" size="small" onClick={() => setAsking(true)}>
        <OctagonX aria-hidden />
        Stop all agents
      </Button>
      <AlertDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={`Stop ${running.length === 1 ? "1 agent" : `${running.length} agents`}?`}
        actionLabel="Stop all"
        onAction={() => begin(running)}
      >
        From this click none of them opens a new position. Open positions are closed at the market
        price, then Auto-Trade is off. Turning each on again is up to you.
      </AlertDialog>
      {stops !== null && <Progress stops={stops} onRetry={begin} onClose={() => setStops(null)} />}
    </>
  );
}

interface ProgressProps {
  readonly stops: readonly Stop[];
  readonly onRetry: (failed: readonly Stop[]) => void;
  readonly onClose: () => void;
}

function Progress({ stops, onRetry, onClose }: ProgressProps) {
  const failed = stops.filter(({ state }) => state === "failed");
  const isBusy = stops.some(({ state }) => state === "waiting");
  const done = stops.length - failed.length;
  return (
    <Dialog
      keepOpenOutside
      size="medium"
      onClose={onClose}
      title={
        isBusy ? "Stopping all agents" : failed.length > 0 ? "Some did not stop" : "All stopped"
      }
      description={`${done} of ${stops.length} ${isBusy ? "asked" : "stopped or stopping"}`}
      footer={
        <>
          {failed.length > 0 && !isBusy && (
            <Button tone="primary" onClick={() => onRetry(failed)}>
              Try {failed.length === 1 ? "it" : "them"} again
            </Button>
          )}
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      <ul className="flex flex-col" aria-live="polite" aria-label="Progress">
        {stops.map(({ id, name, state, reason }) => (
          <li
            key={id}
            className="flex items-start gap-2 border-b border-line py-2 text-sm last:border-b-0 [&_svg]:mt-0.5 [&_svg]:size-4 [&_svg]:shrink-0"
          >
            {state === "waiting" ? (
              <Spinner />
            ) : state === "failed" ? (
              <CircleAlert aria-hidden className="text-down" />
            ) : (
              <CheckCircle2 aria-hidden className="text-up" />
            )}
            <span className="min-w-0 grow">
              <span className="block truncate font-medium">{name}</span>
              {reason && <span className="text-xs text-down">{reason}</span>}
            </span>
            <span className="shrink-0 text-xs text-muted">{WORDS[state]}</span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

const WORDS: Readonly<Record<Stop["state"], string>> = {
  waiting: "Asking",
  stopping: "Stopping: closing its position",
  off: "Off",
  failed: "Not stopped",
};

/** Progress of stopping one agent. */
export interface Stop {
  readonly id: AgentId;
  readonly name: string;
  readonly state: "waiting" | "stopping" | "off" | "failed";
  /** Reason of the failure, one sentence. */
  readonly reason?: string;
}

interface Stopping {
  readonly stop: (id: AgentId) => Promise<"stopping" | "off">;
  readonly reasonOf: (error: unknown) => string;
  /** Called with all agents' progress on every change. */
  readonly onChange: (stops: readonly Stop[]) => void;
}

/** Stops all agents in parallel, so that a failing or hanging one does not block the others. */
export async function stopAll(
  agents: readonly Pick<Stop, "id" | "name">[],
  { stop, reasonOf, onChange }: Stopping,
): Promise<void> {
  let stops: readonly Stop[] = agents.map(({ id, name }) => ({
    id,
    name,
    state: "waiting",
  }));
  const note = (id: AgentId, change: Pick<Stop, "state" | "reason">) => {
    stops = stops.map((known) => (known.id === id ? { ...known, ...change } : known));
    onChange(stops);
  };
  onChange(stops);
  await Promise.all(
    stops.map(({ id }) =>
      stop(id).then(
        (state) => note(id, { state }),
        (error: unknown) => note(id, { state: "failed", reason: reasonOf(error) }),
      ),
    ),
  );
}
