import type { ReactNode } from "react";
import type { Performance } from "../../queries/performance.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { gapWords } from "./gap-words.ts";
import type { HoldCurve } from "./hold-curve.ts";

interface GapNotesProps {
  readonly shown: Performance;
  readonly asset: string;
  /** Prices that are missing; empty while they load or when no curve is drawn. */
  readonly missing: HoldCurve["missing"];
}

/** Notes on times without records and without prices. */
export function GapNotes({ shown, asset, missing }: GapNotesProps) {
  const times = useTimes();
  const gaps = shown.gaps.map(({ from, to }) => ({
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
  }));
  return (
    <>
      {gaps.length > 0 && (
        <GapNote>
          Nothing was recorded {gapWords(gaps, times)}. The curve has a gap there
          {shown.returns.timeWeighted === null && ", and the return over it cannot be known"}.
        </GapNote>
      )}
      {missing.length > 0 && (
        <GapNote>
          Prices of {asset} are missing {gapWords(missing, times)}.
        </GapNote>
      )}
    </>
  );
}

function GapNote({ children }: { readonly children: ReactNode }) {
  return (
    <p role="status" className="rounded-md bg-warn-soft px-3 py-1.5 text-xs text-warn">
      {children}
    </p>
  );
}
