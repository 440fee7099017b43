import { clsx } from "clsx";
import { CircleCheck, CircleX } from "lucide-react";
import { reasonWhat } from "../../../domain/reasons.ts";
import type { Decision } from "../../queries/decisions.ts";
import { checkFigure, checkLabel } from "./decision-words.ts";

type Check = Decision["checks"][number];

/** List of a decision's checks, failed ones first; a bar shows the used share of each limit. */
export function CheckList({
  checks,
  asset,
}: {
  readonly checks: readonly Check[];
  readonly asset: string;
}) {
  const shown = checks.toSorted((one, other) => Number(one.hasPassed) - Number(other.hasPassed));
  return (
    <ul className="grid gap-x-8 gap-y-1.5 text-sm sm:grid-cols-2">
      {shown.map((check) => (
        <CheckRow key={check.name} check={check} asset={asset} />
      ))}
    </ul>
  );
}

function CheckRow({ check, asset }: { readonly check: Check; readonly asset: string }) {
  const { name, hasPassed, figure, limit, unit, reason } = check;
  const Icon = hasPassed ? CircleCheck : CircleX;
  return (
    <li className="flex min-w-0 flex-col gap-0.5">
      <span className="flex items-center gap-2">
        <Icon
          aria-label={hasPassed ? "Passed" : "Failed"}
          className={clsx("size-3.5 shrink-0", hasPassed ? "text-up" : "text-down")}
        />
        <span className="min-w-0 truncate">{checkLabel(name)}</span>
        {unit !== undefined && (
          <span className="ml-auto shrink-0 text-xs text-muted tabular-nums">
            {checkFigure(figure, unit, asset)}
            {limit !== undefined && (
              <span className="text-faint"> / {checkFigure(limit, unit, asset)}</span>
            )}
          </span>
        )}
      </span>
      {figure !== undefined && limit !== undefined && (
        <UseBar share={shareOf(figure, limit)} hasPassed={hasPassed} />
      )}
      {!hasPassed && <span className="pl-5.5 text-xs text-down">{reasonWhat(reason)}</span>}
    </li>
  );
}

/** Returns the used share of a limit as a float, for the bar's length only. */
const shareOf = (figure: string, limit: string): number => {
  const most = Number(limit);
  return most <= 0 ? 1 : Math.min(1, Math.max(0, Number(figure) / most));
};

function UseBar({ share, hasPassed }: { readonly share: number; readonly hasPassed: boolean }) {
  return (
    <span aria-hidden className="ml-5.5 block h-0.5 overflow-hidden rounded-full bg-line">
      <span
        className={clsx("block h-full", hasPassed ? "bg-accent" : "bg-down")}
        style={{ width: `${100 * share}%` }}
      />
    </span>
  );
}
