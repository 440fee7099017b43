import { CircleCheck } from "lucide-react";
import { useTimes } from "../../lib/time-zone.ts";
import type { ReceivedSignal } from "../../queries/signals.ts";
import { OutcomeBadge } from "./outcome-badge.tsx";

/** Watches for the first alert of an agent; green once it is there. */
export function WaitingForAlert({ signals }: { readonly signals: readonly ReceivedSignal[] }) {
  const times = useTimes();
  const first = signals.at(-1);
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
            Your first alert arrived at {times.time(first.receivedAt)}
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
          Waiting for your first alert
        </>
      )}
    </div>
  );
}
