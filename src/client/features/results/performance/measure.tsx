import type { ReactNode } from "react";
import { How } from "../../../ui/how.tsx";

interface MeasureProps {
  readonly label: string;
  /** Explanation of its computation, one or two sentences. */
  readonly how: string;
  readonly children: ReactNode;
}

/** Figure in a list with an explanation of its computation. */
export function Measure({ label, how, children }: MeasureProps) {
  return (
    <div className="flex min-h-8 items-center justify-between gap-3 border-b border-line py-1 last:border-b-0">
      <dt className="flex min-w-0 items-center gap-0.5 text-sm text-muted">
        {label}
        <How of={label}>{how}</How>
      </dt>
      <dd className="text-right text-sm font-medium tabular-nums">{children}</dd>
    </div>
  );
}

/** Prominent figure above the list. */
export function Headline({ label, how, children }: MeasureProps) {
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface px-4 py-3">
      <dt className="flex items-center gap-0.5 text-xs text-muted">
        {label}
        <How of={label}>{how}</How>
      </dt>
      <dd className="mt-0.5 text-lg font-semibold tabular-nums">{children}</dd>
    </div>
  );
}
