import type { Operand } from "../../../domain/condition/condition.ts";
import {
  INDICATORS,
  type IndicatorSpec,
  PRICE_FIELDS,
  type PriceField,
} from "../../../domain/condition/indicator-table.ts";
import { Select } from "../../ui/select.tsx";
import { BarsAgo } from "./bars-ago.tsx";
import type { FaultAt } from "./fault-at.ts";
import { InlineNumber } from "./inline-number.tsx";
import {
  choiceOf,
  OPERAND_GROUPS,
  operandOf,
  withBarsBack,
  withSource,
} from "./operand-choices.ts";

interface OperandFieldsProps {
  readonly operand: Operand;
  readonly onChange: (operand: Operand) => void;
  /** Position, for instance "left of comparison 1". */
  readonly place: string;
  /** Path of the operand in the condition. */
  readonly path: string;
  readonly faultAt: FaultAt;
}

const SOURCES = [
  { options: PRICE_FIELDS.map((field) => ({ value: field, label: `of ${field}` })) },
];

/** Fields of one side of a comparison: operand, parameters, price source and bar offset. */
export function OperandFields(props: OperandFieldsProps) {
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
        <BarsAgo
          place={place}
          bars={operand.barsBack ?? 0}
          fault={faultAt(`${path}.barsBack`)}
          onChange={(bars) => onChange(withBarsBack(operand, bars))}
        />
      )}
    </>
  );
}

interface IndicatorFieldsProps extends OperandFieldsProps {
  readonly operand: Extract<Operand, { kind: "indicator" }>;
}

function IndicatorFields({ operand, onChange, place, path, faultAt }: IndicatorFieldsProps) {
  const { label, parameters, outputs, hasSource }: IndicatorSpec = INDICATORS[operand.name];
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
