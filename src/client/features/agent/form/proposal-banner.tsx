import { useState } from "react";
import { Button } from "../../../ui/button.tsx";
import { describeChanges } from "./describe-changes.ts";
import { DifferenceList } from "./difference-list.tsx";
import type { AgentForm } from "../agent-form.ts";

/** Source of the values in the form. */
export type Proposer = "assistant" | "file";

const WORDS: Readonly<Record<Proposer, { filled: string; same: string; discard: string }>> = {
  assistant: {
    filled: "The assistant filled this in. Nothing is saved until you save it.",
    same: "The assistant proposes what is already set.",
    discard: "Discard proposal",
  },
  file: {
    filled: "The file filled this in. Nothing is saved until you save it.",
    same: "The file says what is already set.",
    discard: "Discard file",
  },
};

interface ProposalBannerProps {
  readonly before: AgentForm;
  readonly proposed: AgentForm;
  readonly by: Proposer;
  readonly onDiscard: () => void;
}

/** Banner about values from the assistant or a file; the user can edit, save or discard them. */
export function ProposalBanner({ before, proposed, by, onDiscard }: ProposalBannerProps) {
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
