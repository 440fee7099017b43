import { mulDiv } from "../../domain/amount.ts";
import { PRICE_DECIMALS } from "../../domain/market.ts";
import { isWorthDue } from "../../domain/owner-history.ts";
import { findMarket } from "../../venues/profiles.ts";
import type { LedgerBalance } from "../../domain/ledger/balance.ts";
import type { BookedEntry } from "../../domain/ledger/entry.ts";
import type { LedgerReading } from "../../venues/ledger-reading.ts";
import type { MarketPrice } from "../../venues/venue.ts";
import type { CustodyContext } from "../custody/account/custody-context.ts";
import {
  type EquityPoint,
  insertEquityPoint,
  readLastPoint,
} from "../store/ledger/equity-points.ts";
import { listFlowsAfter, sumLedger } from "../store/ledger/ledger.ts";
import type { LedgerDeps } from "./ledger-deps.ts";

const FLOWS: ReadonlySet<string> = new Set(["opening", "deposit", "withdrawal", "external"]);

/** Inputs of `markEquity`: the chain's state, which equals the ledger, and the newly booked entries. */
interface EquityLook {
  readonly reading: Pick<LedgerReading, "balances">;
  readonly entries: readonly BookedEntry[];
}

/**
 * Adds an equity point of an agent after fills and flows, and once an hour while a position is open or the agent is on.
 *
 * Equity is computed from the ledger: quote balances plus holdings at the market's price. When a needed price is
 * missing no point is added, which leaves a gap. The ledger is summed only when a point is due.
 */
export async function markEquity(
  deps: LedgerDeps,
  context: CustodyContext,
  { reading, entries }: EquityLook,
): Promise<void> {
  const { agent } = context;
  const last = await readLastPoint(deps.db, agent.agentId);
  const nowMs = deps.clock.now();
  const cause = causeOf(entries, {
    isDue: isWorthDue(last?.atMs ?? null, nowMs),
    isAlive: agent.autoTrade !== "off" || heldOf(context, reading.balances).length > 0,
  });
  if (cause === null) return;
  const point = await valuePoint(deps, context, last);
  if (point === null) return;
  await insertEquityPoint(deps.db, agent, { ...point, cause, atMs: nowMs });
  deps.publisher.publish(agent.owner, { topic: "ledger", id: agent.agentId });
}

/** Returns the ledger's equity at market prices; null when the price of a held or moved asset is unknown. */
async function valuePoint(
  { db }: LedgerDeps,
  context: CustodyContext,
  last: EquityPoint | null,
): Promise<Omit<EquityPoint, "cause" | "atMs"> | null> {
  const { agent, venue } = context;
  const [balances, flows] = await Promise.all([
    sumLedger(db, agent.agentId),
    listFlowsAfter(db, agent.agentId, last?.entrySeq ?? 0n),
  ]);
  const { quote } = venue.instance;
  const own = balances.filter(({ place }) => !NOT_AT_WORK.has(place));
  const assets = [...heldOf(context, balances), ...flows.amounts]
    .filter(({ asset, amount }) => asset !== quote.symbol && amount !== 0n)
    .map(({ asset }) => asset);
  const prices = await readPrices(context, [agent.marketId, ...assets]);
  if (assets.some((asset) => !prices.has(asset))) return null;
  const valued = (amounts: readonly Amount[]): bigint =>
    amounts.reduce((sum, each) => sum + worthOf(each, quote, prices), 0n);
  const price = prices.get(agent.marketId);
  return {
    agentId: agent.agentId,
    slot: BigInt(flows.slot),
    value: valued(own),
    asset: quote.symbol,
    decimals: quote.decimals,
    netFlow: (last?.netFlow ?? 0n) + valued(flows.amounts),
    market: agent.marketId,
    price: price?.price ?? null,
    priceAtMs: price?.publishedAtMs ?? null,
    entrySeq: flows.lastSeq,
  };
}

type Amount = Pick<LedgerBalance, "asset" | "amount" | "decimals">;

/** Places of SOL for rent and network fees, which is not part of the traded capital. */
const NOT_AT_WORK: ReadonlySet<string> = new Set(["vault_sol", "wallet", "platform"]);

/** Returns the holdings of assets that have a market price. */
function heldOf({ venue }: CustodyContext, balances: readonly LedgerBalance[]) {
  return balances.filter(
    ({ place, asset, amount }) =>
      (place === "position" || place === "vault") &&
      asset !== venue.instance.quote.symbol &&
      amount !== 0n,
  );
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

function worthOf(
  { asset, amount, decimals }: Amount,
  quote: { readonly symbol: string; readonly decimals: number },
  prices: ReadonlyMap<string, MarketPrice>,
): bigint {
  if (asset === quote.symbol || amount === 0n) return amount;
  const price = prices.get(asset)?.price;
  if (price === undefined) throw new Error(`${asset} has no price`);
  const perQuote = 10n ** BigInt(quote.decimals);
  return mulDiv(amount * price, perQuote, 10n ** BigInt(decimals + PRICE_DECIMALS), "down");
}
