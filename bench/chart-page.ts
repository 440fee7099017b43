import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type UTCTimestamp,
} from "lightweight-charts";
import { inOrder } from "../src/client/features/chart/candle.ts";
import { createChartView } from "../src/client/features/chart/chart-view.ts";
import { timesIn } from "../src/client/lib/time-zone.ts";
import { readPalette } from "../src/client/features/chart/palette.ts";
import { createSampleCandles } from "../src/client/features/chart/use-chart-data.ts";
import { placeTrades } from "../src/client/features/chart/trade-markers.ts";

const HOUR_SECONDS = 3_600;

function createRandom(): () => number {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

function buildData(candleCount: number, tradeCount: number) {
  const candles = createSampleCandles({
    random: createRandom(),
    candleSeconds: HOUR_SECONDS,
    limit: candleCount,
    endTime: 1_795_000_000,
  });
  const trades = Array.from({ length: tradeCount }, (_, index) => {
    const candle = candles[Math.floor((index * candleCount) / tradeCount)];
    return {
      id: index.toString(16).padStart(32, "0"),
      market: "SOL-PERP",
      size: "0.5",
      percentage: "100",
      total: "80",
      type: "market",
      side: index % 2 === 0 ? "long" : "sell",
      signal: index % 2 === 0 ? "OPEN_LONG" : "CLOSE_LONG",
      at: new Date(((candle?.time ?? 0) + 60) * 1000).toISOString(),
      status: "success" as const,
    };
  });
  return { candles, trades };
}

type Data = ReturnType<typeof buildData>;
type Draw = (container: HTMLElement) => { remove(): void };

/** The product's chart, from what the server answers to what is on screen. */
function drawProduct({ candles, trades }: Data): Draw {
  const palette = readPalette(document.documentElement);
  return (container) => {
    const view = createChartView(container);
    const ordered = inOrder(candles);
    view.show({
      key: "bench",
      candleSeconds: HOUR_SECONDS,
      candles: ordered,
      kind: "candles",
      comparisons: [],
      indicators: [],
      levels: [],
      firings: [],
      trades: placeTrades(trades, ordered),
      marks: [],
      view: null,
      palette,
      times: timesIn("UTC"),
    });
    view.fit();
    return view;
  };
}

/** The library alone, given the same picture in its own format. */
function drawBare({ candles, trades }: Data): Draw {
  const timed = candles.map((candle) => ({ ...candle, time: candle.time as UTCTimestamp }));
  const columns = timed.map(({ time, open, close, volume }) => ({
    time,
    value: volume,
    color: close >= open ? "#26a69a3d" : "#ef53503d",
  }));
  const markers = trades.map(({ side, size, at }) => {
    const isBuy = side === "long";
    const seconds = Math.floor(Date.parse(at) / 1000);
    return {
      time: (seconds - (seconds % HOUR_SECONDS)) as UTCTimestamp,
      position: isBuy ? ("belowBar" as const) : ("aboveBar" as const),
      shape: isBuy ? ("arrowUp" as const) : ("arrowDown" as const),
      color: isBuy ? "#00705a" : "#b42318",
      text: `${isBuy ? "BUY" : "SELL"} ${size}`,
      size: 1,
    };
  });
  return (container) => {
    const chart = createChart(container, {
      autoSize: true,
      layout: { attributionLogo: false },
      timeScale: { minBarSpacing: 0.05 },
    });
    const volume = chart.addSeries(HistogramSeries, { priceScaleId: "volume" });
    volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } });
    volume.setData(columns);
    const main = chart.addSeries(CandlestickSeries);
    main.setData(timed);
    createSeriesMarkers(main, markers);
    chart.timeScale().fitContent();
    return chart;
  };
}

const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));

/** Milliseconds until the second frame after the chart was asked for, when it has been painted. */
async function measure(draw: Draw): Promise<number> {
  const container = document.createElement("div");
  container.style.cssText = "width: 900px; height: 500px";
  document.body.append(container);
  await frame();
  const startedAt = performance.now();
  const drawn = draw(container);
  await frame();
  await frame();
  const tookMs = performance.now() - startedAt;
  drawn.remove();
  container.remove();
  return tookMs;
}

/** Draws both alternately, so that other load affects both equally. */
async function compare(candleCount: number, tradeCount: number, rounds: number) {
  const data = buildData(candleCount, tradeCount);
  const [product, bare] = [drawProduct(data), drawBare(data)];
  const tookMs = { product: [] as number[], bare: [] as number[] };
  for (let round = -1; round < rounds; round += 1) {
    const [bareMs, productMs] = [await measure(bare), await measure(product)];
    // The first round is a warm-up
    if (round < 0) continue;
    tookMs.bare.push(bareMs);
    tookMs.product.push(productMs);
  }
  return tookMs;
}

Object.assign(globalThis, { compareCharts: compare });
