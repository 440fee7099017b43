import type { Measures } from "../../../../strategy/measures.ts";
import { ratioText, shareText, toneOf } from "./share-text.ts";

interface ShownMeasure {
  readonly label: string;
  readonly text: string;
  readonly tone?: string;
  /** Explanation, one sentence. */
  readonly title: string;
}

const shownMeasuresOf = (measures: Measures, quoteSymbol: string): readonly ShownMeasure[] => [
  {
    label: "Return",
    text: shareText(measures.totalReturn, true),
    tone: toneOf(measures.totalReturn),
    title: "Change of the account over the whole run, every cost counted.",
  },
  {
    label: "Holding",
    text: shareText(measures.holdingReturn, true),
    tone: toneOf(measures.holdingReturn),
    title: "Change of the asset's price over the same time.",
  },
  {
    label: "A year",
    text: shareText(measures.annualReturn, true),
    title: "The growth a year that comes to the same end; said from 30 days on.",
  },
  {
    label: "Max drawdown",
    text: shareText(measures.maxDrawdown),
    title: `Deepest fall from a peak. Holding fell by ${shareText(measures.holdingDrawdown)}.`,
  },
  {
    label: "Sharpe",
    text: ratioText(measures.sharpe),
    title:
      "Mean return of a day, or of a bar where bars are longer, by its deviation; for a year of 365 days, riskless return zero.",
  },
  {
    label: "Sortino",
    text: ratioText(measures.sortino),
    title: "The same mean by the deviation of the losses.",
  },
  {
    label: "Calmar",
    text: ratioText(measures.calmar),
    title: "Return a year by the deepest fall.",
  },
  {
    label: "Better than luck",
    text: shareText(measures.deflatedSharpe),
    title: "Deflated Sharpe ratio: the probability of skill, the variants tried counted.",
  },
  {
    label: "Trades",
    text: `${measures.closedTrades}`,
    title: "Positions opened and closed.",
  },
  {
    label: "Hit rate",
    text: shareText(measures.hitRate),
    title: "Share of the trades that gained.",
  },
  {
    label: "Profit factor",
    text: ratioText(measures.profitFactor),
    title: "Gains by losses.",
  },
  {
    label: "In the market",
    text: shareText(measures.exposure),
    title: "Share of the bars with a position.",
  },
  {
    label: "Average trade",
    text: shareText(measures.averageReturn, true),
    title: `Best ${shareText(measures.bestReturn, true)}, worst ${shareText(measures.worstReturn, true)}.`,
  },
  {
    label: "Costs",
    text: `${Math.round(measures.costs).toLocaleString("en-US")} ${quoteSymbol}`,
    title: `${shareText(measures.costShare)} of the money at the start.`,
  },
];

/** List of a run's measures with explanations. */
export function MeasureList(props: { readonly measures: Measures; readonly quoteSymbol: string }) {
  const told = shownMeasuresOf(props.measures, props.quoteSymbol);
  return (
    <div className="flex flex-col gap-2">
      <dl className="grid grid-cols-2 overflow-hidden rounded-lg border border-line bg-surface sm:grid-cols-4 xl:grid-cols-7">
        {told.map(({ label, text, tone = "", title }) => (
          <div
            key={label}
            title={title}
            className="-mr-px -mb-px flex flex-col gap-0.5 border-r border-b border-line px-3 py-2"
          >
            <dt className="text-2xs text-muted">{label}</dt>
            <dd className={`text-base font-medium tabular-nums ${tone}`}>{text}</dd>
          </div>
        ))}
      </dl>
      <details className="text-xs text-muted">
        <summary className="w-fit cursor-pointer rounded-sm py-1 hover:text-ink">
          What these figures mean
        </summary>
        <dl className="mt-1 grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
          {told.map(({ label, title }) => (
            <div key={label}>
              <dt className="font-medium text-ink">{label}</dt>
              <dd>{title}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}
