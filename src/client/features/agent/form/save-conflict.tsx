import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import type { FormDifference } from "./describe-changes.ts";
import { DifferenceList } from "./difference-list.tsx";

interface SaveConflictProps {
  /** Changes saved elsewhere since the form was opened. */
  readonly theirs: readonly FormDifference[];
  readonly ours: readonly FormDifference[];
  /** Names of conflicting changes. */
  readonly contested: readonly string[];
  readonly onKeepBoth: () => void;
  readonly onTakeTheirs: () => void;
  /** Returns to the unchanged form without a decision. */
  readonly onBack: () => void;
}

/** Shows changes saved elsewhere while the form was open and asks which to keep. Saves nothing. */
export function SaveConflict(props: SaveConflictProps) {
  const { theirs, ours, contested } = props;
  const lists = [
    ["Saved elsewhere", theirs],
    ["Your changes", ours],
  ] as const;
  return (
    <Dialog
      keepOpenOutside
      onClose={props.onBack}
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
