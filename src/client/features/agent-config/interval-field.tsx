import { INTERVAL_PRESETS, type IntervalUnit } from "../../../domain/interval.ts";
import { Field } from "../../ui/field.tsx";
import { NumberText } from "../../ui/number-text.tsx";
import { Select } from "../../ui/select.tsx";
import { CUSTOM_INTERVAL, type AgentForm } from "./agent-form.ts";
import type { FormChange } from "./agent-form-reducer.ts";
import { intervalFault } from "./check-form.ts";

const WORDS: Readonly<Record<IntervalUnit, readonly [string, string]>> = {
  m: ["minute", "minutes"],
  h: ["hour", "hours"],
  d: ["day", "days"],
  w: ["week", "weeks"],
};

const UNITS = [
  {
    options: [
      { value: "m", label: "Minutes" },
      { value: "h", label: "Hours" },
      { value: "d", label: "Days" },
      { value: "w", label: "Weeks" },
    ],
  },
];

function presetLabel(preset: string): string {
  const count = preset.slice(0, -1);
  const [one, many] = WORDS[preset.slice(-1) as IntervalUnit];
  return `${count} ${count === "1" ? one : many}`;
}

const presets = (label: string, units: string) => ({
  label,
  options: INTERVAL_PRESETS.filter((preset) => units.includes(preset.slice(-1))).map((preset) => ({
    value: preset,
    label: presetLabel(preset),
  })),
});

const GROUPS = [
  presets("Minutes", "m"),
  presets("Hours", "h"),
  presets("Days", "dw"),
  { label: "Custom", options: [{ value: CUSTOM_INTERVAL, label: "Custom interval" }] },
];

interface IntervalFieldProps {
  readonly form: AgentForm;
  readonly error: string | null;
  readonly change: (change: FormChange) => void;
}

export function IntervalField({ form, error, change }: IntervalFieldProps) {
  const fault = intervalFault(form);
  const setCustom = (count: string, unit: IntervalUnit) =>
    change({ kind: "custom-interval", count, unit });
  return (
    <div className="flex flex-col gap-2">
      <Field label="Time interval" error={form.interval === CUSTOM_INTERVAL ? null : error}>
        <Select
          value={form.interval}
          groups={GROUPS}
          placeholder="Select a time horizon"
          onValueChange={(interval) => change({ kind: "interval", interval })}
        />
      </Field>
      {form.interval === CUSTOM_INTERVAL && (
        <Field label="Custom interval" error={fault ?? error} hint="From 28 minutes to 1 week">
          <div className="flex gap-2">
            <NumberText
              className="grow"
              maxDecimals={0}
              aria-label="Custom interval number"
              value={form.customCount}
              onValueChange={(count) => setCustom(count, form.customUnit)}
            />
            <Select
              className="max-w-32"
              aria-label="Custom interval unit"
              value={form.customUnit}
              groups={UNITS}
              onValueChange={(unit) => setCustom(form.customCount, unit as IntervalUnit)}
            />
          </div>
        </Field>
      )}
    </div>
  );
}
