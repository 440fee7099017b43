import type { AlertCondition } from "../../../../domain/condition/condition.ts";
import { Switch } from "../../../ui/switch.tsx";
import { FIRST_SESSION } from "./condition-changes.ts";
import type { FaultAt } from "./fault-at.ts";
import { InlineNumber } from "./inline-number.tsx";
import { DayFields, TimeField } from "./time-fields.tsx";

interface ScheduleFieldsProps {
  readonly condition: Exclude<AlertCondition, { kind: "comparisons" }>;
  readonly onChange: (condition: AlertCondition) => void;
  readonly faultAt: FaultAt;
}

/** Fields of a condition that fires by schedule. */
export function ScheduleFields({ condition, onChange, faultAt }: ScheduleFieldsProps) {
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
