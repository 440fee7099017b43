import {
  ColorType,
  CrosshairMode,
  type DeepPartial,
  LineStyle,
  TickMarkType,
  type Time,
  type TimeChartOptions,
} from "lightweight-charts";
import type { Times } from "../../lib/times.ts";
import { candleTimeText, tickText } from "./chart-time.ts";
import { CANDLE_COLOURS, type Palette } from "./palette.ts";

/** Candles of room beside the newest one, so that the text of its markers is not cut at the price axis. */
export const NEWEST_ROOM = 8;

/** Constant options. The logo is off because it needs inline HTML; the page's text names the library as licensed. */
export const FIXED_OPTIONS: DeepPartial<TimeChartOptions> = {
  autoSize: true,
  layout: {
    attributionLogo: false,
    background: { type: ColorType.Solid, color: "transparent" },
    fontSize: 11,
  },
  crosshair: { mode: CrosshairMode.Normal },
  rightPriceScale: { borderVisible: false, scaleMargins: { top: 0.16, bottom: 0.24 } },
  timeScale: { borderVisible: true, rightOffset: NEWEST_ROOM, minBarSpacing: 0.05 },
  handleScroll: { vertTouchDrag: false },
};

/** Returns the colour options for a theme. */
export function themeOptions(palette: Palette): DeepPartial<TimeChartOptions> {
  const cursor = {
    color: palette.label,
    labelBackgroundColor: palette.label,
    style: LineStyle.Dashed,
  };
  return {
    layout: { textColor: palette.text, fontFamily: palette.font },
    grid: { vertLines: { color: palette.grid }, horzLines: { color: palette.grid } },
    crosshair: { vertLine: cursor, horzLine: cursor },
    timeScale: { borderColor: palette.border },
  };
}

/** Returns the axis options in the selected zone. The library draws marks of a day and longer in UTC. */
export function timeOptions(candleSeconds: number, times: Times): DeepPartial<TimeChartOptions> {
  const isIntraday = candleSeconds < 86_400;
  return {
    timeScale: {
      timeVisible: isIntraday,
      secondsVisible: false,
      tickMarkFormatter: (time: Time, mark: TickMarkType) =>
        isIntraday ? tickText(Number(time), times, mark < TickMarkType.Time) : null,
    },
    localization: {
      timeFormatter: (time: Time) => candleTimeText(Number(time), candleSeconds, times),
    },
  };
}

/** Returns the main series' options; its price line follows the last candle. */
export function mainOptions(decimals: number) {
  return {
    priceFormat: { type: "price", precision: decimals, minMove: 1 / 10 ** decimals },
    lastValueVisible: true,
    priceLineVisible: true,
    priceLineStyle: LineStyle.Dashed,
  } as const;
}

export const CANDLE_OPTIONS = {
  upColor: CANDLE_COLOURS.up,
  downColor: CANDLE_COLOURS.down,
  wickUpColor: CANDLE_COLOURS.up,
  wickDownColor: CANDLE_COLOURS.down,
  borderVisible: false,
};

export const VOLUME_OPTIONS = {
  priceScaleId: "volume",
  priceFormat: { type: "volume" },
  lastValueVisible: false,
  priceLineVisible: false,
} as const;
