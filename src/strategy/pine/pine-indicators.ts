import { INDICATORS, type IndicatorName } from "../../domain/condition/indicator-table.ts";
import type { IndicatorOperand } from "../indicators.ts";

/** Returns the lines that define one indicator's output as `id` or, with several outputs, as `id_output`. */
type Definition = (id: string, p: readonly number[], source: string) => readonly string[];

const one =
  (expression: (p: readonly number[], source: string) => string): Definition =>
  (id, p, source) => [`${id} = ${expression(p, source)}`];

/**
 * The indicators in Pine, with this product's result where Pine's is undefined: no range, no difference or no flow.
 *
 * Pine's Supertrend direction has the opposite sign.
 */
const DEFINITIONS: Readonly<Record<IndicatorName, Definition>> = {
  SMA: one(([n], source) => `ta.sma(${source}, ${n})`),
  EMA: one(([n], source) => `ta.ema(${source}, ${n})`),
  WMA: one(([n], source) => `ta.wma(${source}, ${n})`),
  RSI: one(([n], source) => `ta.rsi(${source}, ${n})`),
  MACD: (id, [fast, slow, signal], source) => [
    `[${id}_line, ${id}_signal, ${id}_histogram] = ta.macd(${source}, ${fast}, ${slow}, ${signal})`,
  ],
  BB: (id, [n, deviations], source) => [
    `[${id}_middle, ${id}_upper, ${id}_lower] = ta.bb(${source}, ${n}, ${deviations})`,
    `${id}_width = 100 * (${id}_upper - ${id}_lower) / ${id}_middle`,
  ],
  ATR: one(([n]) => `ta.atr(${n})`),
  ADX: (id, [n]) => [`[${id}_plus, ${id}_minus, ${id}] = ta.dmi(${n}, ${n})`],
  STOCH: (id, [n, smoothK, smoothD]) => [
    `${id}_k = ta.sma(nz(ta.stoch(close, high, low, ${n}), 50), ${smoothK})`,
    `${id}_d = ta.sma(${id}_k, ${smoothD})`,
  ],
  CCI: one(([n]) => `nz(ta.cci(hlc3, ${n}), 0)`),
  // Pine's own is undefined where no money flowed out, like where none flowed at all
  MFI: (id, [n]) => [
    `${id}_step = hlc3 - hlc3[1]`,
    `${id}_gained = ${id}_step > 1e-12 * hlc3 ? hlc3 * volume : 0`,
    `${id}_lost = -${id}_step > 1e-12 * hlc3 ? hlc3 * volume : 0`,
    `${id}_in = sumOf(${id}_gained, ${n})`,
    `${id}_out = sumOf(${id}_lost, ${n})`,
    `${id} = ${id}_in + ${id}_out == 0 ? 50 : 100 * ${id}_in / (${id}_in + ${id}_out)`,
  ],
  OBV: one(() => "ta.obv"),
  VWAP: one(() => "ta.vwap(hlc3, isNewDay)"),
  DONCHIAN: (id, [n]) => [
    `${id}_high = ta.highest(high, ${n})`,
    `${id}_low = ta.lowest(low, ${n})`,
  ],
  KELTNER: (id, [n, multiple, atr]) => [
    `${id}_middle = ta.ema(close, ${n})`,
    `${id}_reach = ${multiple} * ta.atr(${atr})`,
    `${id}_upper = ${id}_middle + ${id}_reach`,
    `${id}_lower = ${id}_middle - ${id}_reach`,
  ],
  SUPERTREND: (id, [n, multiple]) => [
    `[${id}_line, ${id}_pine] = ta.supertrend(${multiple}, ${n})`,
    `${id}_direction = -${id}_pine`,
  ],
  ROC: one(([n], source) => `ta.roc(${source}, ${n})`),
  STDDEV: one(([n], source) => `ta.stdev(${source}, ${n})`),
};

/** Returns the prefix of an indicator's variables; equal indicators share it. */
export function pineId({ name, parameters, source = "close" }: IndicatorOperand): string {
  const numbers = parameters.map((value) => String(value).replace(".", "p"));
  return [name.toLowerCase(), ...numbers, ...(source === "close" ? [] : [source])].join("_");
}

/** Returns the variable that holds an operand's value. */
export function pineVariable(operand: IndicatorOperand): string {
  const id = pineId(operand);
  return INDICATORS[operand.name].outputs.length === 1 ? id : `${id}_${operand.output}`;
}

/** Returns the lines that compute an indicator. */
export function pineDefinition(operand: IndicatorOperand): readonly string[] {
  const { name, parameters, source = "close" } = operand;
  return DEFINITIONS[name](pineId(operand), parameters, source);
}
