import { Plus } from "lucide-react";
import { type AlertCondition, MAX_COMPARISONS } from "../../../domain/condition/condition.ts";
import { Button } from "../../ui/button.tsx";
import { Switch } from "../../ui/switch.tsx";
import { ComparisonRow } from "./comparison-row.tsx";
import {
  FIRST_SESSION,
  withComparison,
  withNextComparison,
  withoutComparison,
  withSession,
} from "./condition-changes.ts";
import type { FaultAt } from "./fault-at.ts";
import { DayFields, TimeField } from "./time-fields.tsx";

interface ComparisonFieldsProps {
  readonly condition: Extract<AlertCondition, { kind: "comparisons" }>;
  readonly onChange: (condition: AlertCondition) => void;
  readonly faultAt: FaultAt;
}

/** Fields of a condition's comparisons and of how they combine. */
export function ComparisonFields({ condition, onChange, faultAt }: ComparisonFieldsProps) {
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
