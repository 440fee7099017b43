import { useTimes } from "../lib/time-zone.ts";
import type { Times } from "../lib/times.ts";

interface TimeTextProps {
  /** ISO text. */
  readonly at: string;
  readonly as: Exclude<keyof Times, "zone">;
  readonly className?: string;
}

/** A moment in the zone chosen in the page; pointing at it says all of it, zone included. */
export function TimeText({ at, as, className }: TimeTextProps) {
  const times = useTimes();
  return (
    <time dateTime={at} title={times.full(at)} className={className}>
      {times[as](at)}
    </time>
  );
}

/** Names the zone once beside a list of times. */
export function ZoneNote({ className }: { readonly className?: string }) {
  return <span className={className}>Times in {useTimes().zone}</span>;
}
