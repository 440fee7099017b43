import { formatFixed } from "../../../domain/amount.ts";
import type { SimulatedCostSum } from "../../../strategy/simulation.ts";

const NAMES = [
  ["Fees", "fees"],
  ["Half spread", "spread"],
  ["Own impact", "impact"],
  ["Funding", "funding"],
] as const;

/** Trading costs by kind; negative funding was received. */
export function CostTable(props: {
  readonly costs: SimulatedCostSum;
  readonly quoteDecimals: number;
  readonly quoteSymbol: string;
}) {
  const { costs, quoteDecimals, quoteSymbol } = props;
  const total = costs.fees + costs.spread + costs.impact + costs.funding;
  const text = (units: bigint) => formatFixed(units, quoteDecimals, 2).replace("-", "−");
  return (
    <table className="w-full text-xs tabular-nums">
      <tbody>
        {NAMES.map(([name, key]) => (
          <tr key={key} className="border-t border-line first:border-t-0">
            <th className="py-1 text-left font-normal text-muted">{name}</th>
            <td className="py-1 text-right">{text(costs[key])}</td>
          </tr>
        ))}
        <tr className="border-t border-line-strong">
          <th className="py-1 text-left font-medium">Together</th>
          <td className="py-1 text-right font-medium">
            {text(total)} {quoteSymbol}
          </td>
        </tr>
      </tbody>
    </table>
  );
}
