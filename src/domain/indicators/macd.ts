import { ExponentialAverage } from "./averages.ts";
import { type BarFigures, type Indicator, type StreamingIndicator, whole } from "./indicator.ts";

/** MACD: the line, its EMA as the signal, and their difference. */
class MovingAverageConvergence implements StreamingIndicator {
  readonly values = new Float64Array(3).fill(Number.NaN);
  private readonly fast: ExponentialAverage;
  private readonly slow: ExponentialAverage;
  private readonly signal: ExponentialAverage;
  private readonly source: number;

  constructor(fast: number, slow: number, signal: number, source: number) {
    this.fast = new ExponentialAverage(fast);
    this.slow = new ExponentialAverage(slow);
    this.signal = new ExponentialAverage(signal);
    this.source = source;
  }

  next(bar: BarFigures): void {
    const price = bar[this.source] ?? 0;
    const line = this.fast.push(price) - this.slow.push(price);
    if (Number.isNaN(line)) return;
    const signal = this.signal.push(line);
    this.values[0] = line;
    this.values[1] = signal;
    this.values[2] = line - signal;
  }
}

export const macd = {
  label: "MACD",
  fullName: "average difference",
  parameters: [whole("fast", 12), whole("slow", 26, 2), whole("signal", 9)],
  outputs: ["line", "signal", "histogram"],
  hasSource: true,
  lookBack: ([, slow, signal]) => slow + signal,
  fault: ([fast, slow]) => (fast >= slow ? "MACD: fast has to be shorter than slow." : null),
  pineFunctions: ["ta.macd"],
  create: ([fast, slow, signal], source) =>
    new MovingAverageConvergence(fast, slow, signal, source),
  pine: (id, [fast, slow, signal], source) => [
    `[${id}_line, ${id}_signal, ${id}_histogram] = ta.macd(${source}, ${fast}, ${slow}, ${signal})`,
  ],
} as const satisfies Indicator;
