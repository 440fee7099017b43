import { useState } from "react";
import { formatFixed } from "../../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../../domain/market.ts";
import { tradeReturn } from "../../../strategy/measures.ts";
import type { SimulatedTrade } from "../../../strategy/simulation.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { Button } from "../../ui/button.tsx";
import { shareText, toneOf } from "./share-text.ts";

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

/** The result column comes early, so that phones show it without scrolling. */
const COLUMNS = [
  ["Entry", ""],
  ["Side", ""],
  ["Result", "text-right"],
  ["Entry price", "text-right"],
  ["Exit", ""],
  ["Exit price", "text-right"],
  ["Bars", "text-right"],
  ["Fees", "text-right"],
] as const;

const END_WORDS = {
  signal: "",
  liquidation: "closed by the venue",
  open: "still open",
} as const;

/** Table of trades, newest first; selecting one shows it in the Chart tab. */
export function TradeTable(props: TradeTableProps) {
  const { trades, quoteDecimals, barMinutes, chosen, onChoose } = props;
  const [rows, setRows] = useState(PAGE_ROWS);
  const times = useTimes();
  const when = (timeMs: number) => `${times.date(timeMs)} ${times.time(timeMs)}`;
  const price = (units: bigint) => formatFixed(units, PRICE_DECIMALS, 4);
  const shown = trades.toReversed().slice(0, rows);
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-xs whitespace-nowrap tabular-nums">
        <thead className="text-left text-faint">
          <tr>
            {COLUMNS.map(([name, align]) => (
              <th key={name} className={`py-1 pr-4 font-normal ${align}`}>
                {name === "Bars" ? `Bars of ${barMinutes} min` : name}
              </th>
            ))}
            <th>
              <span className="sr-only">How it ended</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((trade) => {
            const { enteredAtMs, exitedAtMs, endedBy, side } = trade;
            const share = tradeReturn(trade);
            return (
              <tr
                key={enteredAtMs}
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
