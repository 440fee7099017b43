import { TableHead } from "../../../ui/table-head.tsx";
import { Download } from "lucide-react";
import type { SimulatedTrade, TradeEnd } from "../../../../strategy/simulation.ts";
import { downloadFile } from "../../../lib/download.ts";
import { Button } from "../../../ui/button.tsx";
import { Card } from "../../../ui/card.tsx";
import { ZoneNote } from "../../../ui/time-text.tsx";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import { useState } from "react";
import { formatFixed, formatDecimal } from "../../../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../../../domain/market.ts";
import { endMeasures, tradeReturn } from "../../../../strategy/measures.ts";
import { useTimes } from "../../../lib/time-zone.ts";
import { shareText, toneOf } from "./share-text.ts";

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
        <div className="flex flex-col gap-4">
          {done.request.agent.plan && <EndTable done={done} />}
          <TradeTable
            trades={trades}
            barMinutes={done.barMinutes}
            quoteDecimals={done.request.quoteDecimals}
            chosen={chosen}
            onChoose={onChoose}
          />
        </div>
      )}
    </Card>
  );
}

const save = (text: string, type: string, name: string) =>
  downloadFile(new Blob([text], { type: `${type};charset=utf-8` }), `simulation-${name}`);

/** Rows per page, so that a long run renders quickly. */
const PAGE_ROWS = 50;

interface TradeTableProps {
  readonly trades: readonly SimulatedTrade[];
  readonly quoteDecimals: number;
  /** Length of the bars a trade is counted in. */
  readonly barMinutes: number;
  readonly chosen: SimulatedTrade | null;
  readonly onChoose: (trade: SimulatedTrade) => void;
}

const END_WORDS = {
  signal: "",
  liquidation: "closed by the venue",
  open: "still open",
  stop: "stop",
  trail: "trailing stop",
  break_even: "break-even",
  target: "target",
  hold: "time is up",
} as const satisfies Record<TradeEnd, string>;

/** What the trades of a plan came to, by what ended them. */
function EndTable({ done }: { readonly done: AgentReport }) {
  const { request, report, known } = done;
  const text = (units: bigint) => formatFixed(units, request.quoteDecimals, 2).replace("-", "−");
  return (
    <table className="text-xs tabular-nums" aria-label="How trades ended">
      <thead>
        <tr className="text-left text-muted">
          <th className="py-1 pr-4 font-normal">Ended by</th>
          <th className="py-1 pr-4 text-right font-normal">Trades</th>
          <th className="py-1 pr-4 text-right font-normal">Average</th>
          <th className="py-1 text-right font-normal">Result, {known.quoteSymbol}</th>
        </tr>
      </thead>
      <tbody>
        {endMeasures(report.result.trades).map(({ endedBy, trades, averageReturn, pnl }) => (
          <tr key={endedBy} className="border-t border-line">
            <th className="py-1 pr-4 text-left font-normal">{END_WORDS[endedBy] || "rule"}</th>
            <td className="py-1 pr-4 text-right">{trades}</td>
            <td className={`py-1 pr-4 text-right ${toneOf(averageReturn)}`}>
              {shareText(averageReturn, true)}
            </td>
            <td className="py-1 text-right">{text(pnl)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Table of trades, newest first; selecting one shows it in the Chart tab. */
function TradeTable(props: TradeTableProps) {
  const { trades, quoteDecimals, barMinutes, chosen, onChoose } = props;
  const [rows, setRows] = useState(PAGE_ROWS);
  const times = useTimes();
  const when = (timeMs: number) => `${times.date(timeMs)} ${times.time(timeMs)}`;
  const price = (units: bigint) => formatFixed(units, PRICE_DECIMALS, 4);
  const shown = trades.toReversed().slice(0, rows);
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-xs whitespace-nowrap tabular-nums">
        {/* The result column comes early, so that phones show it without scrolling */}
        <TableHead
          cell="py-1 pr-4"
          columns={[
            "Entry",
            "Side",
            { right: "Result" },
            { right: "Entry price" },
            "Exit",
            { right: "Exit price" },
            { right: `Bars of ${barMinutes} min` },
            { right: "Fees" },
            { hidden: "How it ended" },
          ]}
        />
        <tbody>
          {shown.map((trade) => {
            const { enteredAtMs, exitedAtMs, endedBy, side } = trade;
            const share = tradeReturn(trade);
            return (
              <tr
                key={`${enteredAtMs} ${exitedAtMs} ${trade.exitPrice}`}
                aria-selected={trade === chosen}
                className="border-t border-line aria-selected:bg-accent-soft"
              >
                <td className="py-1 pr-4">
                  <button
                    type="button"
                    className="rounded-sm text-accent-text underline-offset-2 hover:underline"
                    title="Show on the chart"
                    onClick={() => onChoose(trade)}
                  >
                    {when(enteredAtMs)}
                  </button>
                </td>
                <td className="py-1 pr-4">{side === "long" ? "Long" : "Short"}</td>
                <td className={`py-1 pr-4 text-right font-medium ${toneOf(share)}`}>
                  {shareText(share, true)}
                </td>
                <td className="py-1 pr-4 text-right">{price(trade.entryPrice)}</td>
                <td className="py-1 pr-4">{exitedAtMs === null ? "–" : when(exitedAtMs)}</td>
                <td className="py-1 pr-4 text-right">{price(trade.exitPrice)}</td>
                <td className="py-1 pr-4 text-right">{trade.bars}</td>
                <td className="py-1 pr-4 text-right">
                  {formatFixed(trade.fees, quoteDecimals, 2)}
                </td>
                <td className="py-1 text-muted">{END_WORDS[endedBy]}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {trades.length > rows && (
        <Button size="small" className="mt-2" onClick={() => setRows(rows + PAGE_ROWS * 4)}>
          Show more of {trades.length} trades
        </Button>
      )}
    </div>
  );
}

const iso = (timeMs: number | null) => (timeMs === null ? "" : new Date(timeMs).toISOString());

/** Returns a run with all its inputs except the bars; amounts are decimal digits in base units. */
export function runJson({ request, report, source, barMinutes }: AgentReport): string {
  const { columns, ...input } = request;
  const { result, inputHash, ...judged } = report;
  const { times, equity, closes, ...run } = result;
  const value = {
    inputHash,
    source,
    bars: {
      count: columns.openTimeMs.length,
      minutes: barMinutes,
      firstOpenTimeMs: columns.openTimeMs[0] ?? null,
      completeUntilMs: columns.closeTimeMs.at(-1) ?? null,
    },
    input,
    ...judged,
    run,
    equity: Array.from(times, (time, at) => [time, equity[at], closes[at]]),
  };
  return JSON.stringify(
    value,
    (_key, each: unknown) => (typeof each === "bigint" ? `${each}` : each),
    2,
  );
}

/** Returns the trades of a run as comma-separated text (RFC 4180), exact figures, times in UTC. */
export function tradesCsv({ request, report }: AgentReport): string {
  const { quoteDecimals, agent } = request;
  const price = (units: bigint) => formatDecimal(units, PRICE_DECIMALS);
  const quote = (units: bigint) => formatDecimal(units, quoteDecimals);
  const rows = report.result.trades.map((trade) => [
    iso(trade.enteredAtMs),
    iso(trade.exitedAtMs),
    trade.side,
    formatDecimal(trade.baseSize, agent.market.baseDecimals),
    price(trade.entryPrice),
    price(trade.exitPrice),
    quote(trade.pnl),
    quote(trade.fees),
    quote(trade.funding),
    `${trade.bars}`,
    trade.endedBy,
  ]);
  const head =
    "Entered,Exited,Side,Size,Entry price,Exit price,Result,Fees,Funding,Bars,Ended by".split(",");
  return [head, ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}
