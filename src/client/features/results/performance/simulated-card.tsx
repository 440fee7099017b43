import { TableHead } from "../../../ui/table-head.tsx";
import { NotLoaded } from "../../../ui/not-loaded.tsx";
import type { Performance } from "../../../../contract/performance.ts";
import type { ReactNode } from "react";
import type { Agent } from "../../../../contract/agent.ts";
import { decimalsOfStep, formatShare } from "../../../lib/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { CurveChart } from "../../../ui/curve-chart.tsx";
import { lineOf } from "../../../ui/curve.ts";
import { Share } from "../../../ui/share.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import { simulatedCurve } from "../../../workers/simulated-curve.ts";
import { useSimulated } from "./use-simulated.ts";

interface SimulatedCardProps {
  readonly agent: Agent;
  readonly shown: Performance;
}

/** Simulation of the agent's rules over the shown span, compared with its actual result. */
export default function SimulatedCard({ agent, shown }: SimulatedCardProps) {
  const { run, isUnread, isTooShort, isByConditions } = useSimulated(agent, shown);
  if (isUnread) return <Sentence>The agent's alerts and rules could not be loaded.</Sentence>;
  if (isTooShort) {
    return <Sentence>No bar of {agent.interval} has closed since this span began.</Sentence>;
  }
  if (run.isError) {
    return (
      <NotLoaded onRetry={run.refetch}>
        The simulation could not be run: {run.error.message}
      </NotLoaded>
    );
  }
  if (run.data === undefined) return <Skeleton className="h-72" />;
  if (run.data.report.result.times.length === 0) {
    return <Sentence>The source of prices has no bars of this span.</Sentence>;
  }
  return <Compared shown={shown} done={run.data} isByConditions={isByConditions} />;
}

const Sentence = ({ children }: { readonly children: ReactNode }) => (
  <p className="text-sm text-muted">{children}</p>
);

interface ComparedProps {
  readonly shown: Performance;
  readonly done: AgentReport;
  readonly isByConditions: boolean;
}

function Compared({ shown, done, isByConditions }: ComparedProps) {
  const { measures } = done.report;
  const { returns, fall, trades, curve } = shown;
  const known = curve.filter(({ value }) => value !== null).length > 1;
  const live = known ? returns.timeWeighted : null;
  const percent = (share: number | null) => formatShare(share, 1).replace("+", "");
  return (
    <div className="flex flex-col gap-3">
      {done.source === "practice market" && (
        <p className="flex flex-wrap items-center gap-2 text-xs text-practice">
          <Badge tone="practice">Practice</Badge>
          The practice market is made up: what worked on it says nothing about a real one.
        </p>
      )}
      <CurveChart
        label="Growth of the agent against its simulation"
        panels={[
          {
            height: "h-44",
            formatValue: (share, step) => formatShare(share, decimalsOfStep(step * 100)),
            curves: [
              {
                label: "Live",
                tone: "accent",
                times: curve.map(({ time }) => time),
                values: curve.map(({ growth }) => growth),
              },
              { label: "Simulated", tone: "muted", ...lineOf(simulatedCurve(done)) },
            ],
          },
        ]}
      />
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Live and simulated">
        <table className="w-full text-right text-sm tabular-nums">
          <TableHead
            className="text-xs"
            cell="py-1 pl-4 first:pl-0"
            columns={[{ hidden: "Figure" }, { right: "Live" }, { right: "Simulated" }]}
          />
          <tbody>
            <Line name="Return" live={<Share value={live} />}>
              <Share value={measures.totalReturn} />
            </Line>
            <Line name="Largest fall" live={known ? formatShare(-(fall?.depth ?? 0)) : "–"}>
              {formatShare(-measures.maxDrawdown)}
            </Line>
            <Line name="Closed positions" live={trades.known + trades.unknown}>
              {measures.closedTrades}
            </Line>
            <Line name="Hit rate" live={percent(trades.hitRate)}>
              {percent(measures.hitRate)}
            </Line>
            <Line name="Time in the market" live={percent(trades.exposure)}>
              {percent(measures.exposure)}
            </Line>
          </tbody>
        </table>
      </div>
      <p className="text-xs text-muted">
        The agent as it is saved now, run over the closed bars of this span from the money it had
        then, fired by {isByConditions ? "its conditions" : "the alerts it received"}, with the
        venue&apos;s costs and Auto-Trade on all the time. Money that came in later is not in the
        simulation. The Simulate tab shows every order of both beside each other.
      </p>
    </div>
  );
}

interface LineProps {
  readonly name: string;
  readonly live: ReactNode;
  readonly children: ReactNode;
}

const Line = ({ name, live, children }: LineProps) => (
  <tr className="border-t border-line">
    <th scope="row" className="py-1.5 text-left font-normal text-muted">
      {name}
    </th>
    <td className="py-1.5 pl-4 font-medium">{live}</td>
    <td className="py-1.5 pl-4 font-medium">{children}</td>
  </tr>
);
