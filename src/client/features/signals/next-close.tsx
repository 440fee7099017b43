import { useEffect, useState } from "react";
import { parseInterval } from "../../../domain/interval.ts";
import { barSpanAt } from "../../../strategy/bar-times.ts";
import { clock } from "../../lib/clock.ts";
import { TimeText } from "../../ui/time-text.tsx";

/** Delay between a bar's close and its evaluation, in milliseconds. */
const AFTER_CLOSE_MS = 2_000;

interface NextCloseProps {
  /** Interval of the agent, for instance 90m. */
  readonly interval: string;
}

/** Time of the next evaluation of conditions. */
export function NextClose({ interval }: NextCloseProps) {
  const [now, setNow] = useState(() => clock.now());
  const parsed = parseInterval(interval);
  const closesAt = parsed === null ? null : barSpanAt(parsed.minutes, now).closeTimeMs;
  useEffect(() => {
    if (closesAt === null) return;
    // Capped at a day: longer timers fail in some browsers, and the time is recomputed then
    const wait = Math.min(closesAt + AFTER_CLOSE_MS - clock.now(), 86_400_000);
    const timer = setTimeout(() => setNow(clock.now()), wait);
    return () => clearTimeout(timer);
  }, [closesAt]);
  if (closesAt === null) return null;
  return (
    <span className="whitespace-nowrap">
      The next bar closes <TimeText at={new Date(closesAt).toISOString()} as="short" />
    </span>
  );
}
