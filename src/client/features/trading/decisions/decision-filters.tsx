import type { DecisionQuery, DecisionSums } from "../../../../contract/decisions.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { Button } from "../../../ui/button.tsx";
import { Select } from "../../../ui/select.tsx";
import { countersText } from "./decision-words.ts";

interface DecisionFiltersProps {
  readonly filter: DecisionQuery;
  readonly sums: DecisionSums | undefined;
  readonly onChange: (filter: DecisionQuery) => void;
}

const OUTCOMES = [
  [undefined, "All"],
  ["traded", "Traded"],
  ["denied", "Denied"],
  ["untraded", "No order"],
] as const;

/** Filters for decisions by outcome, alert and rule. */
export function DecisionFilters({ filter, sums, onChange }: DecisionFiltersProps) {
  const { outcome, ruleId, alertId } = filter;
  const rules = (sums?.rules ?? []).map((rule) => ({
    value: `rule ${rule.ruleId}`,
    label: signalText(rule.action),
    note: countersText(rule.counters),
  }));
  const alerts = (sums?.alerts ?? []).map((alert) => ({
    value: `alert ${alert.alertId}`,
    label: alert.alertName ?? "Deleted alert",
  }));
  const chosen =
    ruleId === undefined ? (alertId === undefined ? "all" : `alert ${alertId}`) : `rule ${ruleId}`;
  const narrow = (value: string) => {
    const [of, id] = value.split(" ", 2);
    const kept = outcome === undefined ? {} : { outcome };
    if (id === undefined) onChange(kept);
    else onChange(of === "rule" ? { ...kept, ruleId: id } : { ...kept, alertId: id });
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div role="group" aria-label="Show" className="flex items-center gap-1">
        {OUTCOMES.map(([value, label]) => {
          const isChosen = outcome === value;
          const { outcome: _, entryId: __, ...rest } = filter;
          return (
            <Button
              key={label}
              size="small"
              tone={isChosen ? "secondary" : "ghost"}
              aria-pressed={isChosen}
              onClick={() => onChange(value === undefined ? rest : { ...rest, outcome: value })}
            >
              {label}
            </Button>
          );
        })}
      </div>
      <div className="w-48">
        <Select
          aria-label="Rule or alert"
          value={chosen}
          onValueChange={narrow}
          groups={[
            { options: [{ value: "all", label: "Any rule or alert" }] },
            ...(rules.length > 0 ? [{ label: "Rules", options: rules }] : []),
            ...(alerts.length > 0 ? [{ label: "Alerts", options: alerts }] : []),
          ]}
        />
      </div>
    </div>
  );
}
