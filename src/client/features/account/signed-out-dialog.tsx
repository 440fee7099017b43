import { type ChangeOfSession, MAX_CHANGES } from "../../../contract/auth.ts";
import { changeText } from "../../lib/change-words.ts";
import { closeDialog } from "../../lib/dialogs.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TimeText, ZoneNote } from "../../ui/time-text.tsx";

interface SignedOutDialogProps {
  /** Not empty. */
  readonly changes: readonly ChangeOfSession[];
}

/** Dialog after signing out everywhere: what each browser and assistant changed, so that the owner sees what a stranger left. */
export default function SignedOutDialog({ changes }: SignedOutDialogProps) {
  const makerOf = ({ name, since }: ChangeOfSession) => `${since} ${name}`;
  const makers = new Map(changes.map((change) => [makerOf(change), change]));
  return (
    <Dialog
      onClose={closeDialog}
      title="Signed out everywhere"
      description="What browsers and assistants changed in the last seven days. It stays as it is: sign in again and put right what you did not do."
      footer={<Button onClick={closeDialog}>Close</Button>}
      isText
    >
      <div className="flex flex-col gap-4 text-sm">
        {[...makers].map(([key, maker]) => (
          <section key={key} className="flex flex-col gap-1">
            <h3 className="text-xs font-semibold text-muted">
              <Maker {...maker} />
            </h3>
            <ul className="divide-y divide-line rounded-md border border-line">
              {changes
                .filter((change) => makerOf(change) === key)
                .map((change, index) => (
                  <li key={index} className="flex items-baseline justify-between gap-3 px-3 py-1.5">
                    <span className="min-w-0 wrap-anywhere">
                      {change.subject !== undefined && `${change.subject}: `}
                      {changeText(change)}
                      {change.times > 1 && (
                        <span className="text-muted"> ({change.times} times)</span>
                      )}
                    </span>
                    <TimeText
                      at={change.at}
                      as="short"
                      className="shrink-0 text-xs whitespace-nowrap text-faint"
                    />
                  </li>
                ))}
            </ul>
          </section>
        ))}
        {changes.length === MAX_CHANGES && (
          <p className="text-xs text-warn">Only {MAX_CHANGES} kinds of changes are listed.</p>
        )}
        <ZoneNote className="text-2xs text-faint" />
      </div>
    </Dialog>
  );
}

/** Names who made changes, as an owner knows a browser or assistant again. */
function Maker({ isCurrent, isAssistant, name, since }: ChangeOfSession) {
  if (name === undefined) return "A browser or assistant that ended some days ago";
  return (
    <>
      {isCurrent ? `This browser (${name})` : name},{" "}
      {isAssistant ? "an assistant or token since" : "signed in"}{" "}
      {since !== undefined && <TimeText at={since} as="short" />}
    </>
  );
}
