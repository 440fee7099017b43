import { Trash2 } from "lucide-react";
import type { Signal } from "../../../domain/signal.ts";
import { Field } from "../../ui/field.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { Select } from "../../ui/select.tsx";
import { InlineAlert } from "./inline-alert.tsx";
import { actionGroups } from "./rule-actions.ts";
import type { NamedAlert, RuleRow } from "./rule-row.ts";
import { TriggerList } from "./trigger-list.tsx";

interface RuleCardProps {
  readonly number: number;
  readonly rule: RuleRow;
  readonly alerts: readonly NamedAlert[];
  readonly isSpotOnly: boolean;
  readonly error: string | null;
  readonly onDelete: () => void;
  readonly onAction: (action: Signal) => void;
  readonly onToggle: (alertKey: string) => void;
  readonly onCount: (alertKey: string, count: number) => void;
  readonly onAddAlert: (name: string) => void;
}

export function RuleCard(props: RuleCardProps) {
  const { number, rule, alerts, error } = props;
  const named = alerts.filter((alert) => alert.name.trim() !== "");
  return (
    <li className="flex flex-col gap-3 rounded-md border border-line bg-raised p-3">
      <div className="flex items-center justify-between">
        <h4 className="text-xs font-semibold text-muted">Rule {number}</h4>
        <IconButton
          size="small"
          label={`Delete rule ${number}`}
          icon={<Trash2 aria-hidden />}
          onClick={props.onDelete}
        />
      </div>
      <fieldset className="flex min-w-0 flex-col gap-1.5">
        <legend className="mb-1.5 text-2xs font-semibold tracking-wide text-faint">IF</legend>
        {named.length === 0 && <p className="text-xs text-muted">Add an alert first.</p>}
        <TriggerList {...props} alerts={named} />
        <InlineAlert onAdd={props.onAddAlert} />
      </fieldset>
      <Field
        label={<span className="text-2xs font-semibold tracking-wide">THEN</span>}
        error={error}
      >
        <Select
          value={rule.action}
          groups={actionGroups(props.isSpotOnly)}
          placeholder="Select an action"
          onValueChange={(action) => props.onAction(action as Signal)}
        />
      </Field>
    </li>
  );
}
