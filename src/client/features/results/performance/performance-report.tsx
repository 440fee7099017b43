import type { Span } from "../../../../domain/performance/account-curve.ts";
import type { Performance } from "../../../../contract/performance.ts";
import type { Agent } from "../../../../contract/agent.ts";
import { assetOf, symbolOf } from "../../../../venues/profiles.ts";
import { Card } from "../../../ui/card.tsx";
import { TradeList, Headline, Measure } from "./trade-list.tsx";
import { type ReactNode, useMemo } from "react";
import { useTimes, type Times } from "../../../lib/time-zone.ts";
import { type HoldCurve, holdCandles, holdCurve, holdInterval } from "./hold-curve.ts";
import { decimalsOfStep, formatShare } from "../../../lib/format.ts";
import { CurveChart } from "../../../ui/curve-chart.tsx";
import { lineOf } from "../../../ui/curve.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { Figure } from "../../../ui/figure.tsx";
import { MonthTable } from "../../../ui/month-table.tsx";
import { Share } from "../../../ui/share.tsx";
import { OnRequest } from "../on-request.tsx";
import { lazyPart } from "../../../ui/lazy-part.tsx";
import { useQuery } from "@tanstack/react-query";
import type { Network } from "../../../../domain/network.ts";
import { candlesQuery } from "../../../queries/candles.ts";

/** Loads the buy-and-hold result over the shown span. */
function useBuyAndHold(
  network: Network,
  asset: string,
  shown: Performance,
): HoldCurve & { readonly isLoading: boolean } {
  const begun = shown.curve[0]?.time ?? 0;
  const toMs = Date.parse(shown.to);
  const spanMs = toMs - begun * 1_000;
  const interval = holdInterval(spanMs);
  const limit = holdCandles(spanMs, interval);
  const read = useQuery(candlesQuery({ network, symbol: symbolOf(asset), interval, limit }));
  const candles = read.data?.of.interval === interval ? read.data.candles : undefined;
  const curve = useMemo(
    () => holdCurve(candles ?? [], interval, { fromMs: begun * 1_000, toMs }),
    [candles, interval, begun, toMs],
  );
  return { ...curve, isLoading: read.isPending };
}

interface PerformanceReportProps {
  readonly shown: Performance;
  readonly agent: Agent;
  /** True while another span loads. */
  readonly isOld: boolean;
}

/** Fewest known points of a curve; of fewer, an axis has one day's label several times. */
const LEAST_DRAWN = 6;

/** Figures, curves, money and trades of one span. */
export function PerformanceReport({ shown, agent, isOld }: PerformanceReportProps) {
  const asset = assetOf(agent.marketId);
  const hold = useBuyAndHold(agent.network, asset, shown);
  const known = shown.curve.filter(({ value }) => value !== null).length;
  const isDrawn = known >= LEAST_DRAWN;
  return (
    <div
      className={isOld ? "flex flex-col gap-4 opacity-60" : "flex flex-col gap-4"}
      aria-busy={isOld}
    >
      <Headlines shown={shown} asset={asset} hold={hold} />
      <GapNotes
        shown={shown}
        asset={asset}
        missing={hold.isLoading || !isDrawn ? [] : hold.missing}
      />
      <GrowthCard curve={shown.curve} asset={asset} hold={hold} isDrawn={isDrawn} />
      {known > 1 && (
        <OnRequest
          title="Simulated against live"
          note="What its rules would have done over the same time, by the code that trades."
          action="Compare"
        >
          <SimulatedCard agent={agent} shown={shown} />
        </OnRequest>
      )}
      <div className="grid gap-4 lg:grid-cols-2">
        <Card aria-labelledby="performance-money">
          <h3 id="performance-money" className="mb-1 text-sm font-semibold">
            Money
          </h3>
          <MoneyList shown={shown} />
        </Card>
        <Card aria-labelledby="performance-trades">
          <h3 id="performance-trades" className="mb-1 text-sm font-semibold">
            Trades
          </h3>
          <TradeList shown={shown} />
        </Card>
      </div>
      <Card aria-labelledby="performance-months">
        <h3 id="performance-months" className="mb-2 text-sm font-semibold">
          Returns by month
        </h3>
        <LiveMonths months={shown.months} />
        {shown.months.some(({ isPartial }) => isPartial) && (
          <p className="mt-2 text-2xs text-faint">
            * Not the whole month is known. Months are UTC.
          </p>
        )}
      </Card>
    </div>
  );
}

interface GapNotesProps {
  readonly shown: Performance;
  readonly asset: string;
  /** Prices that are missing; empty while they load or when no curve is drawn. */
  readonly missing: HoldCurve["missing"];
}

/** Notes on times without records and without prices. */
function GapNotes({ shown, asset, missing }: GapNotesProps) {
  const times = useTimes();
  const gaps = shown.gaps.map(({ from, to }) => ({
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
  }));
  return (
    <>
      {gaps.length > 0 && (
        <GapNote>
          Nothing was recorded {gapWords(gaps, times)}. The curve has a gap there
          {shown.returns.timeWeighted === null && ", and the return over it cannot be known"}.
        </GapNote>
      )}
      {missing.length > 0 && (
        <GapNote>
          Prices of {asset} are missing {gapWords(missing, times)}.
        </GapNote>
      )}
    </>
  );
}

function GapNote({ children }: { readonly children: ReactNode }) {
  return (
    <p role="status" className="rounded-md bg-warn-soft px-3 py-1.5 text-xs text-warn">
      {children}
    </p>
  );
}

/** Maximum number of spans listed; more are only counted. */
const NAMED = 3;

const DAY_MS = 86_400_000;

/** Returns text for spans with missing data, for instance "Nov 3, 04:00 – Nov 5, 09:00". */
function gapWords(spans: readonly Span[], times: Times): string {
  const named = spans.slice(0, NAMED).map(({ fromMs, toMs }) => {
    const form = toMs - fromMs > 2 * DAY_MS ? times.date : times.short;
    return `${form(fromMs)} – ${form(toMs)}`;
  });
  const more = spans.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

interface GrowthCardProps {
  readonly curve: Performance["curve"];
  readonly asset: string;
  readonly hold: HoldCurve;
  /** False with too few known points for a curve. */
  readonly isDrawn: boolean;
}

const formatValue = (share: number, step: number) => formatShare(share, decimalsOfStep(step * 100));

/** Card of the growth against holding the asset, and of the falls. */
function GrowthCard({ curve, asset, hold, isDrawn }: GrowthCardProps) {
  const times = curve.map(({ time }) => time);
  if (!isDrawn) {
    return (
      <Card aria-label="Growth">
        <EmptyState title="Too early for a curve">
          A point comes with each trade and deposit, and every hour. The figures above count
          already.
        </EmptyState>
      </Card>
    );
  }
  return (
    <Card aria-label="Growth">
      <CurveChart
        label={`Growth of the agent against holding ${asset}, and its fall from the peak`}
        panels={[
          {
            height: "h-52",
            formatValue,
            curves: [
              {
                label: "This agent",
                tone: "accent",
                times,
                values: curve.map(({ growth }) => growth),
              },
              { label: `Holding ${asset}`, tone: "muted", ...lineOf(hold.points) },
            ],
          },
          {
            height: "h-20",
            formatValue,
            top: 0,
            lines: 2,
            curves: [
              {
                label: "Fall from the peak",
                tone: "down",
                times,
                values: curve.map(({ drawdown }) => (drawdown === null ? null : -drawdown)),
              },
            ],
          },
        ]}
      />
    </Card>
  );
}

interface HeadlinesProps {
  readonly shown: Performance;
  readonly asset: string;
  readonly hold: HoldCurve;
}

/** The five figures at the top: value, returns, holding and largest fall. */
function Headlines({ shown, asset, hold }: HeadlinesProps) {
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
        how={`The deepest fall of the growth curve from a peak before it, flows removed.${
          shown.network === "practice"
            ? ""
            : " The prices of a past second are not known here: a trade's point has the price its book was read with, up to two minutes later."
        }`}
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

/** List of a span's cash flows. */
function MoneyList({ shown }: { readonly shown: Performance }) {
  const { money, quote } = shown;
  const unit = ` ${quote.symbol}`;
  const amount = (value: string | null) => <Figure value={value} unit={unit} signed toned />;
  return (
    <dl className="flex flex-col">
      <Measure
        label="Realised"
        how="The sum of what every closing in the book earned, at average cost, before fees and funding."
      >
        {amount(money.realised)}
        {money.unknownClosings > 0 && (
          <span className="block text-2xs font-normal text-warn">
            without {money.unknownClosings} whose cost is not known
          </span>
        )}
      </Measure>
      <Measure
        label="Unrealised now"
        how="What open positions would bring if they were closed at the venue's price now, before the fees of opening them, which are in Fees. The only figure here that is not from the book."
      >
        {amount(money.unrealised)}
      </Measure>
      <Measure
        label="Fees"
        how="Fees of the venue for trades, as the chain booked them. Below zero they were paid."
      >
        {amount(money.fees)}
      </Measure>
      <Measure
        label="Funding"
        how="Funding between longs and shorts that the venue paid to this agent, or took, as the chain booked it."
      >
        {amount(money.funding)}
      </Measure>
      <Measure label="Interest" how="What the venue paid or took for the balance lying there.">
        {amount(money.interest)}
      </Measure>
      <Measure
        label="Slippage"
        how="Each fill against the market's price as its order was decided, right after the alert came, times its size. Below zero fills were worse. It is inside Realised, not beside it."
      >
        {amount(money.slippage)}
      </Measure>
      <Measure
        label="Network cost"
        how="Transaction fees in SOL that the chain took. Who paid them is in the ledger."
      >
        <Figure value={money.networkCost} decimals={6} unit=" SOL" signed />
      </Measure>
      <Measure
        label="Rent"
        how="SOL that this agent's accounts lock on the chain, less what came back. It is no cost as long as the accounts can be closed: deleting the agent says what returns."
      >
        <Figure value={money.rent} decimals={6} unit=" SOL" signed />
      </Measure>
      <Measure label="Deposited" how="What came in from your wallet. It is no gain.">
        <Figure value={money.deposited} unit={unit} />
      </Measure>
      <Measure label="Withdrawn" how="What went back to your wallet. It is no loss.">
        <Figure value={money.withdrawn} unit={unit} />
      </Measure>
    </dl>
  );
}

/** Live returns by month, the newest year first; partial months are marked. */
function LiveMonths({ months }: { readonly months: Performance["months"] }) {
  return (
    <MonthTable
      months={months.toReversed()}
      cellOf={(month) => {
        const row = months.find((each) => each.month === month);
        if (row === undefined) return null;
        return (
          <>
            <Share value={row.rate} />
            {row.isPartial && (
              <span className="text-faint" title="Not the whole month is known">
                *<span className="sr-only"> part of the month</span>
              </span>
            )}
          </>
        );
      }}
    />
  );
}

const SimulatedCard = lazyPart(() => import("./simulated-card.tsx"));
