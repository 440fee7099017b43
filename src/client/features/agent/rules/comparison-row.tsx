import type { Comparison, Operand } from "../../../../domain/condition/condition.ts";
import {
  type PriceField,
  PRICE_FIELDS,
  specOf,
} from "../../../../domain/condition/indicator-table.ts";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Select } from "../../../ui/select.tsx";
import { withRelation } from "./condition-changes.ts";
import type { FaultAt } from "./fault-at.ts";
import { InlineNumber } from "./inline-number.tsx";
import {
  choiceOf,
  OPERAND_GROUPS,
  operandOf,
  OWN_BARS,
  withBarsBack,
  withLongerBars,
  withSource,
} from "./operand-choices.ts";

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
  {
    options: [
      { value: "above", label: "is above" },
      { value: "below", label: "is below" },
      { value: "crosses-above", label: "crosses above" },
      { value: "crosses-below", label: "crosses below" },
      { value: "rises-for", label: "rises for" },
      { value: "falls-for", label: "falls for" },
    ],
  },
];

/** Comparison as a sentence with selects. */
export function ComparisonRow(props: ComparisonRowProps) {
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
            groups={RELATIONS}
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

const SOURCES = [
  { options: PRICE_FIELDS.map((field) => ({ value: field, label: `of ${field}` })) },
];

/** Fields of one side of a comparison: operand, parameters, price source and bar offset. */
function OperandFields(props: OperandFieldsProps) {
  const { operand, onChange, place, path, longer, faultAt } = props;
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
          <OnField
            place={place}
            interval={operand.on?.interval}
            longer={longer}
            onChange={(interval) => onChange(withLongerBars(operand, interval))}
          />
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

interface IndicatorFieldsProps extends OperandFieldsProps {
  readonly operand: Extract<Operand, { kind: "indicator" }>;
}

function IndicatorFields({ operand, onChange, place, path, faultAt }: IndicatorFieldsProps) {
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
          groups={[{ options: outputs.map((output) => ({ value: output, label: output })) }]}
          onValueChange={(output) => onChange({ ...operand, output })}
        />
      )}
      {hasSource && (
        <Select
          className="max-w-30"
          aria-label={`Price of ${label}, ${place}`}
          value={operand.source ?? "close"}
          groups={SOURCES}
          onValueChange={(source) => onChange(withSource(operand, source as PriceField))}
        />
      )}
    </>
  );
}

interface OnFieldProps {
  readonly place: string;
  /** Undefined for the agent's own interval. */
  readonly interval: string | undefined;
  readonly longer: readonly string[];
  readonly onChange: (interval: string | null) => void;
}

/** Field for the bars a figure is read on: the agent's, or closed ones of a longer interval. */
function OnField({ place, interval, longer, onChange }: OnFieldProps) {
  const offered = interval === undefined || longer.includes(interval) ? [] : [interval];
  const options = [...longer, ...offered].map((each) => ({ value: each, label: `on ${each}` }));
  if (options.length === 0) return null;
  return (
    <Select
      className="max-w-28"
      aria-label={`Interval, ${place}`}
      value={interval ?? OWN_BARS}
      groups={[{ options: [{ value: OWN_BARS, label: "own bars" }, ...options] }]}
      onValueChange={(value) => onChange(value === OWN_BARS ? null : value)}
    />
  );
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
