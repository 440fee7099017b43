import { useQueries, useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Plus, Star } from "lucide-react";
import { useState } from "react";
import { useStore } from "zustand";
import type { Market } from "../../../domain/market.ts";
import type { Network } from "../../../domain/network.ts";
import { VENUE_IDS, type VenueId } from "../../../domain/venue-id.ts";
import {
  allMarkets,
  COMING_SOON_VENUES,
  symbolOf,
  VENUE_PROFILES,
} from "../../../venues/profiles.ts";
import { favourites, toggleFavourite } from "../../lib/favourites.ts";
import { groupThousands } from "../../lib/format.ts";
import { sortedBy } from "../../lib/sorted-by.ts";
import { type CandleAnswer, candlesQuery } from "../../queries/candles.ts";
import { type Deployment, deploymentQuery } from "../../queries/deployment.ts";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { networkLabel } from "../../ui/badge.tsx";
import { Share } from "../../ui/share.tsx";
import { SortHead, type SortOrder } from "../../ui/sort-head.tsx";
import { venueState } from "./form/venue-options.ts";

const HOURS_A_DAY = 24;

/** An asset with the venues' markets of it and its last day. */
interface AssetRow {
  readonly asset: string;
  readonly name: string;
  readonly markets: readonly Market[];
  /** Null while nothing is known of its prices. */
  readonly day: Day | null;
  readonly isLoading: boolean;
}

interface Day {
  readonly price: number;
  /** Share that the price changed by in 24 hours; null with less history. */
  readonly change: number | null;
  /** Traded in 24 hours, in quote. */
  readonly volume: number;
}

/** Returns an asset's last day from hourly candles, oldest first; null without any. */
export function dayOf(candles: CandleAnswer["candles"]): Day | null {
  const last = candles.at(-1);
  if (last === undefined) return null;
  const day = candles.slice(-HOURS_A_DAY);
  const before = candles.at(-HOURS_A_DAY - 1);
  return {
    price: last.close,
    change: before === undefined ? null : last.close / before.close - 1,
    volume: day.reduce((sum, { volume, close }) => sum + volume * close, 0),
  };
}

/** Returns why a venue trades no market of an asset now; null where it does. */
function untradedReason(
  { asset, markets }: Pick<AssetRow, "asset" | "markets">,
  venue: VenueId,
  network: Network,
  deployment: Deployment | undefined,
): string | null {
  const { label, markets: traded } = VENUE_PROFILES[venue];
  if (!markets.some((market) => market.venue === venue)) {
    const isStock = markets.every(({ assetClass }) => assetClass === "stock");
    return isStock && traded.every(({ assetClass }) => assetClass === "crypto")
      ? `${label} supports crypto only.`
      : `${label} does not trade ${asset}.`;
  }
  const state = venueState(deployment, network, venue);
  if (deployment === undefined || state?.status === "available") return null;
  if (state === undefined) return `${label} is not offered on ${networkLabel(network)}.`;
  if (state.status === "unread") return `${label} has not been read yet.`;
  return `${label} takes no new entries: ${state.reason ?? state.status}`;
}

function useAssetRows(network: Network): readonly AssetRow[] {
  const markets = allMarkets();
  const assets = [...new Set(markets.map(({ asset }) => asset))];
  const reads = useQueries({
    queries: assets.map((asset) =>
      candlesQuery({
        network,
        symbol: symbolOf(asset),
        interval: "1h",
        limit: HOURS_A_DAY + 1,
      }),
    ),
  });
  return assets.map((asset, at) => {
    const own = markets.filter((market) => market.asset === asset);
    const read = reads[at];
    return {
      asset,
      name: own[0]?.assetName ?? asset,
      markets: own,
      day: read?.data ? dayOf(read.data.candles) : null,
      isLoading: read?.isPending === true,
    };
  });
}

type Column = "Asset" | "Price" | "24 h" | "Volume 24 h";

const COLUMNS: Readonly<Record<Column, (row: AssetRow) => string | number>> = {
  Asset: ({ asset }) => asset,
  Price: ({ day }) => day?.price ?? Number.NaN,
  "24 h": ({ day }) => day?.change ?? Number.NaN,
  "Volume 24 h": ({ day }) => day?.volume ?? Number.NaN,
};

interface MarketsPageProps {
  readonly network: Network;
  /** Begins an agent on a market. */
  readonly onBegin: (market: Market) => void;
}

/** Page of all assets: what each did in a day, where it is traded, and why not elsewhere. Favourites come first. */
export function MarketsPage({ network, onBegin }: MarketsPageProps) {
  const deployment = useQuery(deploymentQuery).data;
  const rows = useAssetRows(network);
  const marked = useStore(favourites);
  const [search, setSearch] = useState("");
  const [order, setOrder] = useState<SortOrder<Column>>({ column: "Asset", isAscending: true });
  const wanted = search.trim().toLocaleLowerCase();
  const sorted = sortedBy(
    rows.filter(({ asset, name }) => `${asset} ${name}`.toLocaleLowerCase().includes(wanted)),
    COLUMNS[order.column],
    order.isAscending,
  );
  const shown = sortedBy(sorted, ({ asset }) => Number(marked.includes(asset)), false);
  return (
    <div className="flex flex-col gap-4">
      <SearchInput label="Search markets" value={search} onValueChange={setSearch} />
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Markets">
        <table className="w-full text-sm">
          <thead className="text-left text-xs text-faint">
            <tr>
              <th scope="col" className="w-8">
                <span className="sr-only">Favourite</span>
              </th>
              {(Object.keys(COLUMNS) as Column[]).map((column) => (
                <SortHead
                  key={column}
                  column={column}
                  order={order}
                  onOrder={setOrder}
                  className={clsx(
                    "px-2 py-1",
                    column !== "Asset" && "text-right",
                    column === "Volume 24 h" && "max-sm:hidden",
                  )}
                />
              ))}
              <th scope="col" className="px-2 py-1 text-right font-medium">
                New agent
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <MarketRow
                key={row.asset}
                row={row}
                isMarked={marked.includes(row.asset)}
                reasonOf={(venue) => untradedReason(row, venue, network, deployment)}
                onBegin={onBegin}
              />
            ))}
          </tbody>
        </table>
      </div>
      {shown.length === 0 && (
        <p role="status" className="text-sm text-muted">
          No market has this name.
        </p>
      )}
      <p className="text-xs text-faint">{COMING_SOON_VENUES.join(", ")}: coming soon.</p>
    </div>
  );
}

/** Decimals of prices below and from one. */
const priceText = (price: number): string => groupThousands(price.toFixed(price < 1 ? 4 : 2));

/** Returns an amount of money in thousands or millions, short enough for a column. */
const shortMoney = (amount: number): string =>
  `$${new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 }).format(amount)}`;

interface MarketRowProps extends Pick<MarketsPageProps, "onBegin"> {
  readonly row: AssetRow;
  readonly isMarked: boolean;
  readonly reasonOf: (venue: VenueId) => string | null;
}

function MarketRow({ row, isMarked, reasonOf, onBegin }: MarketRowProps) {
  const { asset, name, markets, day, isLoading } = row;
  const none = isLoading ? "…" : "–";
  const reasons = [
    ...(day === null && !isLoading ? [`No prices of ${asset} here.`] : []),
    ...VENUE_IDS.flatMap((venue) => reasonOf(venue) ?? []),
  ];
  return (
    <tr className="border-t border-line align-top">
      <td className="py-1.5">
        <IconButton
          size="small"
          label={`Favourite ${asset}`}
          pressed={isMarked}
          icon={<Star aria-hidden className={isMarked ? "fill-current text-warn" : undefined} />}
          onClick={() => toggleFavourite(asset)}
        />
      </td>
      <th scope="row" className="px-2 py-2 text-left font-normal">
        <span className="font-medium">{asset}</span>{" "}
        <span className="text-xs text-muted">{name}</span>
        {reasons.map((reason) => (
          <span key={reason} className="block text-2xs text-faint">
            {reason}
          </span>
        ))}
      </th>
      <td className="px-2 py-2 text-right tabular-nums">{day ? priceText(day.price) : none}</td>
      <td className="px-2 py-2 text-right tabular-nums">
        {day?.change == null ? none : <Share value={day.change} />}
      </td>
      <td className="px-2 py-2 text-right tabular-nums max-sm:hidden">
        {day ? shortMoney(day.volume) : none}
      </td>
      <td className="py-1.5 pl-2">
        <span className="flex flex-wrap justify-end gap-1.5">
          {markets
            .filter(({ venue }) => reasonOf(venue) === null)
            .map((market) => (
              <Button
                key={market.venue}
                size="small"
                aria-label={`New agent on ${VENUE_PROFILES[market.venue].label}'s ${market.marketId}`}
                onClick={() => onBegin(market)}
              >
                <Plus aria-hidden />
                {VENUE_PROFILES[market.venue].label}
              </Button>
            ))}
        </span>
      </td>
    </tr>
  );
}
