import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import type {
  Adds,
  Distance,
  Stop,
  Target,
  TargetDistance,
  Plan,
} from "../../../../domain/plan/plan.ts";
import { losingSide, type PlanSides } from "../../../../domain/plan/plan-words.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Select } from "../../../ui/select.tsx";
import { InlineNumber } from "../rules/inline-number.tsx";

/** Changes parts of the plan; undefined takes one away. */
export type Change = (parts: { readonly [Part in keyof Plan]: Plan[Part] | undefined }) => void;

/** Returns the message beside a field; null where it is right. */
export type FaultOf = (field: string) => string | null;

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
      { value: "percent", label: "percent" },
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
function DistanceFields({ name, at, fault, onChange }: DistanceFieldsProps) {
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

interface StopLinesProps {
  readonly stop: Stop | undefined;
  readonly sides: PlanSides;
  readonly faultOf: FaultOf;
  readonly onChange: Change;
}

export function StopLines({ stop, sides, faultOf, onChange }: StopLinesProps) {
  if (stop === undefined) return null;
  const { trail, breakEvenAfterBps, ...fixed } = stop;
  const rest = { ...(trail && { trail }), ...(breakEvenAfterBps && { breakEvenAfterBps }) };
  const setTrail = (parts: Partial<NonNullable<Stop["trail"]>>) =>
    trail && onChange({ stop: { ...stop, trail: { ...trail, ...parts } } });
  return (
    <>
      <Line name="stop" onDelete={() => onChange({ stop: undefined, closeWithoutStop: undefined })}>
        Stop
        <DistanceFields
          name="Stop"
          at={stop.at}
          fault={faultOf("plan.stop.at")}
          onChange={(at) => onChange({ stop: { ...stop, at } })}
        />
        {losingSide(sides)} the average entry.
      </Line>
      {breakEvenAfterBps !== undefined && (
        <Line
          name="break-even"
          onDelete={() => onChange({ stop: { ...fixed, ...(trail && { trail }) } })}
        >
          From
          <Percent
            label="Break-even from, % profit"
            bps={breakEvenAfterBps}
            fault={faultOf("plan.stop.breakEvenAfter")}
            onChange={(bps) => onChange({ stop: { ...stop, breakEvenAfterBps: bps } })}
          />
          profit on the stop is at the average entry or better.
        </Line>
      )}
      {trail !== undefined && (
        <Line
          name="trailing"
          onDelete={() => {
            const { trail: _removed, ...kept } = rest;
            onChange({ stop: { ...fixed, ...kept } });
          }}
        >
          From
          <Percent
            label="Trailing from, % profit"
            bps={trail.afterBps}
            fault={faultOf("plan.stop.trail.after")}
            onChange={(afterBps) => setTrail({ afterBps })}
          />
          profit on the stop follows
          <DistanceFields
            name="Trailing behind"
            at={trail.by}
            fault={faultOf("plan.stop.trail.by")}
            onChange={(by) => setTrail({ by })}
          />
          behind the best price, in steps of
          <Percent
            label="Trailing step, %"
            bps={trail.stepBps}
            fault={faultOf("plan.stop.trail.step")}
            onChange={(stepBps) => setTrail({ stepBps })}
          />
        </Line>
      )}
    </>
  );
}

interface TargetLinesProps {
  readonly targets: readonly Target[];
  readonly hasStop: boolean;
  readonly faultOf: FaultOf;
  readonly onChange: (targets: readonly Target[] | undefined) => void;
}

const targetKinds = (hasStop: boolean) => [
  {
    options: [
      { value: "percent", label: "profit" },
      { value: "r", label: "times the stop", disabled: !hasStop },
    ],
  },
];

export function TargetLines({ targets, hasStop, faultOf, onChange }: TargetLinesProps) {
  return targets.map((target, index) => {
    const number = index + 1;
    const path = `plan.targets.${index}`;
    const set = (changed: Target) => onChange(targets.with(index, changed));
    const setAt = (at: TargetDistance) => set({ ...target, at });
    const { at } = target;
    const remaining = targets.filter((_each, other) => other !== index);
    return (
      <Line
        key={index}
        name={`target ${number}`}
        onDelete={() => onChange(remaining.length === 0 ? undefined : remaining)}
      >
        Close
        <InlineNumber
          label={`Part of target ${number}, %`}
          value={target.closePercent}
          suffix="%"
          fault={faultOf(`${path}.close`)}
          onChange={(closePercent) => set({ ...target, closePercent })}
        />
        at
        {at.kind === "percent" ? (
          <Percent
            label={`Target ${number}, % profit`}
            bps={at.bps}
            fault={faultOf(`${path}.at`)}
            onChange={(bps) => setAt({ kind: "percent", bps })}
          />
        ) : (
          <InlineNumber
            label={`Target ${number}, times the stop's distance`}
            value={at.timesHundredths / 100}
            maxDecimals={2}
            fault={faultOf(`${path}.at`)}
            onChange={(times) => setAt({ kind: "r", timesHundredths: Math.round(times * 100) })}
          />
        )}
        <Select
          className="max-w-36"
          aria-label={`Target ${number} measured in`}
          value={at.kind}
          groups={targetKinds(hasStop)}
          onValueChange={(kind) =>
            setAt(kind === "r" ? { kind, timesHundredths: 200 } : { kind: "percent", bps: 400 })
          }
        />
      </Line>
    );
  });
}

const ADD_WAYS = [
  {
    options: [
      { value: "favour", label: "in profit" },
      { value: "against", label: "against it" },
      { value: "signal", label: "on a further opening signal" },
    ],
  },
];

interface AddsLineProps {
  readonly adds: Adds;
  readonly faultOf: FaultOf;
  readonly onChange: Change;
}

export function AddsLine({ adds, faultOf, onChange }: AddsLineProps) {
  const { on, times, sizePercent } = adds;
  const set = (parts: Partial<Adds>) => onChange({ adds: { ...adds, ...parts } });
  return (
    <Line name="adding" onDelete={() => onChange({ adds: undefined })}>
      Add
      <InlineNumber
        label="Size of an add, % of the first entry"
        value={sizePercent}
        suffix="%"
        fault={faultOf("plan.adds.size")}
        onChange={(size) => set({ sizePercent: size })}
      />
      of the first entry, at most
      <InlineNumber
        label="Most adds"
        value={times}
        suffix={times === 1 ? "time" : "times"}
        fault={faultOf("plan.adds.times")}
        onChange={(most) => set({ times: most })}
      />
      {on.kind !== "signal" && (
        <>
          every
          <Percent
            label="Distance of an add, %"
            bps={on.bps}
            fault={faultOf("plan.adds.on")}
            onChange={(bps) => set({ on: { ...on, bps } })}
          />
        </>
      )}
      <Select
        className="max-w-52"
        aria-label="When it adds"
        value={on.kind}
        groups={ADD_WAYS}
        onValueChange={(kind) =>
          set({
            on:
              kind === "signal"
                ? { kind }
                : { kind: kind as "favour" | "against", bps: on.kind === "signal" ? 200 : on.bps },
          })
        }
      />
    </Line>
  );
}
