import type { Times } from "../../lib/times.ts";

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Maximum number of spans listed; more are only counted. */
const NAMED = 3;

const DAY_MS = 86_400_000;

/** Returns text for spans with missing data, for instance "Nov 3, 04:00 – Nov 5, 09:00". */
export function gapWords(spans: readonly Span[], times: Times): string {
  const named = spans.slice(0, NAMED).map(({ fromMs, toMs }) => {
    const form = toMs - fromMs > 2 * DAY_MS ? times.date : times.short;
    return `${form(fromMs)} – ${form(toMs)}`;
  });
  const more = spans.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
