import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { AlertDialog } from "../../ui/alert-dialog.tsx";
import { Button } from "../../ui/button.tsx";
import { AlertItem, type AlertRow, calledOf } from "./alert-item.tsx";

export interface AlertListProps {
  readonly alerts: readonly AlertRow[];
  /** Message for the charting platform with a place for the name; null until the agent exists. */
  readonly alertText: string | null;
  /** Fault of the list as a whole. */
  readonly error: string | null;
  /** Returns the fault of one alert. */
  readonly errorOf: (key: string) => string | null;
  /** Returns the number of rules that use the alert. */
  readonly ruleCountOf: (key: string) => number;
  readonly onAdd: () => void;
  readonly onChange: (row: AlertRow) => void;
  readonly onDelete: (key: string) => void;
  /** Renders the condition of an alert; provided by another feature. */
  readonly conditionOf: (alert: AlertRow, called: string) => ReactNode;
}

/** List of an agent's alerts, fired from outside or by the agent's own condition. */
export function AlertList(props: AlertListProps) {
  const { alerts, alertText, ruleCountOf, onDelete } = props;
  const [asked, setAsked] = useState<string | null>(null);
  const requestDelete = (key: string) => (ruleCountOf(key) > 0 ? setAsked(key) : onDelete(key));
  return (
    <section aria-labelledby="alerts-heading" className="flex flex-col gap-2">
      <header className="flex items-center justify-between gap-2">
        <div>
          <h3 id="alerts-heading" className="text-sm font-semibold">
            Alerts
          </h3>
          <p className="text-xs text-muted">
            Sent by your charting platform, or fired here by a built-in condition.
          </p>
        </div>
        <Button size="small" onClick={props.onAdd}>
          <Plus aria-hidden />
          Add alert
        </Button>
      </header>
      {props.error && (
        <p role="alert" className="text-xs text-down">
          {props.error}
        </p>
      )}
      {alerts.length > 0 && (
        <ul className="flex flex-col gap-2">
          {alerts.map((alert) => (
            <AlertItem
              key={alert.key}
              alert={alert}
              alertText={alertText}
              error={props.errorOf(alert.key)}
              onChange={props.onChange}
              onDelete={() => requestDelete(alert.key)}
            >
              {props.conditionOf(alert, calledOf(alert))}
            </AlertItem>
          ))}
        </ul>
      )}
      <AlertDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title="Delete alert"
        actionLabel="Delete alert"
        onAction={() => {
          if (asked !== null) onDelete(asked);
          setAsked(null);
        }}
      >
        This alert is used by {asked === null ? 0 : ruleCountOf(asked)} rule(s). Deleting it will
        also remove it from those rules. Continue?
      </AlertDialog>
    </section>
  );
}
