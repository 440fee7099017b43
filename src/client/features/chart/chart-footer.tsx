import { ZoneNote } from "../../ui/time-text.tsx";

const DAY_SECONDS = 86_400;

/** Footer: the time zone of the candles and the library's attribution. */
export function ChartFooter({ candleSeconds }: { readonly candleSeconds: number }) {
  return (
    <footer className="flex flex-wrap items-center justify-between gap-x-4 border-t px-3 py-0.5 text-2xs text-faint">
      {candleSeconds < DAY_SECONDS ? <ZoneNote /> : <span>Candles begin at 00:00 UTC</span>}
      <a
        href="https://www.tradingview.com/"
        target="_blank"
        rel="noopener noreferrer"
        className="rounded-sm py-1 hover:text-ink hover:underline"
      >
        Charts by TradingView Lightweight Charts™
      </a>
    </footer>
  );
}
