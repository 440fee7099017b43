import { useState } from "react";
import type { AgentFill } from "../../../lib/dialogs.ts";
import { Button } from "../../../ui/button.tsx";
import type { AgentForm } from "../agent-form.ts";
import { describeChanges, type FormDifference } from "./describe-changes.ts";

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
