import { WilderAverage } from "./averages.ts";
import { TrueRange } from "./atr.ts";
import { HIGH, type Indicator, LOW, period, wilder, withoutRounding } from "./indicator.ts";

/** Average directional index; direction and range are compared from the second bar on, as Wilder does. */
export const adx = {
  label: "ADX",
  fullName: "trend strength",
  parameters: [period(14)],
  outputs: ["value"],
  hasSource: false,
  lookBack: ([n]) => 2 * wilder(n) + 1,
  smoothing: 4,
  pineFunctions: ["ta.dmi"],
  create: ([n]) => {
    const trueRange = new TrueRange();
    const ranges = new WilderAverage(n);
    const ups = new WilderAverage(n);
    const downs = new WilderAverage(n);
    const average = new WilderAverage(n);
    const before = { high: Number.NaN, low: Number.NaN };
    return (bar, values) => {
      const high = bar[HIGH] ?? 0;
      const low = bar[LOW] ?? 0;
      const rise = high - before.high;
      const fall = before.low - low;
      const range = trueRange.push(bar);
      const isFirst = Number.isNaN(before.high);
      before.high = high;
      before.low = low;
      if (isFirst) return;
      const isWarm = !Number.isNaN(ranges.push(range));
      // Equal moves up and down count for neither direction
      const lead = withoutRounding(rise - fall, high);
      const up = ups.push(lead > 0 && rise > 0 ? rise : 0);
      const down = downs.push(lead < 0 && fall > 0 ? fall : 0);
      if (!isWarm) return;
      const both = up + down;
      values[0] = average.push(both === 0 ? 0 : (100 * Math.abs(up - down)) / both);
    };
  },
  pine: (id, [n]) => [`[${id}_plus, ${id}_minus, ${id}] = ta.dmi(${n}, ${n})`],
} as const satisfies Indicator;
