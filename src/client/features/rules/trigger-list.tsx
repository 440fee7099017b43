import { clsx } from "clsx";
import { useState } from "react";
import type { NamedAlert, RuleRow } from "./rule-row.ts";
import { TriggerLine } from "./trigger-line.tsx";

/** Number of alerts shown before the list scrolls inside the rule. */
const SHOWN_ALERTS = 6;

interface TriggerListProps {
  readonly number: number;
  readonly rule: RuleRow;
  readonly alerts: readonly NamedAlert[];
  readonly onToggle: (alertKey: string) => void;
  readonly onCount: (alertKey: string, count: number) => void;
}

/** List of the agent's alerts, the rule's first; the order is fixed during editing, so that no line moves. */
export function TriggerList({ number, rule, alerts, onToggle, onCount }: TriggerListProps) {
  const triggerOf = (key: string) => rule.triggers.find((each) => each.alertKey === key) ?? null;
  const [others] = useState(() =>
    alerts.filter(({ key }) => triggerOf(key) === null).map(({ key }) => key),
  );
  const isOther = ({ key }: NamedAlert) => others.includes(key);
  const ordered = [...alerts.filter((alert) => !isOther(alert)), ...alerts.filter(isOther)];
  const isLong = alerts.length > SHOWN_ALERTS;
  return (
    <>
      {isLong && (
        <p className="text-xs text-muted">
          {rule.triggers.length} of {alerts.length} alerts
        </p>
      )}
      <div
        {...(isLong && { role: "group", "aria-label": `Alerts of rule ${number}` })}
        className={clsx(
          "flex flex-col gap-1.5",
          isLong && "max-h-56 overflow-y-auto rounded-md border border-line bg-surface px-2 py-1",
        )}
      >
        {ordered.map(({ key, name }) => (
          <TriggerLine
            key={key}
            name={name.trim()}
            trigger={triggerOf(key)}
            onToggle={() => onToggle(key)}
            onCount={(count) => onCount(key, count)}
          />
        ))}
      </div>
    </>
  );
}
