import { monthName } from "../../lib/times.ts";
import type { Performance } from "../../queries/performance.ts";
import { Share } from "../../ui/share.tsx";

const MONTHS = Array.from({ length: 12 }, (_, at) => `${at + 1}`.padStart(2, "0"));

/** Table of monthly returns, one row per year; partial months are marked. */
export function MonthTable({ months }: { readonly months: Performance["months"] }) {
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))].toReversed();
  const of = (year: string, month: string) =>
    months.find((row) => row.month === `${year}-${month}`);
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Returns by month">
      <table className="w-full min-w-[720px] text-right text-xs">
        <thead className="text-faint">
          <tr>
            <th scope="col" className="py-1 pr-2 text-left font-medium">
              Year
            </th>
            {MONTHS.map((month) => (
              <th key={month} scope="col" className="px-1 py-1 font-medium">
                {monthName(month)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {years.map((year) => (
            <tr key={year} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-2 text-left font-medium">
                {year}
              </th>
              {MONTHS.map((month) => {
                const row = of(year, month);
                return (
                  <td key={month} className="px-1 py-1.5">
                    {row && (
                      <>
                        <Share value={row.rate} />
                        {row.isPartial && (
                          <span className="text-faint" title="Not the whole month is known">
                            *<span className="sr-only"> part of the month</span>
                          </span>
                        )}
                      </>
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
