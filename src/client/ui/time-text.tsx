import { useTimes, type Times } from "../lib/time-zone.ts";

interface TimeTextProps {
  /** ISO text. */
  readonly at: string;
  readonly as: Exclude<keyof Times, "zone">;
  readonly className?: string;
}

/** Time in the selected zone; the tooltip has the full time with zone. */
export function TimeText({ at, as, className }: TimeTextProps) {
  const times = useTimes();
  return (
    <time dateTime={at} title={times.full(at)} className={className}>
      {times[as](at)}
    </time>
  );
}

/** Note of the time zone for a list of times. */
export function ZoneNote({ className }: { readonly className?: string }) {
  return <span className={className}>Times in {useTimes().zone}</span>;
}
