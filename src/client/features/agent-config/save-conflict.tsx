import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import type { FormDifference } from "./describe-changes.ts";
import { DifferenceList } from "./difference-list.tsx";

interface SaveConflictProps {
  /** What was saved elsewhere since the form was opened. */
  readonly theirs: readonly FormDifference[];
  readonly ours: readonly FormDifference[];
  /** What both changed differently. */
  readonly contested: readonly string[];
  readonly onKeepBoth: () => void;
  readonly onTakeTheirs: () => void;
  /** Back to the form as it is; nothing is decided. */
  readonly onBack: () => void;
}

/** Says what changed elsewhere while the form was open, and lets the user choose who keeps what. Nothing is saved by it. */
export function SaveConflict(props: SaveConflictProps) {
  const { theirs, ours, contested } = props;
  const lists = [
    ["Saved elsewhere", theirs],
    ["Your changes", ours],
  ] as const;
  return (
    <Dialog
      open
      keepOpenOutside
      onOpenChange={(open) => !open && props.onBack()}
      title="Changed Elsewhere"
      description="This agent was changed elsewhere since you opened it. Nothing was saved."
      footer={
        <>
          <Button onClick={props.onTakeTheirs}>Drop my changes</Button>
          <Button tone="primary" onClick={props.onKeepBoth}>
            Keep both
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-xs">
        {lists.map(([title, changes]) => (
          <section key={title} aria-label={title} className="flex flex-col gap-1">
            <h3 className="text-sm font-semibold">{title}</h3>
            {changes.length === 0 ? <p className="text-muted">None</p> : null}
            <DifferenceList changes={changes} />
          </section>
        ))}
        <p className="text-muted">
          Keep both puts the two together in the form, for you to look at and save.
          {contested.length > 0 &&
            ` Where both changed the same, yours stays: ${contested.join(", ")}.`}
        </p>
      </div>
    </Dialog>
  );
}
