import { type MonthReturn, monthReturns } from "../../../../strategy/months.ts";
import type { SimulationResult } from "../../../../strategy/simulation.ts";
import { shareText, toneOf } from "./share-text.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const yearOf = (months: readonly MonthReturn[]) =>
  months.reduce((growth, { totalReturn }) => growth * (1 + totalReturn), 1) - 1;

/** Table of monthly returns, one row per year; months in UTC. */
export function MonthTable(props: {
  readonly result: SimulationResult;
  readonly quoteDecimals: number;
}) {
  const { times, equity, startMoney } = props.result;
  const months = monthReturns(Number(startMoney) / 10 ** props.quoteDecimals, times, equity);
  const years = [...new Set(months.map(({ year }) => year))];
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Returns by month">
      <table className="w-full text-right text-xs whitespace-nowrap tabular-nums">
        <thead className="text-faint">
          <tr>
            <th className="py-1 pr-2 text-left font-normal">Year</th>
            {MONTHS.map((name) => (
              <th key={name} className="py-1 pl-2 font-normal">
                {name}
              </th>
            ))}
            <th className="py-1 pl-2 font-normal">Year</th>
          </tr>
        </thead>
        <tbody>
          {years.map((year) => {
            const own = months.filter((each) => each.year === year);
            const total = yearOf(own);
            return (
              <tr key={year} className="border-t border-line">
                <th className="py-1 pr-2 text-left font-normal">{year}</th>
                {MONTHS.map((name, at) => {
                  const found = own.find(({ month }) => month === at + 1);
                  return (
                    <td key={name} className={`py-1 pl-2 ${toneOf(found?.totalReturn ?? null)}`}>
                      {found === undefined ? "" : shareText(found.totalReturn, true)}
                    </td>
                  );
                })}
                <td className={`py-1 pl-2 font-medium ${toneOf(total)}`}>
                  {shareText(total, true)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
