import type { TradeLogEntry } from "../../../../contract/trade-log.ts";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import { formatFixed, parseDecimal } from "../../../../domain/amount.ts";
import type { ChatId } from "../../../../domain/ids.ts";
import { PRICE_DECIMALS } from "../../../../domain/market.ts";
import { reasonWhat } from "../../../../domain/reasons.ts";
import { barsOf } from "../../../../strategy/bar-times.ts";
import {
  type Divergence,
  divergenceOf,
  gapsOf,
  type PartingCause,
  type RealTrade,
  replay,
  type ReplayDifference,
  type ReplayRow,
  type ReplaySpan,
  simulatedOrders,
} from "../../../../strategy/replay.ts";
import { useOwner } from "../../../lib/session.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { useTimes } from "../../../lib/time-zone.ts";
import { useTradeLog } from "../../../queries/trade-log.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Card } from "../../../ui/card.tsx";
import { TableHead } from "../../../ui/table-head.tsx";
import { shareText } from "./share-text.ts";

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

const CAUSES: Readonly<Record<PartingCause, string>> = {
  gap: "the history has no bars there",
  dropped_alert: "no alert came",
  late_alert: "the alert or its order came late",
  stale_price: "the price was too old",
  denied: "it was denied",
  unfilled: "nobody traded with the order, or only with a later one",
  slippage: "the price was further off than the slippage allows",
  not_simulated: "the simulation did not trade",
};

/** Decimals of an agent's amounts. */
interface Scale {
  readonly baseDecimals: number;
  readonly quoteDecimals: number;
}

function realOf(entry: TradeLogEntry, { baseDecimals, quoteDecimals }: Scale): RealTrade {
  const units = (text: string | undefined, decimals: number) =>
    text === undefined ? null : parseDecimal(text, decimals);
  return {
    signal: entry.signal,
    atMs: Date.parse(entry.at),
    hasTraded: entry.status === "success",
    price: units(entry.price, PRICE_DECIMALS),
    baseSize: units(entry.size, baseDecimals),
    fee: units(entry.fee, quoteDecimals),
    reason: entry.reason ?? null,
  };
}

/** What an agent really traded since a time, oldest last; what its owner did with the wallet is not in it. */
export function useRealTrades(chatId: ChatId | "", fromMs: number, scale: Scale) {
  const address = useOwner();
  const { log, isLoadingOlder, retryOlder } = useTradeLog(
    { address, chatId, filter: "all" },
    (loaded) => Date.parse(loaded.entries.at(-1)?.at ?? "") >= fromMs,
  );
  const own = (log.data?.entries ?? []).filter(({ byOwner }) => byOwner !== true);
  return {
    trades: own.map((entry) => realOf(entry, scale)),
    state:
      log.isError || retryOlder !== null
        ? ("failed" as const)
        : log.data === undefined || isLoadingOlder
          ? ("loading" as const)
          : ("read" as const),
  };
}

/** Returns the span in which a run and real trades are compared; null without a real trade. */
export function comparedSpanOf(
  { request }: AgentReport,
  trades: readonly RealTrade[],
): ReplaySpan | null {
  const { agent, columns, firings, quoteDecimals } = request;
  const first = trades.reduce((least, { atMs }) => Math.min(least, atMs), Number.POSITIVE_INFINITY);
  if (!Number.isFinite(first)) return null;
  const intervalMs = agent.intervalMinutes * MINUTE_MS;
  // What an alert from outside did after the last open has no open to be simulated at
  const delayMs = firings.kind === "conditions" ? ORDER_DELAY_MS : 0;
  return {
    fromMs: Math.max(first - intervalMs, columns.openTimeMs[0] ?? 0),
    toMs: (columns.openTimeMs.at(-1) ?? first) + delayMs,
    intervalMs,
    gaps: gapsOf(barsOf(columns)),
    slippageBps: agent.slippageBps,
    baseDecimals: agent.market.baseDecimals,
    quoteDecimals,
  };
}

interface ReplayCardProps {
  readonly chatId: ChatId | "";
  readonly done: AgentReport;
}

/** Comparison of the run with the agent's actual trades, with their differences. */
export function ReplayCard({ chatId, done }: ReplayCardProps) {
  const { agent, columns, quoteDecimals } = done.request;
  const scale = { baseDecimals: agent.market.baseDecimals, quoteDecimals };
  const { trades, state } = useRealTrades(chatId, columns.openTimeMs[0] ?? 0, scale);
  const span = comparedSpanOf(done, trades);
  if (state !== "read" || span === null) {
    return (
      <Card className="text-xs text-muted">
        {state === "read"
          ? "Once the agent has traded, its real trades stand here beside the simulated ones."
          : state === "failed"
            ? "The trade log could not be loaded, so the run is not compared with what was really traded."
            : "Reading what was really traded..."}
      </Card>
    );
  }
  const divergence = divergenceOf(replay(simulatedOrders(done.report.result), trades, span));
  return (
    <Card aria-labelledby="simulation-replay" className="flex flex-col gap-2">
      <h3 id="simulation-replay" className="text-sm font-medium">
        Beside what was really traded
      </h3>
      <DivergenceReport
        divergence={divergence}
        quoteDecimals={quoteDecimals}
        quoteSymbol={done.known.quoteSymbol}
      />
    </Card>
  );
}

interface DivergenceReportProps {
  readonly divergence: Divergence;
  readonly quoteDecimals: number;
  readonly quoteSymbol: string;
}

/** How far real trades parted from others, in sentences and one by one. */
export function DivergenceReport(props: DivergenceReportProps) {
  const { divergence, quoteDecimals, quoteSymbol } = props;
  const { rows, compared, matched, causes } = divergence;
  const money = (units: bigint) =>
    `${formatFixed(units, quoteDecimals, quoteDecimals).replace("-", "−")} ${quoteSymbol}`;
  const apart = compared - matched;
  return (
    <>
      <p className="text-xs text-muted">
        {rows.length === 0
          ? "Neither side traded since the first order."
          : `${apart} of ${compared} ${compared === 1 ? "order" : "orders"} since the first differ.`}
        {divergence.medianBps !== null &&
          ` In the middle, prices were worse by ${divergence.medianBps.toFixed(1)} bp and orders came ${Math.round((divergence.medianLateMs ?? 0) / 1_000)} s after the signal.`}
        {rows.length > 0 &&
          ` Prices cost ${money(divergence.priceCost)} more, fees ${money(divergence.feeCost)} more.`}
      </p>
      {causes.length > 0 && (
        <ul
          aria-label="Causes"
          className="flex list-disc flex-col gap-0.5 pl-5 text-xs marker:text-faint"
        >
          {causes.map(({ cause, count, priceCost }) => (
            <li key={cause}>
              {count} × {CAUSES[cause]}
              {priceCost !== 0n && `, prices ${money(priceCost)} worse`}
            </li>
          ))}
        </ul>
      )}
      {rows.length > 0 && <ReplayTable rows={rows.toReversed().slice(0, SHOWN_ROWS)} />}
    </>
  );
}

const priceText = (price: bigint | null) =>
  price === null ? "–" : (Number(price) / 10 ** PRICE_DECIMALS).toPrecision(6);

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
