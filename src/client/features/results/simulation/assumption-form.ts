import { parseDecimal } from "../../../../domain/amount.ts";
import { readTypedNumber } from "../../../lib/typed-number.ts";
import type { TradingCosts } from "../../../../domain/trading-costs.ts";

/** Editable costs, as typed percent text. */
export const COST_FIELDS = ["feePpm", "halfSpreadPpm", "impactPpm", "fundingPpmPerDay"] as const;

export type CostField = (typeof COST_FIELDS)[number];

/** Input of the assumptions form; an empty field uses the venue's value. */
export interface AssumptionForm {
  /** Quote units as decimal text. */
  readonly money: string;
  readonly costs: Readonly<Record<CostField, string>>;
}

/** Parsed assumptions for a simulation. */
export interface Assumptions {
  readonly startMoney: bigint;
  readonly costs: Partial<TradingCosts>;
}

/** Maximum cost in millionths: 10 percent. */
const MAX_PPM = 100_000n;

/** Returns millionths as percent text, for instance "0.035" for 350. */
export const ppmText = (ppm: number): string => `${Number((ppm / 10_000).toFixed(4))}`;

/** Parses percent text as millionths, signed if allowed; null when invalid. */
export function readPpm(text: string, isSigned = false): number | null {
  const match = /^(-?)(.+)$/.exec(text.trim().replace("−", "-").replace(",", "."));
  if (match === null || (match[1] === "-" && !isSigned)) return null;
  const units = parseDecimal(match[2] ?? "", 4);
  if (units === null || units > MAX_PPM) return null;
  return match[1] === "-" ? -Number(units) : Number(units);
}

export const filledForm = (
  known: Pick<TradingCosts, CostField>,
  money: string,
): AssumptionForm => ({
  money,
  costs: {
    feePpm: ppmText(known.feePpm),
    halfSpreadPpm: ppmText(known.halfSpreadPpm),
    impactPpm: ppmText(known.impactPpm),
    fundingPpmPerDay: ppmText(known.fundingPpmPerDay),
  },
});

/** Returns the parsed assumptions, or the fields that are invalid. */
export function readForm(
  form: AssumptionForm,
  quoteDecimals: number,
):
  | { readonly ok: true; readonly value: Assumptions }
  | { readonly ok: false; readonly wrong: readonly string[] } {
  const money = readTypedNumber(form.money, quoteDecimals);
  const startMoney = money.kind === "number" ? parseDecimal(money.text, quoteDecimals) : null;
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
