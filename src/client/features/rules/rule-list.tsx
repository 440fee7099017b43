import { Plus } from "lucide-react";
import type { Signal } from "../../../domain/signal.ts";
import { Button } from "../../ui/button.tsx";
import { RuleCard } from "./rule-card.tsx";
import type { NamedAlert, RuleRow } from "./rule-row.ts";

export interface RuleListProps {
  readonly rules: readonly RuleRow[];
  readonly alerts: readonly NamedAlert[];
  readonly isSpotOnly: boolean;
  readonly errorOf: (key: string) => string | null;
  readonly onAdd: () => void;
  readonly onDelete: (key: string) => void;
  readonly onAction: (key: string, action: Signal) => void;
  readonly onToggle: (key: string, alertKey: string) => void;
  readonly onCount: (key: string, alertKey: string, count: number) => void;
  /** Adds an alert and selects it in this rule. */
  readonly onAddAlert: (key: string, name: string) => void;
}

/** List of an agent's rules: required alert counts and the resulting action. */
export function RuleList(props: RuleListProps) {
  const { rules } = props;
  return (
    <section aria-labelledby="rules-heading" className="flex flex-col gap-2">
      <header className="flex items-center justify-between gap-2">
        <div>
          <h3 id="rules-heading" className="text-sm font-semibold">
            Rules
          </h3>
          <p className="text-xs text-muted">
            When every checked alert has arrived as often as required, the action is taken once.
          </p>
        </div>
        <Button size="small" onClick={props.onAdd}>
          <Plus aria-hidden />
          Add rule
        </Button>
      </header>
      {rules.length === 0 ? (
        <p className="rounded-md border border-dashed border-line p-4 text-center text-xs text-muted">
          No rules yet. Without a rule, alerts are recorded and nothing is traded.
        </p>
      ) : (
        <ol className="flex flex-col gap-2">
          {rules.map((rule, index) => (
            <RuleCard
              key={rule.key}
              number={index + 1}
              rule={rule}
              alerts={props.alerts}
              isSpotOnly={props.isSpotOnly}
              error={props.errorOf(rule.key)}
              onDelete={() => props.onDelete(rule.key)}
              onAction={(action) => props.onAction(rule.key, action)}
              onToggle={(alertKey) => props.onToggle(rule.key, alertKey)}
              onCount={(alertKey, count) => props.onCount(rule.key, alertKey, count)}
              onAddAlert={(name) => props.onAddAlert(rule.key, name)}
            />
          ))}
        </ol>
      )}
    </section>
  );
}
