import { Plus } from "lucide-react";
import { useState } from "react";
import { type ChannelKind, NOTICE_KINDS } from "../../../domain/notice.ts";
import { subscribeBrowser } from "../../lib/browser-push.ts";
import { toastDone, toastError, toastProblem } from "../../lib/toast.ts";
import type { NewChannel, NoticeChanges, Notices } from "../../queries/notices.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { TargetForm } from "./target-form.tsx";
import { CHANNEL_WORDS } from "./notice-words.ts";

interface AddChannelProps {
  readonly notices: Notices;
  readonly changes: NoticeChanges;
}

/** Buttons and forms that add a channel of each kind the server offers, with every event chosen. */
export function AddChannel({ notices, changes }: AddChannelProps) {
  const [asked, setAsked] = useState<Exclude<ChannelKind, "push"> | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);

  const add = async (channel: NewChannel): Promise<boolean> => {
    try {
      const added = await changes.add.mutateAsync(channel);
      setSecret(added.secret ?? null);
      toastDone({
        title: "Added",
        message:
          channel.kind === "email"
            ? "A code is on its way to that address."
            : "Send a test to see whether it arrives.",
      });
      return true;
    } catch (error) {
      toastError(error);
      return false;
    }
  };
  const addBrowser = async () => {
    setAsking(true);
    const subscribed = await subscribeBrowser(notices.pushKey);
    if (typeof subscribed === "string") toastProblem({ title: "Not added", message: subscribed });
    else await add({ kind: "push", ...subscribed, events: [...NOTICE_KINDS] });
    setAsking(false);
  };
  return (
    <>
      {secret !== null && (
        <div role="status" className="rounded-md bg-accent-soft px-3 py-2 text-xs text-accent-text">
          <p>The secret our calls are signed with. It is shown only now.</p>
          <p className="mt-1 flex items-center gap-2">
            <code className="min-w-0 font-mono text-2xs break-all">{secret}</code>
            <CopyButton text={secret} label="Copy secret" />
          </p>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        {notices.offered.map((kind) => (
          <Button
            key={kind}
            size="small"
            busy={kind === "push" && isAsking}
            aria-expanded={kind === "push" ? undefined : asked === kind}
            onClick={() =>
              kind === "push" ? void addBrowser() : setAsked(asked === kind ? null : kind)
            }
          >
            <Plus aria-hidden />
            {CHANNEL_WORDS[kind]}
          </Button>
        ))}
      </div>
      {asked !== null && (
        <TargetForm
          key={asked}
          kind={asked}
          busy={changes.add.isPending}
          onAdd={async (channel) => {
            if (await add(channel)) setAsked(null);
          }}
        />
      )}
    </>
  );
}
