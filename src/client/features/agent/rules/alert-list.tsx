import { Plus, Trash2, Zap } from "lucide-react";
import { type ReactNode, useState, Suspense, useId } from "react";
import { AlertDialog } from "../../../ui/alert-dialog.tsx";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Field } from "../../../ui/field.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Input } from "../../../ui/input.tsx";
import type { ChartPreview } from "../../../lib/chart-preview.ts";
import type { AgentForm, AlertRow, FormErrorOf, FormChange } from "../agent-form.ts";
import type { PreviewMarket } from "./condition-preview.tsx";
import { fillAlertText } from "./alert-text.ts";
import { ASSETS } from "../../../../venues/profiles.ts";
import { checkCondition } from "../../../../domain/condition/check-condition.ts";
import type { AlertCondition as Condition } from "../../../../domain/condition/condition.ts";
import { firingText } from "../../../../domain/condition/condition-text.ts";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { FIRST_CONDITION } from "./condition-changes.ts";
import { ConditionForm } from "./condition-form.tsx";

interface AlertListProps {
  readonly form: AgentForm;
  readonly change: (change: FormChange) => void;
  readonly errorOf: FormErrorOf;
  /** Message for the charting platform with a place for the name; null until it is shown. */
  readonly alertText: string | null;
  readonly showTexts: ReactNode;
  /** Market for evaluating conditions; null until asset and interval are chosen. */
  readonly market: PreviewMarket | null;
  readonly onShowOnChart: (preview: ChartPreview) => void;
}

/** List of an agent's alerts, fired from outside or by the agent's own condition. */
export function AlertList(props: AlertListProps) {
  const { form, change, errorOf, alertText } = props;
  const { alerts } = form;
  const [asked, setAsked] = useState<string | null>(null);
  const ruleCountOf = (key: string) =>
    form.rules.filter(({ triggers }) => triggers.some(({ alertKey }) => alertKey === key)).length;
  const onDelete = (key: string) => change({ kind: "delete-alert", key });
  const onChange = (row: AlertRow) => change({ kind: "change-alert", row });
  const error = errorOf("alerts");
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
        <Button size="small" onClick={() => change({ kind: "add-alert" })}>
          <Plus aria-hidden />
          Add alert
        </Button>
      </header>
      {error && (
        <p role="alert" className="text-xs text-down">
          {error}
        </p>
      )}
      {alerts.length > 0 && props.showTexts}
      {alerts.length > 0 && (
        <ul className="flex flex-col gap-2">
          {alerts.map((alert) => (
            <AlertItem
              key={alert.key}
              alert={alert}
              alertText={alertText}
              error={errorOf("alert", alert.key)}
              onChange={onChange}
              onDelete={() => requestDelete(alert.key)}
            >
              <AlertCondition
                called={calledOf(alert)}
                market={props.market}
                onShowOnChart={props.onShowOnChart}
                condition={alert.condition}
                onChange={(condition) => onChange({ ...alert, condition })}
              />
            </AlertItem>
          ))}
        </ul>
      )}
      <AlertDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
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

/** Longest alert name the server takes. */
const MAX_NAME = 100;
const MAX_DESCRIPTION = 1_000;

/** Returns an alert's name, or "unnamed alert" while it has none. */
const calledOf = ({ name }: AlertRow): string => name.trim() || "unnamed alert";

interface AlertItemProps {
  readonly alert: AlertRow;
  readonly alertText: string | null;
  readonly error: string | null;
  readonly onChange: (row: AlertRow) => void;
  readonly onDelete: () => void;
  /** Editor of the alert's condition. */
  readonly children: ReactNode;
}

function AlertItem({ alert, alertText, error, onChange, onDelete, children }: AlertItemProps) {
  const name = alert.name.trim();
  const called = calledOf(alert);
  return (
    <li className="flex items-start gap-2 rounded-md border border-line bg-raised p-2">
      <div className="grid min-w-0 grow gap-2 sm:grid-cols-[2fr_3fr]">
        <Field label="Alert name" hideLabel error={error}>
          <Input
            value={alert.name}
            maxLength={MAX_NAME}
            placeholder="Alert name"
            onChange={(event) => onChange({ ...alert, name: event.target.value })}
          />
        </Field>
        <Field label={`Description of ${called}`} hideLabel>
          <Input
            value={alert.description}
            maxLength={MAX_DESCRIPTION}
            placeholder="Description (optional)"
            onChange={(event) => onChange({ ...alert, description: event.target.value })}
          />
        </Field>
        <div className="flex min-w-0 flex-col sm:col-span-2">{children}</div>
      </div>
      <div className="flex h-8 shrink-0 items-center">
        {alertText !== null && name !== "" && (
          <CopyButton
            text={fillAlertText(alertText, name)}
            label={`Copy alert action of ${called}`}
          />
        )}
        <IconButton
          size="small"
          label={`Delete ${called}`}
          icon={<Trash2 aria-hidden />}
          onClick={onDelete}
        />
      </div>
    </li>
  );
}

const ConditionPreview = lazyPart(() => import("./condition-preview.tsx"));

interface AlertConditionProps {
  /** Display name of the alert. */
  readonly called: string;
  readonly condition: Condition | null;
  readonly onChange: (condition: Condition | null) => void;
  /** Market of the preview; null until asset and interval are chosen. */
  readonly market: PreviewMarket | null;
  /** Opens the Chart tab with the condition's past firings. */
  readonly onShowOnChart: (preview: ChartPreview) => void;
}

/** Condition of one alert as a sentence, with an editor on demand. */
export function AlertCondition(props: AlertConditionProps) {
  const { called, condition, onChange, market, onShowOnChart } = props;
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  if (condition === null) {
    return (
      <Button
        size="small"
        tone="ghost"
        className="self-start"
        aria-label={`Add a built-in condition to ${called}`}
        onClick={() => {
          onChange(FIRST_CONDITION);
          setOpen(true);
        }}
      >
        <Zap aria-hidden />
        Add a built-in condition
      </Button>
    );
  }
  const fault = checkCondition(condition, market?.intervalMinutes ?? null, ASSETS);
  return (
    <section aria-label={`Condition of ${called}`} className="flex flex-col gap-2">
      <div className="flex items-start gap-2">
        <Zap aria-hidden className="mt-0.5 size-4 shrink-0 text-accent-text" />
        <p className="min-w-0 grow text-sm wrap-break-word" aria-live={isOpen ? "polite" : "off"}>
          {fault === null ? (
            `Fires ${firingText(condition)}`
          ) : (
            <span className="text-down">Not finished: {fault.reason}</span>
          )}
        </p>
        <Button
          size="small"
          aria-expanded={isOpen}
          aria-controls={isOpen ? id : undefined}
          aria-label={`${isOpen ? "Close" : "Edit"} condition of ${called}`}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? "Close" : "Edit"}
        </Button>
      </div>
      {isOpen && (
        <div id={id} className="flex flex-col gap-3 border-t pt-3">
          <ConditionForm
            condition={condition}
            intervalMinutes={market?.intervalMinutes ?? null}
            onChange={onChange}
          />
          {fault === null && market !== null && (
            <Suspense fallback={<Skeleton className="h-36" />}>
              <ConditionPreview {...market} condition={condition} onShowOnChart={onShowOnChart} />
            </Suspense>
          )}
          {fault === null && market === null && (
            <p className="text-xs text-muted">
              Choose an asset and an interval to see where it would have fired.
            </p>
          )}
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="min-w-0 grow basis-56 text-xs text-muted">
              Fired here, on closed bars of the agent's interval only. It may still be fired from
              outside with the alert's text.
            </p>
            <Button size="small" tone="caution" onClick={() => onChange(null)}>
              Remove condition
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}
