const DAY_MS = 86_400_000;

/** Values of two date fields; an empty one means unbounded. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export type RangeOfDays =
  | { readonly from?: string | undefined; readonly to?: string | undefined }
  | { readonly problem: { readonly field: keyof Days; readonly text: string } };

/** Accepted range of years. */
const YEARS = { first: 2020, last: 2099 };

/** Returns the UTC times of whole days, the last day included, or their fault. */
export function rangeOfDays({ from, to }: Days): RangeOfDays {
  for (const [field, day] of [["from", from] as const, ["to", to] as const]) {
    const year = Number.parseInt(day, 10);
    if (day === "" || (year >= YEARS.first && year <= YEARS.last)) continue;
    return { problem: { field, text: `Choose a day between ${YEARS.first} and ${YEARS.last}.` } };
  }
  if (from !== "" && to !== "" && from > to) {
    return { problem: { field: "to", text: "The last day is before the first." } };
  }
  const startOf = (day: string, later = 0) => new Date(Date.parse(day) + later).toISOString();
  return {
    from: from === "" ? undefined : startOf(from),
    to: to === "" ? undefined : startOf(to, DAY_MS),
  };
}
