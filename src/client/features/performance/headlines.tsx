import type { Performance } from "../../queries/performance.ts";
import { formatShare } from "../../lib/format.ts";
import { useTimes } from "../../lib/time-zone.ts";
import { Figure } from "../../ui/figure.tsx";
import { Share } from "../../ui/share.tsx";
import type { HoldCurve } from "./hold-curve.ts";
import { Headline } from "./measure.tsx";

interface HeadlinesProps {
  readonly shown: Performance;
  readonly asset: string;
  readonly hold: HoldCurve;
}

/** The five figures at the top: value, returns, holding and largest fall. */
export function Headlines({ shown, asset, hold }: HeadlinesProps) {
  const times = useTimes();
  const { returns, fall } = shown;
  const known = shown.curve.filter(({ value }) => value !== null);
  return (
    <dl className="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-5">
      <Headline
        label="Value"
        how="What the account is worth now. While money is on its way or the venue cannot be read: at the newest point of its book."
      >
        <Figure value={known.at(-1)?.value ?? null} unit={` ${shown.quote.symbol}`} />
      </Headline>
      <Headline
        label="Return"
        how="Time-weighted: growth between every deposit and withdrawal, linked, so that money coming and going counts for nothing. It says how the agent traded."
      >
        <Share value={returns.timeWeighted} />
      </Headline>
      <Headline
        label="Your return"
        how="Money-weighted: the one rate at which every deposit, for as long as it was there, grows to what is there now. It says what your timing made of it."
      >
        <Share value={returns.moneyWeighted} />
      </Headline>
      <Headline
        label={`Holding ${asset}`}
        how={`The price of ${asset} at the end of the span against its beginning, from the market's candles: what holding it would have returned, without fees.`}
      >
        <Share value={known.length < 2 ? null : hold.growth} />
      </Headline>
      <Headline
        label="Largest fall"
        how="The deepest fall of the growth curve from a peak before it, flows removed."
      >
        {known.length < 2 ? "–" : formatShare(-(fall?.depth ?? 0))}
        {fall && (
          <span className="block text-2xs font-normal text-muted">
            low on {times.date(fall.lowAt)}
          </span>
        )}
      </Headline>
    </dl>
  );
}
