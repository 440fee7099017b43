import { checkCondition } from "../../../domain/condition/check-condition.ts";
import type { AlertCondition } from "../../../domain/condition/condition.ts";
import { Field } from "../../ui/field.tsx";
import { Select } from "../../ui/select.tsx";
import { ComparisonFields } from "./comparison-fields.tsx";
import { conditionOfKind, type ConditionKind } from "./condition-changes.ts";
import { faultAt } from "./fault-at.ts";
import { ScheduleFields } from "./schedule-fields.tsx";

const KINDS = [
  {
    options: [
      { value: "comparisons", label: "prices and indicators say so" },
      { value: "every-bars", label: "so many bars have passed" },
      { value: "time-of-day", label: "a time of day comes" },
    ],
  },
];

interface ConditionFormProps {
  readonly condition: AlertCondition;
  readonly onChange: (condition: AlertCondition) => void;
}

/** Form for a condition, presented as a sentence with selects. */
export function ConditionForm({ condition, onChange }: ConditionFormProps) {
  const at = faultAt(checkCondition(condition));
  return (
    <div className="flex flex-col gap-3">
      <Field label="This alert fires when a bar closes and">
        <Select
          value={condition.kind}
          groups={KINDS}
          onValueChange={(kind) => onChange(conditionOfKind(kind as ConditionKind))}
        />
      </Field>
      {condition.kind === "comparisons" ? (
        <ComparisonFields condition={condition} onChange={onChange} faultAt={at} />
      ) : (
        <ScheduleFields condition={condition} onChange={onChange} faultAt={at} />
      )}
    </div>
  );
}
