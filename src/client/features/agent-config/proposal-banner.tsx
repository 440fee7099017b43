import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { describeChanges } from "./describe-changes.ts";
import { DifferenceList } from "./difference-list.tsx";
import type { AgentForm } from "./agent-form.ts";

interface ProposalBannerProps {
  readonly before: AgentForm;
  readonly proposed: AgentForm;
  readonly onDiscard: () => void;
}

/** What the assistant filled in. The user edits it like anything else, saves it, or puts everything back. */
export function ProposalBanner({ before, proposed, onDiscard }: ProposalBannerProps) {
  const [isShown, setShown] = useState(true);
  const changes = describeChanges(before, proposed);
  if (!isShown) return null;
  return (
    <section
      aria-label="Proposed changes"
      className="mb-4 flex flex-col gap-2 rounded-md border border-line-strong bg-accent-soft p-3 text-xs"
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="font-semibold">
          {changes.length === 0
            ? "The assistant proposes what is already set."
            : "The assistant filled this in. Nothing is saved until you save it."}
        </p>
        <Button
          size="small"
          onClick={() => {
            setShown(false);
            onDiscard();
          }}
        >
          Discard proposal
        </Button>
      </div>
      <DifferenceList changes={changes} />
    </section>
  );
}
