import { assetsReadBy } from "../../../../strategy/warm-up.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Hourglass } from "lucide-react";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import type { Agent } from "../../../../contract/agent.ts";
import { listAlerts } from "../../../../contract/alerts.ts";
import { operandText, firingText } from "../../../../domain/condition/condition-text.ts";
import { parseInterval } from "../../../../domain/interval.ts";
import {
  type NamedCondition,
  warmUpBars,
  createConditionEvaluator,
} from "../../../../strategy/evaluate-conditions.ts";
import { barSpanAt, type Bar } from "../../../../strategy/bar-times.ts";
import { assetOf, symbolOf } from "../../../../venues/profiles.ts";
import { clock } from "../../../lib/clock.ts";
import { candleHistoryQuery } from "../../../queries/candle-history.ts";
import { useRead } from "../../../queries/read.ts";
import { Badge } from "../../../ui/badge.tsx";
import { NotLoaded } from "../../../ui/not-loaded.tsx";
import { TimeText } from "../../../ui/time-text.tsx";
import type { AlertCondition, Comparison } from "../../../../domain/condition/condition.ts";
import { createScheduleClock } from "../../../../strategy/schedule.ts";
import type { ComparedFigures } from "../../../../strategy/firing.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Longest bar whose part so far is read in minutes; longer ones are read in quarters of an hour. */
const READ_IN_MINUTES_TO = 1_440;

interface NextDecisionProps {
  readonly agent: Agent;
  /** Shows the conditions from the start; otherwise one click away. */
  readonly isOpen?: boolean | undefined;
  /** Actions beside the conditions. */
  readonly children?: ReactNode;
}

/**
 * Countdown to the next bar of an agent that is on, with the figure of each condition beside its threshold; nothing
 * where the agent is off or has no condition of its own.
 */
export default function NextDecision({ agent, isOpen = false, children }: NextDecisionProps) {
  const alerts = useRead(listAlerts, { params: { agentId: agent.id } }).data;
  const conditions = useMemo(
    () =>
      (alerts ?? []).flatMap(({ name, condition }) =>
        condition === undefined ? [] : [{ alertKey: name, condition }],
      ),
    [alerts],
  );
  const minutes = parseInterval(agent.interval)?.minutes ?? null;
  const [isShown, setShown] = useState(isOpen);
  if (agent.autoTrade !== "on" || minutes === null || conditions.length === 0) return null;
  return (
    <details
      open={isShown}
      onToggle={(event) => setShown(event.currentTarget.open)}
      className="rounded-md border border-line bg-raised text-sm"
    >
      <summary className="flex min-h-10 cursor-pointer flex-wrap items-center gap-x-2 gap-y-0.5 px-3 py-1.5">
        <Hourglass aria-hidden className="size-4 shrink-0 text-accent-text" />
        <Countdown intervalMinutes={minutes} />
      </summary>
      {isShown && <Conditions agent={agent} conditions={conditions} intervalMinutes={minutes} />}
      {children !== undefined && <div className="px-3 pb-3">{children}</div>}
    </details>
  );
}

/** Returns the present time, renewed at each full `everyMs`. */
function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => clock.now());
  useEffect(() => {
    const timer = setTimeout(() => setNow(clock.now()), everyMs - (now % everyMs));
    return () => clearTimeout(timer);
  }, [now, everyMs]);
  return now;
}

/** Returns a duration as a clock shows it, for instance 12:05, 1:12:05 or 3 d 01:12:05. */
function clockText(leftMs: number): string {
  const seconds = Math.max(0, Math.ceil(leftMs / SECOND_MS));
  const two = (part: number) => String(part).padStart(2, "0");
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3_600);
  const rest = `${two(Math.floor((seconds % 3_600) / 60))}:${two(seconds % 60)}`;
  if (days > 0) return `${days} d ${two(hours)}:${rest}`;
  return hours > 0 ? `${hours}:${rest}` : rest;
}

function Countdown({ intervalMinutes }: { readonly intervalMinutes: number }) {
  const now = useNow(SECOND_MS);
  const { closeTimeMs } = barSpanAt(intervalMinutes, now);
  return (
    <>
      <span className="font-medium">
        Decides in{" "}
        <span role="timer" className="tabular-nums">
          {clockText(closeTimeMs - now)}
        </span>
      </span>
      <span className="text-xs text-muted">
        when the bar closes at <TimeText at={new Date(closeTimeMs).toISOString()} as="short" />
      </span>
    </>
  );
}

interface ConditionsProps {
  readonly agent: Agent;
  readonly conditions: readonly NamedCondition[];
  readonly intervalMinutes: number;
}

function Conditions({ agent, conditions, intervalMinutes }: ConditionsProps) {
  const now = useNow(MINUTE_MS);
  const { figures, isError, retry } = useFigures(agent, conditions, intervalMinutes, now);
  return (
    <div className="flex flex-col gap-2 border-t px-3 py-2.5">
      {isError && figures === null && (
        <NotLoaded onRetry={retry}>The bars could not be loaded.</NotLoaded>
      )}
      <ul aria-label="Conditions of the next bar" className="flex flex-col gap-1.5 text-xs">
        {conditions.map(({ alertKey, condition }) => {
          const shown = figures?.find((each) => each.alertKey === alertKey);
          const scheduledMs =
            condition.kind === "comparisons"
              ? null
              : nextScheduled(condition, intervalMinutes, now);
          return (
            <li key={alertKey} className="flex flex-wrap items-baseline gap-x-2">
              <span className="min-w-0 font-medium wrap-break-word">{alertKey}</span>
              {condition.kind === "comparisons" && shown !== undefined ? (
                shown.lines.map((line) => (
                  <span key={line} className="text-muted tabular-nums">
                    {line}
                  </span>
                ))
              ) : (
                <span className="text-muted">fires {firingText(condition)}</span>
              )}
              {scheduledMs !== null && (
                <span className="text-muted">
                  next <TimeText at={new Date(scheduledMs).toISOString()} as="short" />
                </span>
              )}
              {shown?.wouldFire === true && <Badge tone="up">Fires if the bar closes so</Badge>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Figures of the conditions on the bar that is still open; null until they are known. */
function useFigures(
  agent: Agent,
  conditions: readonly NamedCondition[],
  intervalMinutes: number,
  now: number,
) {
  const span = barSpanAt(intervalMinutes, now);
  const { openTimeMs, closeTimeMs } = span;
  const of = { network: agent.network, symbol: symbolOf(assetOf(agent.marketId)) };
  const warmUp = Math.ceil(warmUpBars(conditions, intervalMinutes) * 1.1) + 2;
  const fromMs = Math.max(0, openTimeMs - warmUp * intervalMinutes * MINUTE_MS);
  const beside = assetsReadBy(conditions.map(({ condition }) => condition));
  const closed = useQuery(
    candleHistoryQuery({ ...of, intervalMinutes, fromMs, toMs: openTimeMs, beside }),
  );
  const stepMinutes = intervalMinutes > READ_IN_MINUTES_TO ? 15 : 1;
  const toMs = barSpanAt(stepMinutes, now).openTimeMs;
  const since = useQuery({
    ...candleHistoryQuery({ ...of, intervalMinutes: stepMinutes, fromMs: openTimeMs, toMs }),
    enabled: toMs > openTimeMs,
    gcTime: 2 * MINUTE_MS,
    placeholderData: keepPreviousData,
  });
  const figures = useMemo((): readonly NextFigures[] | null => {
    if (closed.data === undefined) return null;
    const { besideNext } = closed.data;
    const open = openBar(since.data?.bars ?? [], { openTimeMs, closeTimeMs, beside: besideNext });
    return nextFigures(conditions, { closed: closed.data.bars, open }, intervalMinutes);
  }, [conditions, closed.data, since.data, openTimeMs, closeTimeMs, intervalMinutes]);
  return { figures, isError: closed.isError, retry: closed.refetch };
}

/** What a condition compares now. */
interface NextFigures {
  readonly alertKey: string;
  /** One line for each comparison, for instance "RSI 14 48.8, fires on a cross below 30". */
  readonly lines: readonly string[];
  /** True where the condition would fire if the bar closed now. */
  readonly wouldFire: boolean;
}

/** Merges the shorter bars since `openTimeMs` into the bar that is still open; null without any. */
export function openBar(
  shorter: readonly Bar[],
  span: Pick<Bar, "openTimeMs" | "closeTimeMs" | "beside">,
): Bar | null {
  const within = shorter.filter(({ openTimeMs }) => openTimeMs >= span.openTimeMs);
  const first = within[0];
  const last = within.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    ...span,
    open: first.open,
    high: Math.max(...within.map(({ high }) => high)),
    low: Math.min(...within.map(({ low }) => low)),
    close: last.close,
    volume: within.reduce((sum, { volume }) => sum + volume, 0),
  };
}

/** Evaluates conditions on closed bars and the open one, with the code that fires alerts in production. */
export function nextFigures(
  conditions: readonly NamedCondition[],
  { closed, open }: { readonly closed: readonly Bar[]; readonly open: Bar | null },
  intervalMinutes: number,
): readonly NextFigures[] {
  const evaluator = createConditionEvaluator(conditions, intervalMinutes);
  for (const bar of closed) evaluator.next(bar);
  const fired = open === null ? [] : evaluator.next(open);
  return conditions.map(({ alertKey, condition }) => ({
    alertKey,
    lines: linesOf(condition, evaluator.compared(alertKey)),
    wouldFire: fired.some((firing) => firing.alertKey === alertKey),
  }));
}

function linesOf(condition: AlertCondition, figures: readonly ComparedFigures[]): string[] {
  if (condition.kind !== "comparisons") return [];
  const verb = condition.all.length === 1 ? "fires" : "needs";
  return condition.all.map((comparison, at) => lineOf(comparison, verb, figures[at]));
}

function lineOf(comparison: Comparison, verb: string, figures: ComparedFigures | undefined) {
  const { left } = comparison;
  const isPair = "right" in comparison;
  const isExact = left.kind === "price" || (isPair && comparison.right.kind !== "number");
  const name = operandText(left);
  const now = figures?.left ?? Number.NaN;
  // The position's figures are the server's: here its entry is not known
  const shown =
    left.kind === "position"
      ? `${name} of an open position`
      : Number.isNaN(now)
        ? `${name} not known yet`
        : `${name} ${figureText(now, isExact)}`;
  const threshold = thresholdText(comparison, figures?.right ?? Number.NaN);
  const isEvent = comparison.is !== "above" && comparison.is !== "below";
  const link = verb === "fires" && isEvent ? ("right" in comparison ? "on " : "after ") : "";
  return `${shown}, ${verb} ${link}${threshold}`;
}

const RELATIONS = {
  above: "above",
  below: "below",
  "crosses-above": "a cross above",
  "crosses-below": "a cross below",
} as const;

function thresholdText(comparison: Comparison, right: number): string {
  if (!("right" in comparison)) {
    const { bars, is } = comparison;
    const course = is === "rises-for" ? "rising" : "falling";
    return `${bars} ${course} ${bars === 1 ? "bar" : "bars"}`;
  }
  const threshold = operandText(comparison.right);
  const isKnown = comparison.right.kind !== "number" && !Number.isNaN(right);
  const figure = isKnown ? ` (${figureText(right, true)})` : "";
  return `${RELATIONS[comparison.is]} ${threshold}${figure}`;
}

/** Significant digits of a figure that is compared with another figure, or is a price. */
const EXACT_DIGITS = 6;
const ROUND_DIGITS = 3;

/** Returns a figure for reading; whole units are never rounded away. */
function figureText(figure: number, isExact: boolean): string {
  const wholeDigits = Math.trunc(Math.abs(figure)).toString().length;
  const digits = Math.max(isExact ? EXACT_DIGITS : ROUND_DIGITS, wholeDigits);
  return String(Number(figure.toPrecision(digits)));
}

/** Number of bars that a schedule is looked for in, more than its longest period. */
const MOST_BARS = 11_000;

/** Returns the close at which a schedule fires next, Unix milliseconds; null where none is in reach. */
export function nextScheduled(
  schedule: Exclude<AlertCondition, { readonly kind: "comparisons" }>,
  intervalMinutes: number,
  nowMs: number,
): number | null {
  const isDue = createScheduleClock(schedule, intervalMinutes);
  let { openTimeMs, closeTimeMs } = barSpanAt(intervalMinutes, nowMs);
  for (let bars = 0; bars < MOST_BARS; bars += 1) {
    // The bar before closed when this one opened
    if (isDue(openTimeMs, closeTimeMs, openTimeMs)) return closeTimeMs;
    ({ openTimeMs, closeTimeMs } = barSpanAt(intervalMinutes, closeTimeMs));
  }
  return null;
}
