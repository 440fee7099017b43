import type { ReceivedSignal } from "../../../../contract/signals.ts";
import { CircleCheck } from "lucide-react";
import { reasonText } from "../../../../domain/reasons.ts";
import { useTimes } from "../../../lib/time-zone.ts";
import { type Listening, firstHeard } from "./listening.ts";
import { Badge } from "../../../ui/badge.tsx";

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
