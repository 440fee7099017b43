import { useState } from "react";
import type { AgentFill } from "../../../lib/dialogs.ts";
import { Button } from "../../../ui/button.tsx";
import {
  type AgentForm,
  intervalText,
  portionOf,
  type AlertRow,
  type RuleRow,
} from "../agent-form.ts";
import { checkCondition } from "../../../../domain/condition/check-condition.ts";
import { firingText } from "../../../../domain/condition/condition-text.ts";
import { signalText } from "../../../lib/signal-text.ts";
import { ASSETS, VENUE_PROFILES } from "../../../../venues/profiles.ts";
import { planText } from "../../../../domain/plan/plan-words.ts";
import { planFault } from "./check-form.ts";

/** List of removed and added lines. */
export function DifferenceList({ changes }: { readonly changes: readonly FormDifference[] }) {
  return (
    <ul className="flex flex-col gap-1">
      {changes.map(({ label, before: old, after }, index) => (
        <li key={index} className="flex flex-wrap gap-x-2">
          <span className="w-20 shrink-0 text-muted">{label}</span>
          <span className="min-w-0 grow basis-40 wrap-break-word">
            {old !== null && old !== "" && (
              <del className="text-down">
                <span className="sr-only">removed </span>
                {old}
              </del>
            )}
            {old !== null && old !== "" && after !== null && after !== "" && " "}
            {after !== null && after !== "" && (
              <ins className="text-up no-underline">
                <span aria-hidden>+ </span>
                <span className="sr-only">added </span>
                {after}
              </ins>
            )}
            {after === "" && <span className="text-warn"> left open: choose one</span>}
          </span>
        </li>
      ))}
    </ul>
  );
}

const WORDS: Readonly<Record<AgentFill["kind"], Record<"filled" | "same" | "discard", string>>> = {
  file: {
    filled: "The file filled this in. Nothing is saved until you save it.",
    same: "The file says what is already set.",
    discard: "Discard file",
  },
  copy: {
    filled: "This is a copy of another agent. Nothing is saved until you create it.",
    same: "The other agent is as empty as a new one.",
    discard: "Discard copy",
  },
  market: {
    filled: "The market you chose is filled in. Nothing is saved until you create it.",
    same: "A new agent trades the market you chose. Nothing is saved until you create it.",
    discard: "Discard market",
  },
  starter: {
    filled: "The starter filled this in. Nothing is saved until you create it.",
    same: "The starter says what is already set.",
    discard: "Discard starter",
  },
};

interface FillBannerProps {
  readonly before: AgentForm;
  readonly proposed: AgentForm;
  readonly by: AgentFill["kind"];
  readonly onDiscard: () => void;
}

/** Banner about what filled the form; the user can edit, save or discard them. */
export function FillBanner({ before, proposed, by, onDiscard }: FillBannerProps) {
  const [isShown, setShown] = useState(true);
  const changes = describeChanges(before, proposed);
  if (!isShown) return null;
  return (
    <section
      aria-label="Proposed changes"
      className="mb-4 flex flex-col gap-2 rounded-md border border-line-strong bg-accent-soft p-3 text-xs"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="font-semibold">{changes.length === 0 ? WORDS[by].same : WORDS[by].filled}</p>
        <Button
          size="small"
          onClick={() => {
            setShown(false);
            onDiscard();
          }}
        >
          {WORDS[by].discard}
        </Button>
      </div>
      <DifferenceList changes={changes} />
    </section>
  );
}

/** Line of a diff: removed text, added text, or both. */
export interface FormDifference {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Row = readonly [label: string, key: string, text: string];

function ruleText(rule: RuleRow, form: AgentForm): string {
  const { action, triggers } = rule;
  const portion = portionOf(rule);
  const names = triggers.map(({ alertKey, requiredCount }) => {
    const name = form.alerts.find(({ key }) => key === alertKey)?.name ?? "";
    return `${name} × ${requiredCount}`;
  });
  const part = portion === undefined ? "" : ` ${portion}%`;
  return `${action === "" ? "No action" : signalText(action)}${part} when ${names.join(" and ") || "nothing"}`;
}

function alertText({ name, description, condition }: AlertRow): string {
  const called = description === "" ? name : `${name}: ${description}`;
  if (condition === null) return called;
  const isWhole = checkCondition(condition, null, ASSETS) === null;
  return `${called}, fires ${isWhole ? firingText(condition) : "…"}`;
}

const planTextOf = (form: AgentForm): string => {
  if (form.plan === null) return "";
  return planFault(form) === null ? planText(form.plan) : "…";
};

function rowsOf(form: AgentForm): readonly Row[] {
  return [
    ["Venue", "venue", form.venue === "" ? "" : VENUE_PROFILES[form.venue].label],
    ["Asset", "asset", form.marketId],
    ["Interval", "interval", intervalText(form)],
    ["Slippage", "slippage", form.slippage === "" ? "" : `${form.slippage}%`],
    [
      "Position size",
      "size",
      form.positionSizePercent === "" ? "" : `${form.positionSizePercent}%`,
    ],
    ["Alert age", "age", form.maxSignalAge === "" ? "" : `${form.maxSignalAge} s`],
    ["Plan", "plan", planTextOf(form)],
    ["Leverage", "leverage", form.leverage === 1 ? "" : `${form.leverage} times`],
    ...form.alerts
      .filter(({ name }) => name.trim() !== "")
      .map((alert): Row => ["Alert", `alert ${alert.key}`, alertText(alert)]),
    ...form.rules.map((rule): Row => ["Rule", `rule ${rule.key}`, ruleText(rule, form)]),
  ];
}

/** Returns the edits between two forms; a changed name, which `describeChanges` omits, comes first. */
export function describeEdits(before: AgentForm, after: AgentForm): readonly FormDifference[] {
  const name = { label: "Name", before: before.name, after: after.name };
  const changes = describeChanges(before, after);
  return name.before === name.after ? changes : [name, ...changes];
}

/** Returns the differences of two forms in form order: removals in place, then additions. */
export function describeChanges(before: AgentForm, after: AgentForm): readonly FormDifference[] {
  const was = rowsOf(before);
  const is = rowsOf(after);
  const textOf = (rows: readonly Row[], key: string) =>
    rows.find(([, each]) => each === key)?.[2] ?? null;
  const keys = new Map([...was, ...is].map(([label, key]) => [key, label]));
  return [...keys]
    .map(([key, label]) => ({ label, before: textOf(was, key), after: textOf(is, key) }))
    .filter((line) => line.before !== line.after);
}
