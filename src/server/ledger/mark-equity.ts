import { mulDiv } from "../../domain/amount.ts";
import { findMarket } from "../../domain/market.ts";
import type { BookBalance } from "../../domain/ledger/balance.ts";
import type { BookedEntry } from "../../domain/ledger/entry.ts";
import type { MarketPrice } from "../../venues/venue.ts";
import type { CustodyContext } from "../custody/custody-context.ts";
import { type EquityPoint, insertEquityPoint, readLastPoint } from "../store/equity-points.ts";
import { listFlowsAfter, sumBook } from "../store/ledger.ts";
import type { BookDeps } from "./book-deps.ts";

const HOUR_MS = 3_600_000;

const FLOWS: ReadonlySet<string> = new Set(["opening", "deposit", "withdrawal", "external"]);

/**
 * Adds a point of an agent's worth after fills and flows, and once an hour while a position is open or the agent is on.
 *
 * The worth is the book's: quote at its places and what is held at the market's price. Without the price of something held
 * there is no point, and a gap stays.
 */
export async function markEquity(
  deps: BookDeps,
  context: CustodyContext,
  entries: readonly BookedEntry[] | null,
): Promise<void> {
  const { agent, venue } = context;
  const last = await readLastPoint(deps.db, agent.agentId);
  const nowMs = deps.clock.now();
  const balances = await sumBook(deps.db, agent.agentId);
  const held = balances.filter(
    ({ asset, amount, place }) => isHeld(context, asset, place) && amount !== 0n,
  );
  const cause = causeOf(entries ?? [], {
    isDue: last === null || nowMs - last.atMs >= HOUR_MS,
    isAlive: held.length > 0 || agent.autoTrade !== "off",
  });
  if (cause === null) return;
  const prices = await readPrices(context, [agent.marketId, ...held.map(({ asset }) => asset)]);
  if (held.some(({ asset }) => prices.get(asset) === undefined)) return;
  const flows = await listFlowsAfter(deps.db, agent.agentId, last?.entrySeq ?? 0n);
  const { quote } = venue.instance;
  const valued = (amounts: readonly Pick<BookBalance, "asset" | "amount" | "decimals">[]): bigint =>
    amounts.reduce((sum, each) => sum + worthOf(each, quote, prices), 0n);
  const price = prices.get(agent.marketId);
  const point: EquityPoint = {
    agentId: agent.agentId,
    atMs: nowMs,
    slot: BigInt(flows.slot),
    cause,
    value: valued(
      balances.filter(
        ({ place }) => place !== "vault_sol" && place !== "wallet" && place !== "platform",
      ),
    ),
    asset: quote.symbol,
    decimals: quote.decimals,
    netFlow: (last?.netFlow ?? 0n) + valued(flows.amounts),
    market: agent.marketId,
    price: price?.price ?? null,
    priceAtMs: price?.publishedAtMs ?? null,
    entrySeq: flows.lastSeq,
  };
  await insertEquityPoint(deps.db, agent, point);
  deps.publisher.publish(agent.owner, { topic: "ledger", id: agent.agentId });
}

/** Says whether an asset is something that has a market's price. */
function isHeld({ venue }: CustodyContext, asset: string, place: string): boolean {
  if (place === "position") return asset !== venue.instance.quote.symbol;
  return place === "vault" && asset !== venue.instance.quote.symbol;
}

function causeOf(
  entries: readonly BookedEntry[],
  { isDue, isAlive }: { readonly isDue: boolean; readonly isAlive: boolean },
): EquityPoint["cause"] | null {
  if (entries.some(({ kind }) => kind === "trade")) return "fill";
  if (entries.some(({ kind, place }) => FLOWS.has(kind) && place !== "vault_sol")) return "flow";
  return isDue && isAlive ? "hour" : null;
}

async function readPrices(
  { venue }: CustodyContext,
  markets: readonly string[],
): Promise<ReadonlyMap<string, MarketPrice>> {
  const read = await Promise.all(
    [...new Set(markets)].map(async (market) => {
      const known = findMarket(venue.id, market) !== undefined;
      const price = known ? await venue.price(market).catch(() => null) : null;
      return price === null ? [] : [[market, price] as const];
    }),
  );
  return new Map(read.flat());
}

/** Prices have six decimals per whole asset, as quote amounts of the venues here. */
function worthOf(
  { asset, amount, decimals }: Pick<BookBalance, "asset" | "amount" | "decimals">,
  quote: { readonly symbol: string; readonly decimals: number },
  prices: ReadonlyMap<string, MarketPrice>,
): bigint {
  if (asset === quote.symbol) return amount;
  const price = prices.get(asset)?.price;
  if (price === undefined) return 0n;
  const perQuote = 10n ** BigInt(quote.decimals);
  return mulDiv(amount * price, perQuote, 10n ** BigInt(decimals + PRICE_PLACES), "down");
}

const PRICE_PLACES = 6;
