import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type { Distance } from "../../../../domain/plan/plan.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Select } from "../../../ui/select.tsx";
import { InlineNumber } from "../rules/inline-number.tsx";

interface LineProps {
  readonly name: string;
  readonly onDelete: () => void;
  readonly children: ReactNode;
}

/** One sentence of the plan. */
export function Line({ name, onDelete, children }: LineProps) {
  return (
    <li
      aria-label={`Plan: ${name}`}
      className="flex items-start gap-2 rounded-md border border-line bg-surface p-2 text-sm"
    >
      <div className="flex min-w-0 grow flex-wrap items-center gap-x-2 gap-y-1.5">{children}</div>
      <IconButton
        size="small"
        label={`Delete ${name}`}
        icon={<Trash2 aria-hidden />}
        onClick={onDelete}
      />
    </li>
  );
}

interface PercentProps {
  readonly label: string;
  readonly bps: number;
  readonly fault: string | null;
  readonly onChange: (bps: number) => void;
}

/** Field for a percentage, kept in basis points. */
export const Percent = ({ label, bps, fault, onChange }: PercentProps) => (
  <InlineNumber
    label={label}
    value={bps / 100}
    maxDecimals={2}
    suffix="%"
    fault={fault}
    onChange={(percent) => onChange(Math.round(percent * 100))}
  />
);

const DISTANCES = [
  {
    options: [
      { value: "percent", label: "of the price" },
      { value: "atr", label: "times the ATR" },
    ],
  },
];

interface DistanceFieldsProps {
  /** For instance "Stop". */
  readonly name: string;
  readonly at: Distance;
  readonly fault: string | null;
  readonly onChange: (at: Distance) => void;
}

/** Fields of a distance: percent, or a multiple of the ATR. */
export function DistanceFields({ name, at, fault, onChange }: DistanceFieldsProps) {
  const kinds = (
    <Select
      className="max-w-36"
      aria-label={`${name} measured in`}
      value={at.kind}
      groups={DISTANCES}
      onValueChange={(kind) =>
        onChange(
          kind === "atr"
            ? { kind, length: 14, timesHundredths: 200 }
            : { kind: "percent", bps: 300 },
        )
      }
    />
  );
  if (at.kind === "percent") {
    return (
      <>
        <Percent
          label={`${name}, %`}
          bps={at.bps}
          fault={fault}
          onChange={(bps) => onChange({ ...at, bps })}
        />
        {kinds}
      </>
    );
  }
  return (
    <>
      <InlineNumber
        label={`${name}, times the ATR`}
        value={at.timesHundredths / 100}
        maxDecimals={2}
        fault={fault}
        onChange={(times) => onChange({ ...at, timesHundredths: Math.round(times * 100) })}
      />
      {kinds}
      <InlineNumber
        label={`${name}, bars of the ATR`}
        value={at.length}
        prefix="of"
        suffix="bars"
        fault={null}
        onChange={(length) => onChange({ ...at, length })}
      />
    </>
  );
}
