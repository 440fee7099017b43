import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type ReactNode, useCallback, useState } from "react";
import { type GridCell, triesOf } from "../../../strategy/grid-cell.ts";
import type { SimulatedTrade } from "../../../strategy/simulation.ts";
import type { ChartPreview } from "../../lib/chart-preview.ts";
import { downloadFile } from "../../lib/download.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ZoneNote } from "../../ui/time-text.tsx";
import { runSimulation } from "../../workers/run-simulation.ts";
import type { AgentReport } from "../../workers/simulate-agent.ts";
import type { Assumptions } from "./assumption-form.ts";
import { AssumptionBlock } from "./assumptions.tsx";
import { CostTable } from "./cost-table.tsx";
import { EquityChart } from "./equity-chart.tsx";
import { runJson, tradesCsv } from "./export-run.ts";
import { GridPanel } from "./grid-panel.tsx";
import { Honesty } from "./honesty.tsx";
import { MeasureList } from "./measure-list.tsx";
import { MonthTable } from "./month-table.tsx";
import { tradePreview } from "./trade-preview.ts";
import { TradeTable } from "./trade-table.tsx";

interface SimulationResultProps {
  readonly done: AgentReport;
  readonly onApply: (assumptions: Assumptions) => void;
  readonly onShowOnChart: (preview: ChartPreview) => void;
  /** Content after the trades. */
  readonly children?: ReactNode;
}

/** Result of a run: measures, reliability, chart, trades and assumptions. */
export function SimulationView(props: SimulationResultProps) {
  const { done, onApply, onShowOnChart, children } = props;
  const { request, known, source, report: first } = done;
  const { quoteDecimals } = request;
  const [tried, setTried] = useState<readonly GridCell[]>([]);
  const [trade, setTrade] = useState<SimulatedTrade | null>(null);
  // Runs in the worker: a thousand resamplings would block the main thread
  const judged = useQuery({
    queryKey: ["judged", first.inputHash, tried.length],
    queryFn: ({ signal }) => runSimulation({ ...request, tries: triesOf(tried) }, signal),
    enabled: tried.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    structuralSharing: false,
  });
  const report = judged.data ?? first;
  const { result } = first;
  const showWhole = useCallback(() => setTrade(null), []);
  const times = useTimes();
  const show = (chosen: SimulatedTrade) => {
    setTrade(chosen);
    onShowOnChart(tradePreview(done, chosen, times));
  };
  const quote = { quoteDecimals, quoteSymbol: known.quoteSymbol };
  return (
    <div className="flex flex-col gap-4">
      {source === "practice market" && (
        <p className="flex flex-wrap items-center gap-2 text-xs text-practice">
          <Badge tone="practice">Practice</Badge>
          The practice market is made up: what worked on it says nothing about a real one.
        </p>
      )}
      {done.contradictions > 0 && (
        <p className="text-xs text-warn">
          Two sources of prices contradict each other on {done.contradictions} bars; they were left
          out.
        </p>
      )}
      <MeasureList measures={report.measures} quoteSymbol={known.quoteSymbol} />
      <Honesty report={report} />
      <Card aria-label="Account over time">
        <EquityChart
          result={result}
          {...quote}
          splitAtMs={report.split?.splitAtMs ?? null}
          trade={trade}
          onWhole={showWhole}
        />
      </Card>
      <div className="flex flex-wrap gap-4">
        <Card aria-labelledby="simulation-months" className="min-w-0 grow-4 basis-2xl">
          <h3 id="simulation-months" className="mb-2 text-sm font-medium">
            Months
          </h3>
          <MonthTable result={result} quoteDecimals={quoteDecimals} />
        </Card>
        <Card aria-labelledby="simulation-costs" className="min-w-0 grow basis-56">
          <h3 id="simulation-costs" className="mb-2 text-sm font-medium">
            Costs
          </h3>
          <CostTable costs={result.costs} {...quote} />
        </Card>
      </div>
      <Card aria-labelledby="simulation-trades">
        <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
          <h3 id="simulation-trades" className="text-sm font-medium">
            Trades
          </h3>
          <span className="flex items-center gap-2">
            <ZoneNote className="text-2xs text-faint" />
            <Button size="small" onClick={() => save(tradesCsv(done), "text/csv", "trades.csv")}>
              <Download aria-hidden /> CSV
            </Button>
            <Button
              size="small"
              onClick={() => save(runJson(done), "application/json", "run.json")}
            >
              <Download aria-hidden /> JSON
            </Button>
          </span>
        </div>
        {result.trades.length === 0 ? (
          <p className="text-sm text-muted">Nothing was traded.</p>
        ) : (
          <TradeTable
            trades={result.trades}
            quoteDecimals={quoteDecimals}
            chosen={trade}
            onChoose={show}
          />
        )}
      </Card>
      {children}
      <GridPanel
        key={first.inputHash}
        request={request}
        onTried={(cells) => setTried([...tried, ...cells])}
      />
      <AssumptionBlock key={`${first.inputHash} assumptions`} done={done} onApply={onApply} />
    </div>
  );
}

const save = (text: string, type: string, name: string) =>
  downloadFile(new Blob([text], { type: `${type};charset=utf-8` }), `simulation-${name}`);
