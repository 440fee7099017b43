import { ExactSum } from "./window.ts";
import { CLOSE, type Indicator, VOLUME } from "./indicator.ts";

/** On-balance volume counted from the first bar seen: only its changes are meaningful, not its level. */
export const obv = {
  label: "OBV",
  fullName: "balance volume",
  parameters: [],
  outputs: ["value"],
  hasSource: false,
  lookBack: () => 1,
  isLevelFree: true,
  create: () => {
    const sum = new ExactSum();
    const before = { close: Number.NaN };
    return (bar, values) => {
      const close = bar[CLOSE] ?? 0;
      if (close > before.close) sum.add(bar[VOLUME] ?? 0);
      if (close < before.close) sum.add(-(bar[VOLUME] ?? 0));
      before.close = close;
      values[0] = sum.value;
    };
  },
  pine: (id) => [`${id} = ta.obv`],
} as const satisfies Indicator;
