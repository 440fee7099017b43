import { Zap } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { Button } from "../../../ui/button.tsx";
import type { Listening } from "./listening.ts";
import { parseInterval } from "../../../../domain/interval.ts";
import { barSpanAt } from "../../../../strategy/bar-times.ts";
import { clock } from "../../../lib/clock.ts";
import { TimeText } from "../../../ui/time-text.tsx";

interface AlertSourcesProps {
  readonly listening: Listening;
  readonly interval: string;
  /** True while Auto-Trade is on; absent when unknown. */
  readonly isTrading?: boolean | undefined;
  /** Opens the agent's alerts; absent when they are on the same screen. */
  readonly onUseCondition?: (() => void) | undefined;
  /** Instructions for sending alerts from outside. */
  readonly children: ReactNode;
}

/** Overview of alert sources: own conditions, outside, or both. */
export function AlertSources(props: AlertSourcesProps) {
  const { listening, interval, isTrading = true, onUseCondition, children } = props;
  return (
    <>
      <section aria-label="Built-in conditions" className="flex flex-col gap-2">
        <h3 className="text-sm font-semibold">Built-in conditions</h3>
        {listening === "outside" ? (
          <div className="flex flex-wrap items-center justify-between gap-2">
            <p className="min-w-0 grow basis-56 text-xs text-muted">
              Without a charting platform: this agent can watch prices and indicators by itself.
              {!onUseCondition && " Add a condition to an alert under Alerts & rules."}
            </p>
            {onUseCondition && (
              <Button size="small" onClick={onUseCondition}>
                <Zap aria-hidden />
                Use a built-in condition
              </Button>
            )}
          </div>
        ) : (
          <p className="text-xs text-muted">
            {isTrading ? (
              <>
                While Auto-Trade is on, looked at when a bar closes.{" "}
                <NextClose interval={interval} />.
              </>
            ) : (
              "Not looked at while Auto-Trade is off: nothing of that time is listed or traded later."
            )}
          </p>
        )}
      </section>
      {listening === "conditions" ? (
        <details className="border-t pt-3 text-sm">
          <summary className="cursor-pointer text-muted hover:text-ink">
            Send alerts from outside as well
          </summary>
          <div className="pt-3">{children}</div>
        </details>
      ) : (
        <section aria-label="Connect TradingView" className="flex flex-col gap-2 border-t pt-4">
          <h3 className="text-sm font-semibold">Connect TradingView</h3>
          {children}
        </section>
      )}
    </>
  );
}

/** Delay between a bar's close and its evaluation, in milliseconds. */
const AFTER_CLOSE_MS = 2_000;

interface NextCloseProps {
  /** Interval of the agent, for instance 90m. */
  readonly interval: string;
}

/** Time of the next evaluation of conditions. */
function NextClose({ interval }: NextCloseProps) {
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
