import { type Indicator, OPEN_TIME, VOLUME, typicalPrice } from "./indicator.ts";

const DAY_MS = 86_400_000;

/** Volume-weighted average price since 00:00 UTC; NaN until the bars include the start of a day and a trade. */
export const vwap = {
  label: "VWAP",
  fullName: "volume price",
  parameters: [],
  outputs: ["value"],
  hasSource: false,
  lookBack: "session",
  pineFunctions: ["ta.vwap"],
  create: () => {
    const session = { day: Number.NaN, isWhole: false, money: 0, volume: 0 };
    return (bar, values) => {
      const openTimeMs = bar[OPEN_TIME] ?? 0;
      const day = Math.floor(openTimeMs / DAY_MS);
      if (day !== session.day) {
        // The first bars may lie in the middle of a day whose start was not seen
        session.isWhole = !Number.isNaN(session.day) || openTimeMs % DAY_MS === 0;
        session.day = day;
        session.money = 0;
        session.volume = 0;
      }
      session.money += typicalPrice(bar) * (bar[VOLUME] ?? 0);
      session.volume += bar[VOLUME] ?? 0;
      values[0] =
        session.isWhole && session.volume > 0 ? session.money / session.volume : Number.NaN;
    };
  },
  pine: (id) => [`${id} = ta.vwap(hlc3, isNewDay)`],
} as const satisfies Indicator;
