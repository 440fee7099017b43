import { TableHead } from "../../../ui/table-head.tsx";
import { TriangleAlert } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import type { AgentReport } from "../../../../assistant/simulate-agent.ts";
import { runStress } from "../../../workers/run-simulation.ts";
import type { SimulationReport } from "../../../../strategy/report.ts";
import { Card } from "../../../ui/card.tsx";
import { ratioText, shareText, toneOf } from "./share-text.ts";

interface OverfittingWarningsProps {
  readonly report: SimulationReport;
  readonly done: AgentReport;
}

/** Reliability of a run, always shown beside its result. */
export function OverfittingWarnings({ report, done }: OverfittingWarningsProps) {
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
        {measures.closedTrades > 0 && <Stress done={done} />}
      </div>
    </Card>
  );
}

/** The run's return under worse conditions, each changed alone. */
function Stress({ done: { request, report } }: Pick<OverfittingWarningsProps, "done">) {
  const stress = useQuery({
    queryKey: ["stress", report.inputHash],
    queryFn: ({ signal }) => runStress(request, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  });
  const half = `${request.costs.halfSpreadPpm / 10_000}%`;
  const lines = [
    ["As assumed", report.measures.totalReturn],
    ["Every alert one bar later", stress.data?.oneBarLater],
    ["Fee, spread and impact twice", stress.data?.costsTwice],
    [`Prices moved at random, up to ${half}`, stress.data?.noise],
  ] as const;
  return (
    <table className="h-fit w-full">
      <caption className="pb-1 text-left text-muted">
        {stress.isError ? "It could not be run again" : "Run again under worse conditions"}
      </caption>
      <TableHead cell="py-0.5 pl-2 first:pl-0" columns={["Condition", { right: "Return" }]} />
      <tbody>
        {lines.map(([name, share]) => (
          <tr key={name} className="border-t border-line">
            <th className="py-1 text-left font-normal">{name}</th>
            <td className={`py-1 pl-2 text-right ${share === undefined ? "" : toneOf(share)}`}>
              {share === undefined ? "…" : shareText(share, true)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
