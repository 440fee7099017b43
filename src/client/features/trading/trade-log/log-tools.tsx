import { type ReactNode, useMemo } from "react";
import { listRules, type Rule } from "../../../../contract/rules.ts";
import type { TradeLogEntry } from "../../../../contract/trade-log.ts";
import type { AgentId } from "../../../../domain/ids.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { useRead } from "../../../queries/read.ts";
import { Button } from "../../../ui/button.tsx";
import { Figure } from "../../../ui/figure.tsx";
import { Input } from "../../../ui/input.tsx";
import { Select } from "../../../ui/select.tsx";
import {
  ANY,
  AS_RECORDED,
  LOG_COLUMNS,
  type LogArrangement,
  type LogColumn,
  needsAll,
  NO_RULE,
  sumLog,
} from "./arranged-log.ts";

interface LogToolsProps {
  readonly agentId: AgentId | "";
  /** Loaded entries, before filters. */
  readonly entries: readonly TradeLogEntry[];
  readonly arranged: LogArrangement;
  readonly onArrange: (change: Partial<LogArrangement>) => void;
}

/** Returns a rule in words, for instance "Open long: trend up". */
const ruleText = ({ action, conditions }: Rule): string =>
  `${signalText(action)}: ${conditions.map(({ alertName }) => alertName).join(" + ")}`;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Filters of the log by side, rule and day, and its order. */
export function LogTools({ agentId, entries, arranged, onArrange }: LogToolsProps) {
  const rules = useRead(listRules, { params: { agentId } }).data;
  const { sides, ruleIds } = useMemo(
    () => ({
      sides: [...new Set(entries.map(({ side }) => side))].filter((side) => side !== ""),
      ruleIds: [...new Set(entries.map(({ ruleId }) => ruleId ?? NO_RULE))],
    }),
    [entries],
  );
  const { order, side, rule, day } = arranged;
  const known = new Map(rules?.map((each) => [each.id, ruleText(each)] as const));
  const ruleOptions = [...new Set([...known.keys(), ...ruleIds])].map((id) => ({
    value: id,
    label: id === NO_RULE ? "Not by a rule" : (known.get(id) ?? "A deleted rule"),
  }));
  return (
    <div
      role="group"
      aria-label="Filters and order"
      className="flex flex-wrap items-center gap-1.5 border-b px-4 py-1.5 max-sm:px-3"
    >
      <div className="w-32">
        <Select
          aria-label="Side"
          value={side}
          onValueChange={(value) => onArrange({ side: value })}
          options={[
            { value: ANY, label: "All sides" },
            ...sides.map((each) => ({ value: each, label: capital(each) })),
          ]}
        />
      </div>
      <div className="w-40">
        <Select
          aria-label="Rule"
          value={rule}
          onValueChange={(value) => onArrange({ rule: value })}
          options={[{ value: ANY, label: "All rules" }, ...ruleOptions]}
        />
      </div>
      <div className="w-36">
        <Input
          type="date"
          aria-label="Day"
          value={day}
          onChange={(event) => onArrange({ day: event.target.value })}
        />
      </div>
      <div className="w-44">
        <Select
          aria-label="Sort by"
          value={order.column}
          onValueChange={(column) =>
            onArrange({ order: { column: column as LogColumn, isAscending: false } })
          }
          options={LOG_COLUMNS.map((column) => ({ value: column, label: `Sort: ${column}` }))}
        />
      </div>
      {needsAll(arranged) && (
        <Button size="small" tone="ghost" onClick={() => onArrange(AS_RECORDED)}>
          Show all
        </Button>
      )}
    </div>
  );
}

interface LogFootProps {
  /** Entries shown, filtered. */
  readonly entries: readonly TradeLogEntry[];
  /** True while older entries are not loaded. */
  readonly isPart: boolean;
  readonly loadedCount: number;
  /** Entries of the whole log. */
  readonly wholeCount: number;
}

/** Sums of the shown trades; says so where they are of a part of the log. */
export function LogFoot({ entries, isPart, loadedCount, wholeCount }: LogFootProps) {
  const { total, fees, pnl, closings } = useMemo(() => sumLog(entries), [entries]);
  const count = entries.length;
  return (
    <div
      role="group"
      aria-label="Sums"
      className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 border-t bg-raised px-4 py-1.5 text-xs max-sm:px-3"
    >
      <span className="text-muted">
        {count} {count === 1 ? "trade" : "trades"}
        {isPart && `, of the newest ${loadedCount} of ${Math.max(wholeCount, loadedCount)}`}
      </span>
      <dl className="flex flex-wrap gap-x-4">
        <Sum term="Volume" title="Sum of what was bought and sold">
          <Figure value={total} prefix="$" />
        </Sum>
        <Sum term="Fees">
          <Figure value={fees} prefix="$" />
        </Sum>
        <Sum
          term="P&L"
          title={`Of ${closings} closed ${closings === 1 ? "trade" : "trades"}, fees of both sides counted, funding not`}
        >
          {closings === 0 ? (
            <span className="text-faint">–</span>
          ) : (
            <Figure value={pnl} prefix="$" toned />
          )}
        </Sum>
      </dl>
    </div>
  );
}

interface SumProps {
  readonly term: string;
  readonly title?: string;
  readonly children: ReactNode;
}

const Sum = ({ term, title, children }: SumProps) => (
  <div className="flex items-baseline gap-1.5" title={title}>
    <dt className="text-faint">{term}</dt>
    <dd className="font-medium">{children}</dd>
  </div>
);
