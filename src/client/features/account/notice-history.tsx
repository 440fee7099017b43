import { type NoticeChannel, type SentNotice } from "../../../contract/notices.ts";
import { channelOf } from "../../../contract/notice-channels/list.ts";
import { Badge } from "../../ui/badge.tsx";
import { TimeText, ZoneNote } from "../../ui/time-text.tsx";

export function nameOf({ kind, label }: Pick<NoticeChannel, "kind" | "label">): string {
  const { form, title } = channelOf(kind);
  return form === null ? label : `${title}, ${label}`;
}

const STATE_WORDS = { waiting: "Waiting", sent: "Sent", given_up: "Given up" } as const;

const TONES = { waiting: "neutral", sent: "up", given_up: "down" } as const;

/** The newest messages with their state, newest first. */
export function NoticeHistory({ history }: { readonly history: readonly SentNotice[] }) {
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
