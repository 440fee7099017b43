import type { AlertCondition } from "../../../../domain/condition/condition.ts";
import { Switch } from "../../../ui/switch.tsx";
import { FIRST_SESSION } from "./condition-changes.ts";
import { InlineNumber } from "./inline-number.tsx";
import { clsx } from "clsx";
import { useId } from "react";
import { Input } from "../../../ui/input.tsx";
import type { checkCondition } from "../../../../domain/condition/check-condition.ts";

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;

interface DayFieldsProps {
  /** ISO weekdays, 1 is Monday. */
  readonly days: readonly number[];
  readonly onChange: (days: readonly number[]) => void;
  readonly fault: string | null;
}

/** Toggles for the weekdays on which a condition may fire. */
export function DayFields({ days, onChange, fault }: DayFieldsProps) {
  const id = useId();
  return (
    <>
      <div
        role="group"
        aria-label="Days"
        aria-describedby={fault === null ? undefined : id}
        className="flex flex-wrap gap-1"
      >
        {DAYS.map((name, index) => {
          const day = index + 1;
          const isOn = days.includes(day);
          const toggled = isOn ? days.filter((each) => each !== day) : [...days, day];
          return (
            <button
              key={name}
              type="button"
              aria-pressed={isOn}
              onClick={() => onChange(toggled.toSorted((a, b) => a - b))}
              className={clsx(
                "tint h-8 min-w-9 rounded-md border px-1.5 text-xs font-medium",
                isOn
                  ? "border-transparent bg-accent-soft text-accent-text"
                  : "border-line text-muted hover:bg-hover",
              )}
            >
              {name}
            </button>
          );
        })}
      </div>
      {fault !== null && (
        <span id={id} role="alert" className="order-last basis-full text-xs text-down">
          {fault}
        </span>
      )}
    </>
  );
}

interface TimeFieldProps {
  readonly label: string;
  /** Time as HH:MM; the raw input while it is invalid. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly path: string;
  readonly faultAt: FaultAt;
}

/** Field for a time of day in UTC, 24-hour format in every locale. */
export function TimeField({ label, value, onChange, path, faultAt }: TimeFieldProps) {
  const id = useId();
  const fault = faultAt(path);
  return (
    <>
      <Input
        aria-label={label}
        aria-invalid={fault === null ? undefined : true}
        aria-describedby={fault === null ? undefined : id}
        inputMode="numeric"
        placeholder="HH:MM"
        maxLength={5}
        value={value}
        className="max-w-18 text-center"
        onChange={(event) => onChange(event.target.value)}
        onBlur={() => /^\d:\d\d$/.test(value) && onChange(`0${value}`)}
      />
      {fault !== null && (
        <span id={id} role="alert" className="order-last basis-full text-xs text-down">
          {fault}
        </span>
      )}
    </>
  );
}

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

/** Returns the fault at a field of the condition. */
export type FaultAt = (field: string) => string | null;

/** Returns a function with the text for the faulty field; null for every other field. */
export function faultAt(fault: ReturnType<typeof checkCondition>): FaultAt {
  return (field) => (fault?.field === field ? fault.reason : null);
}
