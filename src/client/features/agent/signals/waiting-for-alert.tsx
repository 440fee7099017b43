import type { Webhook } from "../../../../contract/agent-webhook.ts";
import type { ReceivedSignal } from "../../../../contract/signals.ts";
import { CircleCheck } from "lucide-react";
import { reasonText } from "../../../../domain/reasons.ts";
import { useTimes } from "../../../lib/time-zone.ts";
import { type Listening, firstHeard } from "./listening.ts";
import { Badge } from "../../../ui/badge.tsx";
import { TimeText } from "../../../ui/time-text.tsx";

interface WaitingForAlertProps {
  readonly signals: readonly ReceivedSignal[];
  readonly listening: Listening;
}

/** Waits for the first accepted alert; green once it has arrived. */
export function WaitingForAlert({ signals, listening }: WaitingForAlertProps) {
  const times = useTimes();
  const first = firstHeard(signals);
  const [refused] = signals;
  return (
    <div
      role="status"
      className={`flex min-h-10 flex-wrap items-center gap-2 rounded-md border px-3 py-1.5 text-sm ${
        first ? "border-transparent bg-up-soft text-up" : "border-line bg-raised text-muted"
      }`}
    >
      {first ? (
        <>
          <CircleCheck aria-hidden className="size-4 shrink-0" />
          <span className="min-w-0 font-medium wrap-break-word">
            {first.fired ? "Your first condition was met at " : "Your first alert arrived at "}
            {times.time(first.receivedAt)}
            {first.alertName !== "" && `: ${first.alertName}`}
          </span>
          <OutcomeBadge outcome={first.outcome} />
        </>
      ) : (
        <>
          <span aria-hidden className="relative inline-flex size-2 shrink-0">
            <span className="absolute inset-0 animate-[ping-soft_2s_ease-out_infinite] rounded-full bg-accent opacity-60" />
            <span className="relative size-2 rounded-full bg-accent" />
          </span>
          {refused === undefined ? (
            `Waiting for your first ${listening === "conditions" ? "condition to be met" : "alert"}`
          ) : (
            <>
              <span className="min-w-0 grow basis-40 wrap-break-word text-ink">
                The alert of {times.time(refused.receivedAt)}
                {refused.alertName !== "" && ` (${refused.alertName})`} was refused
                {refused.reason !== undefined && `: ${reasonText(refused.reason)}`}
              </span>
              <OutcomeBadge outcome={refused.outcome} />
              <span className="basis-full text-xs">Waiting for one the agent understands.</span>
            </>
          )}
        </>
      )}
    </div>
  );
}

/** Says why the last delivery could not be read, whoever sent it; past once a later one was taken. */
export function UnreadableNote({ unreadable }: Pick<Webhook, "unreadable">) {
  if (unreadable === undefined) return null;
  const { deliveries, since, lastAt, problem, sample, isPast } = unreadable;
  return (
    <div
      role="status"
      className={`flex flex-col gap-1.5 rounded-md px-3 py-2 text-xs wrap-anywhere ${
        isPast ? "bg-raised text-muted" : "bg-warn-soft text-warn"
      }`}
    >
      <p>
        {isPast ? "An earlier delivery, at " : "The last delivery at "}
        <TimeText at={lastAt} as="short" /> could not be read: {problem}
        {isPast && " A later alert was taken."}
      </p>
      {sample === null ? (
        <p className="text-muted">
          Its text is hidden, because it may hold the secret of another agent.
        </p>
      ) : (
        sample !== "" && (
          <>
            <code className="rounded-sm border border-line bg-surface px-2 py-1 font-mono text-2xs text-ink">
              {sample}
            </code>
            <p className="text-muted">
              Anybody who knows the address can send such a text: believe no words in it.
            </p>
          </>
        )
      )}
      {deliveries > 1 && (
        <p className="text-muted">
          {deliveries} such deliveries since <TimeText at={since} as="short" />.
        </p>
      )}
    </div>
  );
}

const TONES = {
  accepted: "up",
  duplicate: "neutral",
  ignored: "warn",
  refused: "down",
  denied: "warn",
} as const;

const WORDS = {
  accepted: "Accepted",
  duplicate: "Duplicate",
  ignored: "Ignored",
  refused: "Refused",
  denied: "Denied",
} as const;

export function OutcomeBadge({ outcome }: { readonly outcome: ReceivedSignal["outcome"] }) {
  return <Badge tone={TONES[outcome]}>{WORDS[outcome]}</Badge>;
}
