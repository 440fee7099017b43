import { NothingLoaded } from "../../ui/not-loaded.tsx";
import {
  addNoticeChannel,
  changeNoticeChannel,
  CODE_DIGITS,
  CODE_MINUTES,
  confirmNoticeChannel,
  getNotices,
  type NoticeChannel,
  type Notices,
  removeNoticeChannel,
  sendNoticeCode,
  testNoticeChannel,
  type SentNotice,
} from "../../../contract/notices.ts";
import { describeProblem } from "../../lib/problem.ts";
import { closeDialog } from "../../lib/dialogs.ts";
import { useChange, useRead } from "../../queries/read.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { QuietHoursForm } from "./quiet-hours-form.tsx";
import { Plus, Bell, ChevronDown, Mail, Send, Webhook } from "lucide-react";
import { useState } from "react";
import { NOTICE_KINDS, type NoticeKind } from "../../../domain/notice.ts";
import {
  type ChannelKind,
  channelOf,
  type NewChannel,
} from "../../../contract/notice-channels/list.ts";
import { subscribeBrowser } from "../../lib/browser-push.ts";
import { toastDone, toastProblem } from "../../lib/toast.ts";
import { CopyButton } from "../../ui/copy-button.tsx";
import { TargetForm } from "./target-form.tsx";
import { Field } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Input } from "../../ui/input.tsx";
import { Badge } from "../../ui/badge.tsx";
import { TimeText, ZoneNote } from "../../ui/time-text.tsx";

/** Labels of the events an owner chooses from. */
const EVENT_WORDS: Readonly<Record<NoticeKind, string>> = {
  trade_filled: "Trade filled",
  trade_failed: "Order failed",
  stop_hit: "Stop hit",
  target_hit: "Target reached",
  stop_missing: "Stop could not be placed",
  limit_reached: "Limit reached",
  trading_stopped: "Stopping and stopped",
  custody_changed: "Changed outside Wheelhouse",
  balance_mismatch: "Book differs from the chain",
  source_silent: "No alert for a day",
  order_unknown: "Order unknown for a minute",
  low_sol: "Low on SOL for fees",
  new_browser: "Sign-in from a new browser",
  proposal_made: "An assistant proposes a change",
  assistant_limited: "An assistant calls without end",
};

/** Poll interval while a message is pending, in milliseconds. */
const WAITING_MS = 3_000;

/** Dialog of the wallet's channels, quiet hours and sent messages. */
export default function NoticesDialog() {
  const read = useRead(
    getNotices,
    {},
    {
      refetchInterval: ({ state }) =>
        state.data?.history.some((notice) => notice.state === "waiting") === true
          ? WAITING_MS
          : false,
    },
  );
  const notices = read.data;
  return (
    <Dialog
      onClose={closeDialog}
      title="Notices"
      description="What you are told while this page is closed, and where"
      footer={<Button onClick={closeDialog}>Done</Button>}
    >
      {notices === undefined ? (
        read.isError ? (
          <NothingLoaded title="Your notices could not be loaded" onRetry={read.refetch}>
            {describeProblem(read.error).message}
          </NothingLoaded>
        ) : (
          <Spinner label="Loading notices..." />
        )
      ) : (
        <div className="flex flex-col gap-5">
          <section aria-label="Where" className="flex flex-col gap-2">
            <h3 className="text-sm font-semibold">Where</h3>
            {notices.channels.length === 0 && (
              <p className="text-xs text-muted">
                You are told nothing yet. Add a place and choose what is sent there.
              </p>
            )}
            {notices.channels.map((channel) => (
              <ChannelCard key={channel.id} channel={channel} />
            ))}
            <AddChannel notices={notices} />
          </section>
          <QuietHoursForm quietHours={notices.quietHours} />
          <NoticeHistory history={notices.history} />
        </div>
      )}
    </Dialog>
  );
}

/** Buttons and forms that add a channel of each kind the server offers, with every event chosen. */
function AddChannel({ notices }: { readonly notices: Notices }) {
  const adding = useChange(addNoticeChannel, { toast: "failures" });
  const [asked, setAsked] = useState<ChannelKind | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const [isAsking, setAsking] = useState(false);

  const add = async (channel: NewChannel) => {
    const added = await adding.mutateAsync({ body: channel });
    setSecret(added.secret ?? null);
    toastDone({
      title: "Added",
      message:
        channelOf(channel.kind).codeTo !== undefined
          ? "A code is on its way to that address."
          : "Send a test to see whether it arrives.",
    });
  };
  const addBrowser = async () => {
    setAsking(true);
    const subscribed = await subscribeBrowser(notices.pushKey);
    if (typeof subscribed === "string") toastProblem({ title: "Not added", message: subscribed });
    else await add({ kind: "push", ...subscribed, events: [...NOTICE_KINDS] }).catch(() => {});
    setAsking(false);
  };
  const form = asked === null ? null : channelOf(asked).form;
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
        {notices.offered.map(channelOf).map(({ kind, title, form }) => (
          <Button
            key={kind}
            size="small"
            busy={form === null && isAsking}
            aria-expanded={form === null ? undefined : asked === kind}
            onClick={() =>
              form === null ? void addBrowser() : setAsked(asked === kind ? null : kind)
            }
          >
            <Plus aria-hidden />
            {title}
          </Button>
        ))}
      </div>
      {asked !== null && form !== null && (
        <TargetForm
          key={asked}
          kind={asked}
          form={form}
          busy={adding.isPending}
          onAdd={(channel) =>
            void add(channel).then(
              () => setAsked(null),
              () => {},
            )
          }
        />
      )}
    </>
  );
}

const ICONS = { bell: Bell, send: Send, mail: Mail, webhook: Webhook } as const;

interface ChannelProps {
  readonly channel: NoticeChannel;
}

/** A channel with its events, a test button and a remove button. */
function ChannelCard({ channel }: ChannelProps) {
  const test = useChange(testNoticeChannel, { toast: { title: "Test on its way" } });
  const remove = useChange(removeNoticeChannel, { toast: "failures" });
  const change = useChange(changeNoticeChannel, { toast: "failures" });
  const [isOpen, setOpen] = useState(false);
  const params = { channelId: channel.id };
  const name = nameOf(channel);
  const Icon = ICONS[channelOf(channel.kind).icon];
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
              busy={test.isPending}
              onClick={() => test.mutate({ params })}
            >
              Test
            </Button>
          )}
          <Button
            size="small"
            aria-label={`Remove ${name}`}
            busy={remove.isPending}
            onClick={() => remove.mutate({ params })}
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
      {!channel.isConfirmed && <ConfirmCode channel={channel} />}
      {isOpen && (
        <EventList
          label={`What is sent to ${name}`}
          events={channel.events}
          onChange={(events, undo) =>
            change.mutate({ params, body: { events } }, { onError: undo })
          }
        />
      )}
    </article>
  );
}

interface EventListProps {
  readonly label: string;
  readonly events: readonly NoticeKind[];
  /** `undo` is for a choice that was not taken: what mutes needs the wallet, which may refuse. */
  readonly onChange: (events: NoticeKind[], undo: () => void) => void;
}

function EventList({ label, events, onChange }: EventListProps) {
  // A local copy, so that a click before the answer arrives builds on this one
  const [chosen, setChosen] = useState(events);
  const choose = (kind: NoticeKind, isOn: boolean) => {
    const next = NOTICE_KINDS.filter((each) => (each === kind ? isOn : chosen.includes(each)));
    setChosen(next);
    onChange(next, () => setChosen(chosen));
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

/** Asks for the code that was sent to an address; nothing else is sent there before. */
function ConfirmCode({ channel }: ChannelProps) {
  const params = { channelId: channel.id };
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const confirm = useChange(confirmNoticeChannel, {
    onDone: () => toastDone({ title: "Confirmed", message: "Notices are sent there from now on." }),
  });
  const sendCode = useChange(sendNoticeCode, {
    toast: { title: "A new code is on its way" },
    onDone: () => {
      setCode("");
      setWrong(null);
    },
  });
  const submit = () => {
    const digits = code.replaceAll(/\s/g, "");
    if (digits.length !== CODE_DIGITS || /\D/.test(digits)) {
      return setWrong(`The code has ${CODE_DIGITS} digits.`);
    }
    return confirm.mutate(
      { params, body: { code: digits } },
      { onError: (error) => setWrong(describeProblem(error).message) },
    );
  };
  return (
    <Form
      aria-label={`Confirm ${channel.label}`}
      className="flex flex-col gap-2 border-t px-3 py-2.5"
      onSubmit={submit}
    >
      <Field
        label="Code from the mail"
        hint={`It can be used for ${CODE_MINUTES} minutes. Nothing else is sent there before.`}
        error={wrong}
      >
        <Input
          inputMode="numeric"
          autoComplete="one-time-code"
          placeholder="123456"
          value={code}
          onChange={(event) => {
            setCode(event.target.value);
            setWrong(null);
          }}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="small" busy={sendCode.isPending} onClick={() => sendCode.mutate({ params })}>
          Send a new code
        </Button>
        <Button type="submit" tone="primary" size="small" busy={confirm.isPending}>
          Confirm
        </Button>
      </div>
    </Form>
  );
}

function nameOf({ kind, label }: Pick<NoticeChannel, "kind" | "label">): string {
  const { form, title } = channelOf(kind);
  return form === null ? label : `${title}, ${label}`;
}

const STATE_WORDS = { waiting: "Waiting", sent: "Sent", given_up: "Given up" } as const;

const TONES = { waiting: "neutral", sent: "up", given_up: "down" } as const;

/** The newest messages with their state, newest first. */
function NoticeHistory({ history }: { readonly history: readonly SentNotice[] }) {
  return (
    <section aria-label="Sent" className="flex flex-col gap-2 border-t pt-4">
      <h3 className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm font-semibold">
        Last 50 notices
        <ZoneNote className="text-2xs font-normal text-faint" />
      </h3>
      {history.length === 0 ? (
        <p className="text-xs text-muted">Nothing was sent yet.</p>
      ) : (
        <ol className="divide-y divide-line rounded-md border border-line text-xs">
          {history.map((notice) => (
            <li key={notice.id} className="flex flex-col gap-0.5 px-3 py-2">
              <span className="flex items-start justify-between gap-3">
                <span className="min-w-0 font-medium wrap-anywhere">{notice.title}</span>
                <Badge tone={TONES[notice.state]}>{STATE_WORDS[notice.state]}</Badge>
              </span>
              <span className="text-muted wrap-anywhere">{notice.body}</span>
              <span className="text-faint">
                <TimeText at={notice.at} as="short" />, {placeOf(notice)}
                {notice.attempts > 1 && `, ${notice.attempts} attempts`}
              </span>
              {notice.error !== undefined && notice.state !== "sent" && (
                <span className="text-warn">{notice.error}</span>
              )}
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

const placeOf = ({ channelKind, channelLabel }: SentNotice): string =>
  nameOf({ kind: channelKind, label: channelLabel });
