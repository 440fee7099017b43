import { TableHead } from "./table-head.tsx";
import type { ReactNode } from "react";
import type { MonthlyReturn } from "../../domain/measures/monthly-returns.ts";
import { monthName } from "../lib/time-zone.ts";

const MONTHS = Array.from({ length: 12 }, (_, at) => `${at + 1}`.padStart(2, "0"));

interface MonthTableProps {
  /** Months in the order in which their years are shown. */
  readonly months: readonly Pick<MonthlyReturn, "month" | "rate">[];
  readonly cellOf: (month: string) => ReactNode;
  /** Renders the return of a whole year, shown after its months; absent without that column. */
  readonly yearOf?: (rate: number) => ReactNode;
}

/** Table of monthly returns, one row per year; months in UTC. */
export function MonthTable({ months, cellOf, yearOf }: MonthTableProps) {
  const years = [...new Set(months.map(({ month }) => month.slice(0, 4)))];
  const totalOf = (year: string) =>
    months
      .filter(({ month }) => month.startsWith(year))
      .reduce((growth, { rate }) => growth * (1 + (rate ?? 0)), 1) - 1;
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Table of the months">
      <table className="w-full min-w-[720px] text-right text-xs whitespace-nowrap tabular-nums">
        <TableHead
          cell="px-1 py-1 first:pl-0 last:pr-0"
          columns={[
            "Year",
            ...MONTHS.map((month) => ({ right: monthName(month) })),
            ...(yearOf ? [{ right: "Year" }] : []),
          ]}
        />
        <tbody>
          {years.map((year) => (
            <tr key={year} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-2 text-left font-medium">
                {year}
              </th>
              {MONTHS.map((month) => (
                <td key={month} className="px-1 py-1.5">
                  {cellOf(`${year}-${month}`)}
                </td>
              ))}
              {yearOf && <td className="py-1.5 pl-2 font-medium">{yearOf(totalOf(year))}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
