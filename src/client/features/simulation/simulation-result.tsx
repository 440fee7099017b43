import { type ReactNode, useCallback, useState } from "react";
import type { SimulatedTrade } from "../../../strategy/simulation.ts";
import type { ChartPreview } from "../../lib/chart-preview.ts";
import type { SignedInWallet } from "../../lib/session.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { Card } from "../../ui/card.tsx";
import type { AgentReport } from "../../workers/simulate-agent.ts";
import type { Assumptions } from "./assumption-form.ts";
import { AssumptionBlock } from "./assumptions.tsx";
import { CostTable } from "./cost-table.tsx";
import { EquityChart } from "./equity-chart.tsx";
import { GridPanel } from "./grid-panel.tsx";
import { Honesty } from "./honesty.tsx";
import { MeasureList } from "./measure-list.tsx";
import { MonthTable } from "./month-table.tsx";
import { ResultWarnings } from "./result-warnings.tsx";
import { tradePreview } from "./trade-preview.ts";
import { TradesCard } from "./trades-card.tsx";
import { useJudged } from "./use-judged.ts";

interface SimulationResultProps {
  readonly address: SignedInWallet;
  readonly done: AgentReport;
  readonly onApply: (assumptions: Assumptions) => void;
  readonly onShowOnChart: (preview: ChartPreview) => void;
  /** Content after the trades. */
  readonly children?: ReactNode;
}

/** Result of a run: measures, reliability, chart, trades and assumptions. */
export function SimulationView(props: SimulationResultProps) {
  const { address, done, onApply, onShowOnChart, children } = props;
  const { request, known } = done;
  const { result, inputHash } = done.report;
  const { report, addTried } = useJudged(address, done);
  const [trade, setTrade] = useState<SimulatedTrade | null>(null);
  const showWhole = useCallback(() => setTrade(null), []);
  const times = useTimes();
  const show = (chosen: SimulatedTrade) => {
    setTrade(chosen);
    onShowOnChart(tradePreview(done, chosen, times));
  };
  const quote = { quoteDecimals: request.quoteDecimals, quoteSymbol: known.quoteSymbol };
  return (
    <div className="flex flex-col gap-4">
      <ResultWarnings {...done} />
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
          <MonthTable result={result} quoteDecimals={request.quoteDecimals} />
        </Card>
        <Card aria-labelledby="simulation-costs" className="min-w-0 grow basis-56">
          <h3 id="simulation-costs" className="mb-2 text-sm font-medium">
            Costs
          </h3>
          <CostTable costs={result.costs} {...quote} />
        </Card>
      </div>
      <TradesCard done={done} chosen={trade} onChoose={show} />
      {children}
      <GridPanel key={inputHash} request={request} onTried={addTried} />
      <AssumptionBlock key={`${inputHash} assumptions`} done={done} onApply={onApply} />
    </div>
  );
}
