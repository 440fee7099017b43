import { parseDecimal } from "../../../domain/amount.ts";
import type { TradingCosts } from "../../../domain/trading-costs.ts";
import type { MarketCosts } from "../../queries/trading-costs.ts";

/** The costs one can change, as typed: percent text. */
export const COST_FIELDS = ["feePpm", "halfSpreadPpm", "impactPpm", "fundingPpmPerDay"] as const;

export type CostField = (typeof COST_FIELDS)[number];

/** What a form of assumptions holds; a field left empty is what the venue tells. */
export interface AssumptionForm {
  /** Whole and decimal quote units. */
  readonly money: string;
  readonly costs: Readonly<Record<CostField, string>>;
}

/** What a form means to a simulation. */
export interface Assumptions {
  readonly startMoney: bigint;
  readonly costs: Partial<TradingCosts>;
}

/** Highest cost a form takes: a tenth. */
const MAX_PPM = 100_000n;

/** Millionths as percent text: 350 is "0.035". */
export const ppmText = (ppm: number): string => `${Number((ppm / 10_000).toFixed(4))}`;

/** Reads percent text as millionths, with a sign where one makes sense; null for what is none. */
export function readPpm(text: string, isSigned = false): number | null {
  const match = /^(-?)(.+)$/.exec(text.trim().replace("−", "-").replace(",", "."));
  if (match === null || (match[1] === "-" && !isSigned)) return null;
  const units = parseDecimal(match[2] ?? "", 4);
  if (units === null || units > MAX_PPM) return null;
  return match[1] === "-" ? -Number(units) : Number(units);
}

export const filledForm = (known: MarketCosts, money: string): AssumptionForm => ({
  money,
  costs: {
    feePpm: ppmText(known.feePpm),
    halfSpreadPpm: ppmText(known.halfSpreadPpm),
    impactPpm: ppmText(known.impactPpm),
    fundingPpmPerDay: ppmText(known.fundingPpmPerDay),
  },
});

/** Returns what a form means, or the fields that cannot be read. */
export function readForm(
  form: AssumptionForm,
  quoteDecimals: number,
):
  | { readonly ok: true; readonly value: Assumptions }
  | { readonly ok: false; readonly wrong: readonly string[] } {
  const startMoney = parseDecimal(form.money, quoteDecimals);
  const costs = COST_FIELDS.map(
    (field) => [field, readPpm(form.costs[field], field === "fundingPpmPerDay")] as const,
  );
  const wrong = [
    ...(startMoney === null || startMoney === 0n ? ["money"] : []),
    ...costs.flatMap(([field, ppm]) => (ppm === null ? [field] : [])),
  ];
  return startMoney === null || wrong.length > 0
    ? { ok: false, wrong }
    : { ok: true, value: { startMoney, costs: Object.fromEntries(costs) } };
}
