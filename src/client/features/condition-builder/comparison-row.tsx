import { Trash2 } from "lucide-react";
import type { Comparison } from "../../../domain/condition/condition.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { Select } from "../../ui/select.tsx";
import type { FaultAt } from "./fault-at.ts";
import { InlineNumber } from "./inline-number.tsx";
import { OperandFields } from "./operand-fields.tsx";
import { withRelation } from "./condition-changes.ts";

interface ComparisonRowProps {
  readonly comparison: Comparison;
  /** Index from 0. */
  readonly index: number;
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
  const { comparison, index, faultAt, onChange, onDelete } = props;
  const number = index + 1;
  const path = `all.${index}`;
  const own = faultAt(path);
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
        {(own ?? faultAt(`${path}.right`) ?? faultAt(`${path}.left`)) !== null && (
          <p role="alert" className="text-xs text-down">
            {own ?? faultAt(`${path}.right`) ?? faultAt(`${path}.left`)}
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
