import { Plus, Trash2 } from "lucide-react";
import { isCloseSignal, type Signal } from "../../../../domain/signal.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Select, type SelectGroup } from "../../../ui/select.tsx";
import type { AgentForm, AlertRow, FormErrorOf, RuleRow, FormChange } from "../agent-form.ts";
import { VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { InlineNumber } from "./inline-number.tsx";
import { useState, useId } from "react";
import { Input } from "../../../ui/input.tsx";
import { clsx } from "clsx";
import { MAX_REQUIRED_COUNT } from "../../../../domain/agent-draft.ts";
import { Badge } from "../../../ui/badge.tsx";
import { signalText } from "../../../lib/signal-text.ts";

interface RuleListProps {
  /** The form's rules with the newest counts. */
  readonly rules: readonly RuleRow[];
  readonly form: AgentForm;
  readonly change: (change: FormChange) => void;
  readonly errorOf: FormErrorOf;
}

/** List of an agent's rules: required alert counts and the resulting action. */
export function RuleList({ rules, ...props }: RuleListProps) {
  return (
    <section aria-labelledby="rules-heading" className="flex flex-col gap-2">
      <header className="flex items-center justify-between gap-2">
        <div>
          <h3 id="rules-heading" className="text-sm font-semibold">
            Rules
          </h3>
          <p className="text-xs text-muted">
            When every checked alert has arrived as often as required, the action is taken once.
          </p>
        </div>
        <Button size="small" onClick={() => props.change({ kind: "add-rule" })}>
          <Plus aria-hidden />
          Add rule
        </Button>
      </header>
      {rules.length === 0 ? (
        <p className="rounded-md border border-dashed border-line p-4 text-center text-xs text-muted">
          No rules yet. Without a rule, alerts are recorded and nothing is traded.
        </p>
      ) : (
        <ol className="flex flex-col gap-2">
          {rules.map((rule, index) => (
            <RuleCard key={rule.key} number={index + 1} rule={rule} {...props} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** Returns the fault of a rule's part; null where it can be saved. */
const portionFault = (portion: number): string | null =>
  Number.isInteger(portion) && portion >= 1 && portion <= 100 ? null : "Choose 1 to 100.";

interface RuleCardProps extends Omit<RuleListProps, "rules"> {
  readonly number: number;
  readonly rule: RuleRow;
}

function RuleCard({ number, rule, form, change, errorOf }: RuleCardProps) {
  const { key } = rule;
  const isSpotOnly = form.venue !== "" && !VENUE_PROFILES[form.venue].sides.includes("short");
  const named = form.alerts.filter((alert) => alert.name.trim() !== "");
  return (
    <li className="flex flex-col gap-3 rounded-md border border-line bg-raised p-3">
      <div className="flex items-center justify-between">
        <h4 className="text-xs font-semibold text-muted">Rule {number}</h4>
        <IconButton
          size="small"
          label={`Delete rule ${number}`}
          icon={<Trash2 aria-hidden />}
          onClick={() => change({ kind: "delete-rule", key })}
        />
      </div>
      <fieldset className="flex min-w-0 flex-col gap-1.5">
        <legend className="mb-1.5 text-2xs font-semibold tracking-wide text-faint">IF</legend>
        {named.length === 0 && <p className="text-xs text-muted">Add an alert first.</p>}
        <TriggerList number={number} rule={rule} alerts={named} change={change} />
        <InlineAlert onAdd={(name) => change({ kind: "add-alert", name, forRule: key })} />
      </fieldset>
      <Field
        label={<span className="text-2xs font-semibold tracking-wide">THEN</span>}
        error={errorOf("rule", key)}
      >
        <Select
          value={rule.action}
          groups={actionGroups(isSpotOnly)}
          placeholder="Select an action"
          onValueChange={(action) => change({ kind: "action", key, action: action as Signal })}
        />
      </Field>
      {rule.action !== "" && isCloseSignal(rule.action) && (
        <div className="flex flex-wrap items-center gap-2 text-xs text-muted">
          <InlineNumber
            label={`Part of the position rule ${number} closes, in percent`}
            prefix="closes"
            suffix="% of the position"
            value={rule.portion ?? 100}
            fault={portionFault(rule.portion ?? 100)}
            onChange={(portion) => change({ kind: "portion", key, portion })}
          />
        </div>
      )}
    </li>
  );
}

/** Field that adds an alert from inside a rule and selects it there. */
function InlineAlert({ onAdd }: { readonly onAdd: (name: string) => void }) {
  const [name, setName] = useState<string | null>(null);
  if (name === null) {
    return (
      <Button size="small" tone="ghost" className="self-start" onClick={() => setName("")}>
        <Plus aria-hidden />
        New alert
      </Button>
    );
  }
  const add = () => {
    if (name.trim() === "") return;
    onAdd(name.trim());
    setName(null);
  };
  return (
    <div className="flex items-center gap-2">
      <Input
        autoFocus
        aria-label="Name of the new alert"
        placeholder="Alert name"
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") {
            event.preventDefault();
            add();
          }
          if (event.key === "Escape") {
            event.stopPropagation();
            setName(null);
          }
        }}
      />
      <Button size="small" disabled={name.trim() === ""} onClick={add}>
        Add
      </Button>
    </div>
  );
}

/** Number of alerts shown before the list scrolls inside the rule. */
const SHOWN_ALERTS = 6;

interface TriggerListProps {
  readonly number: number;
  readonly rule: RuleRow;
  readonly alerts: readonly AlertRow[];
  readonly change: (change: FormChange) => void;
}

/** List of the agent's alerts, the rule's first; the order is fixed during editing, so that no line moves. */
function TriggerList({ number, rule, alerts, change }: TriggerListProps) {
  const triggerOf = (key: string) => rule.triggers.find((each) => each.alertKey === key) ?? null;
  const [others] = useState(() =>
    alerts.filter(({ key }) => triggerOf(key) === null).map(({ key }) => key),
  );
  const isOther = ({ key }: AlertRow) => others.includes(key);
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
        {ordered.map(({ key: alertKey, name }) => (
          <TriggerLine
            key={alertKey}
            name={name.trim()}
            trigger={triggerOf(alertKey)}
            onToggle={() => change({ kind: "toggle-trigger", key: rule.key, alertKey })}
            onCount={(count) => change({ kind: "required-count", key: rule.key, alertKey, count })}
          />
        ))}
      </div>
    </>
  );
}

interface TriggerLineProps {
  readonly name: string;
  /** Trigger of the rule; null when the alert is not part of it. */
  readonly trigger: { readonly requiredCount: number; readonly count?: number } | null;
  readonly onToggle: () => void;
  readonly onCount: (count: number) => void;
}

function TriggerLine({ name, trigger, onToggle, onCount }: TriggerLineProps) {
  const id = useId();
  return (
    <div className="flex min-h-8 shrink-0 flex-wrap items-center gap-x-2">
      <span className="flex min-w-0 grow basis-40 items-center gap-2">
        <input
          id={id}
          type="checkbox"
          checked={trigger !== null}
          onChange={onToggle}
          className="size-4 shrink-0 accent-(--accent)"
        />
        <label htmlFor={id} title={name} className="min-w-0 grow truncate text-sm">
          {name}
        </label>
      </span>
      {trigger !== null && (
        <span className="flex items-center gap-2 text-xs text-muted">
          {trigger.count !== undefined && (
            <Badge tone={trigger.count >= trigger.requiredCount ? "up" : "neutral"}>
              {trigger.count} of {trigger.requiredCount}
            </Badge>
          )}
          <input
            type="number"
            min={1}
            max={MAX_REQUIRED_COUNT}
            step={1}
            value={trigger.requiredCount}
            aria-label={`How often ${name} is required`}
            onChange={(event) => {
              const count = event.target.valueAsNumber;
              if (Number.isInteger(count)) onCount(count);
            }}
            className="h-8 w-16 rounded-md border border-line-strong bg-surface px-2 text-right text-sm text-ink"
          />
          <span aria-hidden>times</span>
        </span>
      )}
    </div>
  );
}

/** Short labels of opening actions; their group is titled "Open". */
const OPENINGS: Partial<Readonly<Record<Signal, string>>> = {
  OPEN_LONG: "Long",
  OPEN_SHORT: "Short",
};

const GROUPS: readonly { readonly label: string; readonly actions: readonly Signal[] }[] = [
  { label: "Open", actions: ["OPEN_LONG", "OPEN_SHORT"] },
  { label: "Close", actions: ["CLOSE_LONG", "CLOSE_SHORT"] },
  {
    label: "Reset counters",
    actions: ["RESET_OPEN_LONG", "RESET_OPEN_SHORT", "RESET_CLOSE_LONG", "RESET_CLOSE_SHORT"],
  },
];

/** Returns the options of the THEN select; a spot venue has no shorts. */
export function actionGroups(isSpotOnly: boolean): readonly SelectGroup[] {
  return GROUPS.map(({ label, actions }) => ({
    label,
    options: actions.map((action) => ({
      value: action,
      label: OPENINGS[action] ?? signalText(action),
      ...(isSpotOnly && action.endsWith("SHORT") && { disabled: true, note: "Spot only" }),
    })),
  }));
}
