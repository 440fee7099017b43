import type { ChatId } from "../../../domain/ids.ts";
import { reasonWhat } from "../../../domain/reasons.ts";
import {
  type ReplayDifference,
  type RealTrade,
  type ReplayRow,
  replay,
} from "../../../strategy/replay.ts";
import { signalText } from "../../lib/signal-text.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { type TradeLogEntry, useTradeLog } from "../../queries/trade-log.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import type { AgentReport } from "../../workers/simulate-agent.ts";
import { shareText } from "./share-text.ts";
import type { SignedInWallet } from "../../lib/session.ts";

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
  readonly address: SignedInWallet;
  readonly chatId: ChatId | "";
  readonly done: AgentReport;
}

/** Comparison of the run with the agent's actual trades, with their differences. */
export function ReplayCard({ address, chatId, done }: ReplayCardProps) {
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
        <thead className="text-left text-faint">
          <tr>
            {["Signal at", "Signal", "Outcome"].map((name) => (
              <th key={name} className="py-1 pr-4 font-normal">
                {name}
              </th>
            ))}
            {["Simulated", "Real", "Worse by", "After"].map((name) => (
              <th key={name} className="py-1 pr-4 text-right font-normal">
                {name}
              </th>
            ))}
            <th className="py-1 font-normal">Why</th>
          </tr>
        </thead>
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
