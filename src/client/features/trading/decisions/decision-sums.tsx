import { TableHead } from "../../../ui/table-head.tsx";
import { type DecisionQuery, type DecisionSums as Sums } from "../../../../contract/decisions.ts";
import { type ReactNode } from "react";
import { Button } from "../../../ui/button.tsx";
import { clsx } from "clsx";
import { Figure } from "../../../ui/figure.tsx";
import { countersText } from "./decision-words.ts";
import { reasonWhat } from "../../../../domain/reasons.ts";
import { signalText } from "../../../lib/signal-text.ts";

type Sum = Pick<
  Sums["rules"][number],
  "fired" | "traded" | "denied" | "reasons" | "profit" | "wins" | "closed"
>;

interface DecisionSumsProps {
  readonly sums: Sums;
  /** Called to show the decisions of a row. */
  readonly onShow: (filter: DecisionQuery) => void;
}

/** Totals per rule and per alert: firings, trades, denials with reasons, and profit or loss. */
export function DecisionSums({ sums, onShow }: DecisionSumsProps) {
  return (
    <div className="flex flex-col gap-6 p-4">
      <SumTable
        title="Rules"
        note="A profit counts for the rule that opened a position and for the one that closed it."
      >
        {sums.rules.map((rule) => (
          <SumRow
            key={rule.ruleId}
            name={signalText(rule.action)}
            detail={rule.counters.length === 0 ? "Deleted rule" : countersText(rule.counters)}
            sum={rule}
            onShow={() => onShow({ ruleId: rule.ruleId })}
          />
        ))}
      </SumTable>
      <SumTable title="Alerts" note="A trade counts for every alert that completed its rule.">
        {sums.alerts.map((alert) => (
          <SumRow
            key={alert.alertId}
            name={alert.alertName ?? "Deleted alert"}
            detail=""
            sum={alert}
            onShow={() => onShow({ alertId: alert.alertId })}
          />
        ))}
      </SumTable>
    </div>
  );
}

interface SumTableProps {
  readonly title: string;
  readonly note: string;
  readonly children: ReactNode;
}

function SumTable({ title, note, children }: SumTableProps) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h2 className="text-sm font-semibold">{title}</h2>
      <div className="overflow-x-auto rounded-lg border">
        <table className="w-full min-w-140 text-sm">
          <TableHead
            className="border-b bg-raised text-2xs"
            cell="px-3 py-1.5"
            columns={[
              title === "Rules" ? "Rule" : "Alert",
              { right: "Fired" },
              { right: "Traded" },
              { right: "Denied" },
              "Why not",
              { right: "Profit" },
            ]}
          />
          <tbody>{children}</tbody>
        </table>
      </div>
      <p className="text-xs text-muted">{note}</p>
    </section>
  );
}

interface SumRowProps {
  readonly name: string;
  readonly detail: string;
  readonly sum: Sum;
  readonly onShow: () => void;
}

function SumRow({ name, detail, sum, onShow }: SumRowProps) {
  const [most, ...others] = sum.reasons;
  const more = others.reduce((total, { count }) => total + count, 0);
  return (
    <tr className="border-b align-top last:border-b-0">
      <th scope="row" className="max-w-56 px-3 py-2 text-left font-normal">
        <Button
          size="small"
          tone="ghost"
          className="-ml-2.5 max-w-full"
          title={`Show the decisions of ${name}`}
          onClick={onShow}
        >
          <span className="min-w-0 truncate">{name}</span>
        </Button>
        {detail !== "" && <span className="block truncate text-xs text-muted">{detail}</span>}
        <FunnelBar {...sum} />
      </th>
      <Count value={sum.fired} />
      <Count value={sum.traded} className="text-up" />
      <Count value={sum.denied} className="text-down" />
      <td className="max-w-60 px-3 py-2.5 text-xs text-muted">
        {most === undefined ? "–" : `${most.count} × ${reasonWhat(most.reason)}`}
        {more > 0 && ` And ${more} more.`}
      </td>
      <td className="px-3 py-2.5 text-right">
        <Figure value={sum.profit} prefix="$" toned />
        {sum.closed > 0 && (
          <span className="block text-2xs text-faint">
            {sum.wins} of {sum.closed} won
          </span>
        )}
      </td>
    </tr>
  );
}

function Count({ value, className }: { readonly value: number; readonly className?: string }) {
  return (
    <td
      className={clsx(
        "px-3 py-2.5 text-right tabular-nums",
        value === 0 ? "text-faint" : className,
      )}
    >
      {value}
    </td>
  );
}

/** Bar of the shares of firings that were traded, denied or led to no order. */
function FunnelBar({ fired, traded, denied }: Sum) {
  const whole = Math.max(fired, traded + denied);
  if (whole === 0) return null;
  return (
    <span aria-hidden className="mt-1 flex h-1 overflow-hidden rounded-full bg-line">
      <span className="bg-up" style={{ width: `${(100 * traded) / whole}%` }} />
      <span className="bg-down" style={{ width: `${(100 * denied) / whole}%` }} />
    </span>
  );
}
