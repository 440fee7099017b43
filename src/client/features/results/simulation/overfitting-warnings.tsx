import { TableHead } from "../../../ui/table-head.tsx";
import { TriangleAlert } from "lucide-react";
import type { SimulationReport } from "../../../../strategy/report.ts";
import { Card } from "../../../ui/card.tsx";
import { ratioText, shareText, toneOf } from "./share-text.ts";

/** Reliability of a run, always shown beside its result. */
export function OverfittingWarnings({ report }: { readonly report: SimulationReport }) {
  const { sentences, split, bands, measures, chance } = report;
  return (
    <Card aria-labelledby="simulation-honesty" className="flex flex-col gap-3">
      <h3 id="simulation-honesty" className="flex items-center gap-2 text-sm font-medium">
        <TriangleAlert aria-hidden className="size-4 text-warn" />
        How far to believe it
      </h3>
      {sentences.length === 0 ? (
        <p className="text-sm text-muted">
          Nothing speaks against it here. That is no promise: the past is all it knows.
        </p>
      ) : (
        <ul className="flex list-disc flex-col gap-1 pl-5 text-sm marker:text-faint">
          {sentences.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,18rem),1fr))] gap-x-8 gap-y-3 text-xs tabular-nums">
        <table className="h-fit w-full">
          <caption className="pb-1 text-left text-muted">The last 30% kept out</caption>
          <TableHead
            cell="py-0.5 pl-2 first:pl-0"
            columns={[
              "Part",
              { right: "Return" },
              { right: "Drawdown" },
              { right: "Sharpe" },
              { right: "Trades" },
            ]}
          />
          <tbody>
            {split !== null &&
              (
                [
                  ["Before", split.inSample],
                  ["Kept out", split.outOfSample],
                ] as const
              ).map(([name, part]) => (
                <tr key={name} className="border-t border-line">
                  <th className="py-1 text-left font-normal">{name}</th>
                  <td className={`py-1 pl-2 text-right ${toneOf(part.totalReturn)}`}>
                    {shareText(part.totalReturn, true)}
                  </td>
                  <td className="py-1 pl-2 text-right">{shareText(part.maxDrawdown)}</td>
                  <td className="py-1 pl-2 text-right">{ratioText(part.sharpe)}</td>
                  <td className="py-1 pl-2 text-right">{part.closedTrades}</td>
                </tr>
              ))}
          </tbody>
        </table>
        <table className="h-fit w-full">
          <caption className="pb-1 text-left text-muted">
            bootstrap: 1,000 runs drawn from blocks of its own days
          </caption>
          <TableHead
            cell="py-0.5 pl-2 first:pl-0"
            columns={["Figure", { right: "5%" }, { right: "Middle" }, { right: "95%" }]}
          />
          <tbody>
            {bands !== null &&
              (
                [
                  ["End result", bands.totalReturn, true],
                  ["Drawdown", bands.maxDrawdown, false],
                ] as const
              ).map(([name, band, isSigned]) => (
                <tr key={name} className="border-t border-line">
                  <th className="py-1 text-left font-normal">{name}</th>
                  <td className="py-1 pl-2 text-right">{shareText(band.low, isSigned)}</td>
                  <td className="py-1 pl-2 text-right">{shareText(band.middle, isSigned)}</td>
                  <td className="py-1 pl-2 text-right">{shareText(band.high, isSigned)}</td>
                </tr>
              ))}
            {chance.sharpe !== null && (
              <tr className="border-t border-line">
                <th className="py-1 text-left font-normal">Sharpe, 95% sure between</th>
                <td className="py-1 pl-2 text-right">{ratioText(chance.sharpe.low)}</td>
                <td className="py-1 pl-2 text-right">{ratioText(measures.sharpe)}</td>
                <td className="py-1 pl-2 text-right">{ratioText(chance.sharpe.high)}</td>
              </tr>
            )}
            <tr className="border-t border-line">
              <th className="py-1 text-left font-normal">Best three trades, of all gains</th>
              <td colSpan={3} className="py-1 pl-2 text-right">
                {shareText(measures.bestThreeShare)}
              </td>
            </tr>
          </tbody>
        </table>
      </div>
    </Card>
  );
}
