import { openDialog } from "../../lib/dialogs.ts";
import { Button } from "../../ui/button.tsx";
import type { AnswerProblem } from "./assistant/live-answers.ts";

interface ProblemNoteProps {
  readonly problem: AnswerProblem;
}

/** Note in the answer's place about why there is none. */
export function ProblemNote({ problem }: ProblemNoteProps) {
  return (
    <div
      role="alert"
      className="mb-3 flex flex-col items-start gap-2 rounded-lg bg-down-soft px-3 py-2 text-sm text-down"
    >
      <p>
        <strong className="font-semibold">{problem.title}</strong>
        <br />
        {problem.message}
      </p>
      {problem.isAboutKey && (
        <Button size="small" onClick={() => openDialog({ kind: "api-key" })}>
          API Key
        </Button>
      )}
    </div>
  );
}
