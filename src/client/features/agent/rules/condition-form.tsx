import { ASSETS } from "../../../../venues/profiles.ts";
import { checkCondition } from "../../../../domain/condition/check-condition.ts";
import {
  type AlertCondition,
  MAX_COMPARISONS,
  type Comparison,
  type Operand,
} from "../../../../domain/condition/condition.ts";
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
  withRelation,
  choiceOf,
  longerIntervals,
  OPERAND_GROUPS,
  operandOf,
  OWN,
  withBarsBack,
  withOtherBars,
  withSource,
} from "./condition-changes.ts";
import { DayFields, ScheduleFields, TimeField, faultAt, type FaultAt } from "./time-fields.tsx";
import { Plus, Trash2 } from "lucide-react";
import { Button } from "../../../ui/button.tsx";
import { Switch } from "../../../ui/switch.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { InlineNumber } from "./inline-number.tsx";
import {
  specOf,
  PRICE_FIELDS,
  type PriceField,
} from "../../../../domain/condition/indicator-table.ts";
import { useState } from "react";

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
  const at = faultAt(checkCondition(condition, intervalMinutes, ASSETS));
  return (
    <div className="flex flex-col gap-3">
      <Field label="This alert fires when a bar closes and">
        <Select
          value={condition.kind}
          options={KINDS}
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

interface ComparisonRowProps {
  readonly comparison: Comparison;
  /** Index from 0. */
  readonly index: number;
  readonly longer: readonly string[];
  readonly faultAt: FaultAt;
  readonly onChange: (comparison: Comparison) => void;
  /** Deletes the comparison; absent for the only one. */
  readonly onDelete: (() => void) | undefined;
}

const RELATIONS = [
  { value: "above", label: "is above" },
  { value: "below", label: "is below" },
  { value: "crosses-above", label: "crosses above" },
  { value: "crosses-below", label: "crosses below" },
  { value: "rises-for", label: "rises for" },
  { value: "falls-for", label: "falls for" },
];

/** Comparison as a sentence with selects. */
function ComparisonRow(props: ComparisonRowProps) {
  const { comparison, index, longer, faultAt, onChange, onDelete } = props;
  const number = index + 1;
  const path = `all.${index}`;
  const wrong = [path, `${path}.right`, `${path}.left`, `${path}.left.on`, `${path}.right.on`]
    .map(faultAt)
    .find((text) => text !== null);
  return (
    <li
      aria-label={`Comparison ${number}`}
      className="flex items-start gap-2 rounded-md border border-line bg-surface p-2"
    >
      <div className="flex min-w-0 grow flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
          <span aria-hidden className="text-sm text-muted">
            {index === 0 ? "When" : "and"}
          </span>
          <OperandFields
            operand={comparison.left}
            place={`left of comparison ${number}`}
            path={`${path}.left`}
            longer={longer}
            faultAt={faultAt}
            onChange={(left) => onChange({ ...comparison, left })}
          />
          <Select
            className="max-w-36 font-medium"
            aria-label={`How comparison ${number} compares`}
            value={comparison.is}
            options={RELATIONS}
            onValueChange={(is) => onChange(withRelation(comparison, is as Comparison["is"]))}
          />
          {"right" in comparison ? (
            <OperandFields
              operand={comparison.right}
              place={`right of comparison ${number}`}
              path={`${path}.right`}
              longer={longer}
              faultAt={faultAt}
              onChange={(right) => onChange({ ...comparison, right })}
            />
          ) : (
            <>
              <InlineNumber
                className="max-w-14"
                label={`Bars, comparison ${number}`}
                value={comparison.bars}
                fault={faultAt(`${path}.bars`)}
                onChange={(bars) => onChange({ ...comparison, bars })}
              />
              <span className="text-sm text-muted">bars in a row</span>
            </>
          )}
        </div>
        {wrong !== undefined && (
          <p role="alert" className="text-xs text-down">
            {wrong}
          </p>
        )}
      </div>
      {onDelete && (
        <IconButton
          size="small"
          label={`Delete comparison ${number}`}
          icon={<Trash2 aria-hidden />}
          onClick={onDelete}
        />
      )}
    </li>
  );
}

interface OperandFieldsProps {
  readonly operand: Operand;
  readonly onChange: (operand: Operand) => void;
  /** Position, for instance "left of comparison 1". */
  readonly place: string;
  /** Path of the operand in the condition. */
  readonly path: string;
  readonly longer: readonly string[];
  readonly faultAt: FaultAt;
}

const SOURCES = PRICE_FIELDS.map((field) => ({ value: field, label: `of ${field}` }));

/** Fields of one side of a comparison: operand, parameters, price source and bar offset. */
function OperandFields(props: OperandFieldsProps) {
  const { operand, onChange, place, path, faultAt } = props;
  return (
    <>
      <Select
        className="max-w-34"
        aria-label={`Figure, ${place}`}
        value={choiceOf(operand)}
        groups={OPERAND_GROUPS}
        onValueChange={(choice) => onChange(operandOf(choice))}
      />
      {operand.kind === "number" && (
        <InlineNumber
          className="max-w-24"
          label={`Number, ${place}`}
          value={operand.value}
          maxDecimals={8}
          isSigned
          fault={faultAt(`${path}.value`)}
          onChange={(value) => onChange({ ...operand, value })}
        />
      )}
      {operand.kind === "indicator" && <IndicatorFields {...props} operand={operand} />}
      {(operand.kind === "indicator" || operand.kind === "price") && (
        <>
          <OtherBarsFields {...props} operand={operand} />
          <BarsAgo
            place={place}
            bars={operand.barsBack ?? 0}
            fault={faultAt(`${path}.barsBack`)}
            onChange={(bars) => onChange(withBarsBack(operand, bars))}
          />
        </>
      )}
    </>
  );
}

type FieldsOf<Kind extends Operand["kind"]> = OperandFieldsProps & {
  readonly operand: Extract<Operand, { kind: Kind }>;
};

function IndicatorFields({ operand, onChange, place, path, faultAt }: FieldsOf<"indicator">) {
  const { label, parameters, outputs, hasSource } = specOf(operand.name);
  return (
    <>
      {parameters.map(({ name, isWhole }, index) => (
        <InlineNumber
          key={`${operand.name} ${name}`}
          className="max-w-14"
          prefix={name}
          label={`${name} of ${label}, ${place}`}
          value={operand.parameters[index] ?? Number.NaN}
          maxDecimals={isWhole ? 0 : 4}
          fault={faultAt(`${path}.parameters.${index}`)}
          onChange={(value) =>
            onChange({ ...operand, parameters: operand.parameters.with(index, value) })
          }
        />
      ))}
      {outputs.length > 1 && (
        <Select
          className="max-w-30"
          aria-label={`Line of ${label}, ${place}`}
          value={operand.output}
          options={outputs.map((output) => ({ value: output, label: output }))}
          onValueChange={(output) => onChange({ ...operand, output })}
        />
      )}
      {hasSource && (
        <Select
          className="max-w-30"
          aria-label={`Price of ${label}, ${place}`}
          value={operand.source ?? "close"}
          options={SOURCES}
          onValueChange={(source) => onChange(withSource(operand, source as PriceField))}
        />
      )}
    </>
  );
}

/** Fields for the interval and the asset whose closed bars a figure is read on. */
function OtherBarsFields({ operand, onChange, place, longer }: FieldsOf<"indicator" | "price">) {
  const fields = [
    { part: "interval", name: "Interval", own: "own bars", word: "on", values: longer },
    { part: "asset", name: "Asset", own: "own asset", word: "of", values: [...ASSETS] },
  ] as const;
  return fields.map(({ part, name, own, word, values }) => {
    const value = operand.on?.[part];
    const all = value === undefined || values.includes(value) ? values : [...values, value];
    const options = all.map((each) => ({ value: each, label: `${word} ${each}` }));
    if (options.length === 0) return null;
    return (
      <Select
        key={part}
        className="max-w-28"
        aria-label={`${name}, ${place}`}
        value={value ?? OWN}
        options={[{ value: OWN, label: own }, ...options]}
        onValueChange={(chosen) => onChange(withOtherBars(operand, { [part]: chosen }))}
      />
    );
  });
}

interface BarsAgoProps {
  readonly place: string;
  readonly bars: number;
  readonly fault: string | null;
  readonly onChange: (bars: number) => void;
}

/** Field for the offset of a value's bar: the closing bar, or an earlier one. */
function BarsAgo({ place, bars, fault, onChange }: BarsAgoProps) {
  const [isOpen, setOpen] = useState(bars !== 0);
  if (!isOpen) {
    return (
      <Button
        size="small"
        tone="ghost"
        aria-label={`This bar, ${place}; choose an earlier one`}
        onClick={() => {
          setOpen(true);
          onChange(1);
        }}
      >
        this bar
      </Button>
    );
  }
  return (
    <InlineNumber
      className="max-w-12"
      suffix="bars ago"
      label={`Bars ago, ${place}`}
      value={bars}
      fault={fault}
      onChange={onChange}
    />
  );
}
