import type { TradingCondition } from "../../../contract/trading-condition.ts";
import { useTimes } from "../../lib/time-zone.ts";

type ExitInWork = TradingCondition["exits"][number];

const ASKED_BY = {
  owner: "You asked for it",
  alert: "An alert asked for it",
  reversal: "A signal for the other side asked for it",
} as const;

const tries = (attempts: number): string =>
  attempts === 0
    ? "Not tried yet"
    : `Tried ${attempts === 1 ? "once" : attempts === 2 ? "twice" : `${attempts} times`}`;

/** Progress of an exit: closed part, reason for waiting, next attempt and allowed price deviation. */
export function ExitProgress({
  exit,
  isHalted,
}: {
  readonly exit: ExitInWork;
  /** True while no attempts are made, even if one is scheduled. */
  readonly isHalted: boolean;
}) {
  const times = useTimes();
  return (
    <li className="flex flex-col gap-0.5">
      <p className="font-medium">
        Closing the {exit.side} position in {exit.market}
      </p>
      {exit.lastReason !== undefined && <p>{exit.lastReason}</p>}
      <p className="text-muted">
        {ASKED_BY[exit.askedBy]} at {times.clock(exit.askedAt)}. {tries(exit.attempts)}
        {isHalted
          ? ". It is tried again once trading is allowed."
          : `, next try at ${times.clock(exit.nextAttemptAt)}.`}{" "}
        The price may be up to {exit.limitPercent}% worse than the market&apos;s.
      </p>
    </li>
  );
}
