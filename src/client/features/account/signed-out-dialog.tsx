import { type ChangeOfSession, MAX_CHANGES } from "../../../contract/auth.ts";
import { ChangeLines, changeText } from "../../ui/change-lines.tsx";
import { closeDialog } from "../../lib/dialogs.ts";
import { type Times, useTimes } from "../../lib/time-zone.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ZoneNote } from "../../ui/time-text.tsx";

/** Dialog after signing out everywhere: what each browser and assistant changed, and so what a stranger left. */
export default function SignedOutDialog({ changes }: { changes: readonly ChangeOfSession[] }) {
  const times = useTimes();
  return (
    <Dialog
      onClose={closeDialog}
      title="Signed out everywhere"
      description="What browsers and assistants changed in the last seven days. It stays as it is: sign in again and put right what you did not do."
      footer={<Button onClick={closeDialog}>Close</Button>}
      isText
    >
      <ChangeLines
        lines={changes.map((change, id) => ({
          id,
          at: change.at,
          text: `${change.subject === null ? "" : `${change.subject}: `}${changeText(change)}${change.times > 1 ? ` (${change.times} times)` : ""}`,
          by: makerOf(change, times),
        }))}
      />
      <p className="flex flex-wrap justify-between gap-x-4 pt-2 text-2xs text-faint">
        <ZoneNote />
        {changes.length === MAX_CHANGES && `Only the first ${MAX_CHANGES} are listed.`}
      </p>
    </Dialog>
  );
}

/** Names who made a change, as an owner knows a browser or assistant again. */
function makerOf({ isCurrent, isAssistant, name, since }: ChangeOfSession, times: Times): string {
  if (since === null) return "A browser or assistant that ended some days ago";
  const began = isAssistant ? "an assistant or token let in" : "signed in";
  return `${isCurrent ? `This browser (${name})` : name}, ${began} ${times.short(since)}`;
}
