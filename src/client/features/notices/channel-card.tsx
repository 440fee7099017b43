import { Bell, ChevronDown, Mail, Send, Webhook } from "lucide-react";
import { useState } from "react";
import { NOTICE_KINDS, type NoticeKind } from "../../../domain/notice.ts";
import { toastDone, toastError } from "../../lib/toast.ts";
import type { NoticeChanges, NoticeChannel } from "../../queries/notices.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmCode } from "./confirm-code.tsx";
import { CHANNEL_WORDS, EVENT_WORDS } from "./notice-words.ts";

const ICONS = { push: Bell, telegram: Send, email: Mail, webhook: Webhook } as const;

interface ChannelCardProps {
  readonly channel: NoticeChannel;
  readonly changes: NoticeChanges;
}

const nameOf = ({ kind, label }: NoticeChannel): string =>
  kind === "push" ? label : `${CHANNEL_WORDS[kind]}, ${label}`;

/** Awaits a change and shows a toast when it fails. */
async function attempt(work: Promise<unknown>, done?: string): Promise<void> {
  try {
    await work;
    if (done !== undefined) toastDone({ title: done });
  } catch (error) {
    toastError(error);
  }
}

/** A channel with its events, a test button and a remove button. */
export function ChannelCard({ channel, changes }: ChannelCardProps) {
  const [isOpen, setOpen] = useState(false);
  const name = nameOf(channel);
  const Icon = ICONS[channel.kind];
  const count = channel.events.length;
  return (
    <article aria-label={name} className="rounded-md border border-line bg-raised">
      <div className="flex flex-wrap items-center gap-2 px-3 py-2">
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 grow">
          <span className="block truncate text-sm font-medium">{name}</span>
          <span className="block text-xs text-muted">
            {!channel.isConfirmed
              ? "Not confirmed yet"
              : count === NOTICE_KINDS.length
                ? "Everything"
                : `${count} of ${NOTICE_KINDS.length} events`}
          </span>
        </span>
        <span className="flex gap-1.5">
          {channel.isConfirmed && (
            <Button
              size="small"
              aria-label={`Send a test to ${name}`}
              busy={changes.test.isPending && changes.test.variables === channel.id}
              onClick={() => void attempt(changes.test.mutateAsync(channel.id), "Test on its way")}
            >
              Test
            </Button>
          )}
          <Button
            size="small"
            aria-label={`Remove ${name}`}
            busy={changes.remove.isPending && changes.remove.variables === channel.id}
            onClick={() => void attempt(changes.remove.mutateAsync(channel.id))}
          >
            Remove
          </Button>
          <Button
            size="small"
            aria-expanded={isOpen}
            aria-label={`What is sent to ${name}`}
            onClick={() => setOpen(!isOpen)}
          >
            <ChevronDown aria-hidden className={isOpen ? "rotate-180" : undefined} />
          </Button>
        </span>
      </div>
      {channel.lastError !== undefined && (
        <p role="status" className="px-3 pb-2 text-xs text-warn">
          The last message did not arrive. {channel.lastError}
        </p>
      )}
      {!channel.isConfirmed && <ConfirmCode channel={channel} changes={changes} />}
      {isOpen && (
        <EventList
          label={`What is sent to ${name}`}
          events={channel.events}
          onChange={(events) =>
            void attempt(changes.change.mutateAsync({ id: channel.id, events }))
          }
        />
      )}
    </article>
  );
}

interface EventListProps {
  readonly label: string;
  readonly events: readonly NoticeKind[];
  readonly onChange: (events: NoticeKind[]) => void;
}

function EventList({ label, events, onChange }: EventListProps) {
  // A local copy, so that a click before the answer arrives builds on this one
  const [chosen, setChosen] = useState(events);
  const choose = (kind: NoticeKind, isOn: boolean) => {
    const next = NOTICE_KINDS.filter((each) => (each === kind ? isOn : chosen.includes(each)));
    setChosen(next);
    onChange(next);
  };
  return (
    <fieldset aria-label={label} className="grid gap-x-4 border-t px-3 py-2 sm:grid-cols-2">
      {NOTICE_KINDS.map((kind) => (
        <label key={kind} className="flex min-h-7 cursor-pointer items-center gap-2 text-xs">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={chosen.includes(kind)}
            onChange={(event) => choose(kind, event.target.checked)}
          />
          {EVENT_WORDS[kind]}
        </label>
      ))}
    </fieldset>
  );
}
