import { checkCondition } from "../../../../domain/condition/check-condition.ts";
import { type AlertCondition, MAX_COMPARISONS } from "../../../../domain/condition/condition.ts";
import { Field } from "../../../ui/field.tsx";
import { Select } from "../../../ui/select.tsx";
import {
  conditionOfKind,
  type ConditionKind,
  FIRST_SESSION,
  withComparison,
  withNextComparison,
  withoutComparison,
  withSession,
} from "./condition-changes.ts";
import { ComparisonRow } from "./comparison-row.tsx";
import { faultAt, type FaultAt } from "./fault-at.ts";
import { Plus } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { DayFields, TimeField } from "./time-fields.tsx";
import { InlineNumber } from "./inline-number.tsx";
import { longerIntervals } from "./operand-choices.ts";

interface ScheduleFieldsProps {
  readonly condition: Exclude<AlertCondition, { kind: "comparisons" }>;
  readonly onChange: (condition: AlertCondition) => void;
  readonly faultAt: FaultAt;
}

/** Fields of a condition that fires by schedule. */
function ScheduleFields({ condition, onChange, faultAt }: ScheduleFieldsProps) {
  if (condition.kind === "every-bars") {
    return (
      <div className="flex flex-wrap items-center gap-2 text-sm">
        Every
        <InlineNumber
          label="Bars between firings"
          value={condition.bars}
          fault={faultAt("bars")}
          onChange={(bars) => onChange({ ...condition, bars })}
        />
        bars of the agent's interval
      </div>
    );
  }
  const { days, ...always } = condition;
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      At the first bar that closes at or after
      <TimeField
        label="Time of day, UTC"
        value={condition.atUtc}
        path="atUtc"
        faultAt={faultAt}
        onChange={(atUtc) => onChange({ ...condition, atUtc })}
      />
      UTC
      <Switch
        label="Only on certain days"
        checked={days !== undefined}
        onCheckedChange={(isOn) =>
          onChange(isOn ? { ...condition, days: FIRST_SESSION.days } : always)
        }
      />
      {days && (
        <DayFields
          days={days}
          fault={faultAt("days")}
          onChange={(changed) => onChange({ ...condition, days: changed })}
        />
      )}
    </div>
  );
}

const KINDS = [
  { value: "comparisons", label: "prices and indicators say so" },
  { value: "every-bars", label: "so many bars have passed" },
  { value: "time-of-day", label: "a time of day comes" },
];

interface ConditionFormProps {
  readonly condition: AlertCondition;
  /** The agent's; null until it is chosen. */
  readonly intervalMinutes: number | null;
  readonly onChange: (condition: AlertCondition) => void;
}

/** Form for a condition, presented as a sentence with selects. */
export function ConditionForm({ condition, intervalMinutes, onChange }: ConditionFormProps) {
  const at = faultAt(checkCondition(condition, intervalMinutes));
  return (
    <div className="flex flex-col gap-3">
      <Field label="This alert fires when a bar closes and">
        <Select
          value={condition.kind}
          groups={[{ options: KINDS }]}
          onValueChange={(kind) => onChange(conditionOfKind(kind as ConditionKind))}
        />
      </Field>
      {condition.kind === "comparisons" ? (
        <ComparisonFields
          condition={condition}
          longer={longerIntervals(intervalMinutes)}
          onChange={onChange}
          faultAt={at}
        />
      ) : (
        <ScheduleFields condition={condition} onChange={onChange} faultAt={at} />
      )}
    </div>
  );
}

interface ComparisonFieldsProps {
  readonly condition: Extract<AlertCondition, { kind: "comparisons" }>;
  /** Longer intervals that a figure can be read on. */
  readonly longer: readonly string[];
  readonly onChange: (condition: AlertCondition) => void;
  readonly faultAt: FaultAt;
}

/** Fields of a condition's comparisons and of how they combine. */
function ComparisonFields({ condition, longer, onChange, faultAt }: ComparisonFieldsProps) {
  const { all, session } = condition;
  const isFull = all.length >= MAX_COMPARISONS;
  return (
    <>
      <ol className="flex flex-col gap-2">
        {all.map((comparison, index) => (
          <ComparisonRow
            key={index}
            comparison={comparison}
            index={index}
            longer={longer}
            faultAt={faultAt}
            onChange={(changed) => onChange(withComparison(condition, index, changed))}
            onDelete={
              all.length > 1 ? () => onChange(withoutComparison(condition, index)) : undefined
            }
          />
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button
          size="small"
          disabled={isFull}
          onClick={() => onChange(withNextComparison(condition))}
        >
          <Plus aria-hidden />
          And another comparison
        </Button>
        {isFull && (
          <span className="text-xs text-muted">Four is the most one condition takes.</span>
        )}
        <Switch
          label="Only at certain times"
          checked={session !== undefined}
          onCheckedChange={(isOn) => onChange(withSession(condition, isOn ? FIRST_SESSION : null))}
        />
      </div>
      {session && (
        <div
          role="group"
          aria-label="Session"
          className="flex flex-wrap items-center gap-2 rounded-md border border-line bg-surface p-2 text-xs text-muted"
        >
          <DayFields
            days={session.days}
            fault={faultAt("session.days")}
            onChange={(days) => onChange(withSession(condition, { ...session, days }))}
          />
          <span>from</span>
          <TimeField
            label="From, UTC"
            value={session.fromUtc}
            path="session.fromUtc"
            faultAt={faultAt}
            onChange={(fromUtc) => onChange(withSession(condition, { ...session, fromUtc }))}
          />
          <span>to</span>
          <TimeField
            label="To, UTC"
            value={session.toUtc}
            path="session.toUtc"
            faultAt={faultAt}
            onChange={(toUtc) => onChange(withSession(condition, { ...session, toUtc }))}
          />
          <span>UTC</span>
        </div>
      )}
    </>
  );
}
