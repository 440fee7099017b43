import { Download } from "lucide-react";
import type { SimulatedTrade } from "../../../strategy/simulation.ts";
import { downloadFile } from "../../lib/download.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ZoneNote } from "../../ui/time-text.tsx";
import type { AgentReport } from "../../workers/simulate-agent.ts";
import { runJson, tradesCsv } from "./export-run.ts";
import { TradeTable } from "./trade-table.tsx";

interface TradesCardProps {
  readonly done: AgentReport;
  readonly chosen: SimulatedTrade | null;
  readonly onChoose: (trade: SimulatedTrade) => void;
}

/** Card of a run's trades, which can be downloaded. */
export function TradesCard({ done, chosen, onChoose }: TradesCardProps) {
  const { trades } = done.report.result;
  return (
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
          <Button size="small" onClick={() => save(runJson(done), "application/json", "run.json")}>
            <Download aria-hidden /> JSON
          </Button>
        </span>
      </div>
      {trades.length === 0 ? (
        <p className="text-sm text-muted">Nothing was traded.</p>
      ) : (
        <TradeTable
          trades={trades}
          barMinutes={done.barMinutes}
          quoteDecimals={done.request.quoteDecimals}
          chosen={chosen}
          onChoose={onChoose}
        />
      )}
    </Card>
  );
}

const save = (text: string, type: string, name: string) =>
  downloadFile(new Blob([text], { type: `${type};charset=utf-8` }), `simulation-${name}`);
