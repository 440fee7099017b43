import { causeOf, equitySteps } from "../../domain/ledger/equity-steps.ts";
import { changesOf, type LedgerBalance } from "../../domain/ledger/balance.ts";
import type { BookedEntry } from "../../domain/ledger/entry.ts";
import { isWorthDue } from "../../domain/owner-history.ts";
import { findMarket } from "../../venues/profiles.ts";
import type { LedgerReading } from "../../venues/ledger-reading.ts";
import type { MarketPrice } from "../../venues/ports.ts";
import type { CustodyContext } from "../custody/account/custody-context.ts";
import {
  type EquityPoint,
  insertEquityPoints,
  readLastPoint,
} from "../store/ledger/equity-points.ts";
import { listEntriesAfter, sumLedger } from "../store/ledger/ledger.ts";
import type { LedgerDeps } from "./ledger-deps.ts";

/** Inputs of `markEquity`: the chain's state and the newly booked entries. */
interface EquityLook {
  readonly reading: Pick<LedgerReading, "balances">;
  readonly entries: readonly BookedEntry[];
  /** Whether the ledger equals the chain; false while transactions are not final, which are then in no point. */
  readonly isWhole: boolean;
}

/**
 * Adds an agent's equity points: one at the time of each new fill and flow, and one an hour while a position is open or the
 * agent is on.
 *
 * Equity is computed from the ledger: quote balances plus holdings at the market's price. When a needed price is
 * missing no point is added, which leaves a gap. The ledger is summed only when a point is due.
 */
export async function markEquity(
  deps: LedgerDeps,
  context: CustodyContext,
  { reading, entries, isWhole }: EquityLook,
): Promise<void> {
  const { agent, venue } = context;
  const last = await readLastPoint(deps.db, agent.agentId);
  const nowMs = deps.clock.now();
  const isAlive = agent.autoTrade !== "off" || hasHoldings(context, reading.balances);
  const isHourDue = (lastMs: number | null) => isWhole && isAlive && isWorthDue(lastMs, nowMs);
  if (!isHourDue(last?.atMs ?? null) && entries.every((entry) => causeOf(entry) === null)) return;
  const entrySeq = last?.entrySeq ?? 0n;
  const [balances, later] = await Promise.all([
    sumLedger(deps.db, agent.agentId, entrySeq),
    listEntriesAfter(deps.db, agent.agentId, entrySeq),
  ]);
  const { quote } = venue.instance;
  const changed = [...balances, ...later.flatMap(changesOf)].map(({ asset }) => asset);
  const prices = await readPrices(context, [agent.marketId, ...changed]);
  const { atMs: lastMs, netFlow, slot } = last ?? { atMs: 0, netFlow: 0n, slot: 0n };
  const before = { balances, entrySeq, netFlow, slot, atMs: lastMs };
  const known = new Map([...prices].map(([market, { price }]) => [market, price]));
  const found = equitySteps(before, later, { quote, prices: known, nowMs });
  if (found === null) return;
  const { steps, end } = found;
  const newestMs = steps.at(-1)?.atMs ?? last?.atMs ?? null;
  const isNowDue = isWhole && (isHourDue(newestMs) || end.missed !== null);
  const now = { cause: end.missed ?? "hour", atMs: Math.max(nowMs, (newestMs ?? 0) + 1) } as const;
  const all =
    isNowDue && end.value !== null ? [...steps, { ...end, ...now, value: end.value }] : steps;
  if (all.length === 0) return;
  const price = prices.get(agent.marketId);
  const points = all.map(({ cause, ...point }): EquityPoint => ({
    agentId: agent.agentId,
    cause,
    atMs: point.atMs,
    slot: point.slot,
    value: point.value,
    asset: quote.symbol,
    decimals: quote.decimals,
    netFlow: point.netFlow,
    market: agent.marketId,
    price: price?.price ?? null,
    priceAtMs: price?.publishedAtMs ?? null,
    entrySeq: point.entrySeq,
  }));
  await insertEquityPoints(deps.db, agent, points);
  deps.publisher.publish(agent.owner, { topic: "ledger", id: agent.agentId });
}

/** Returns whether the agent holds assets that have a market price. */
const hasHoldings = ({ venue }: CustodyContext, balances: readonly LedgerBalance[]): boolean =>
  balances.some(
    ({ place, asset, amount }) =>
      (place === "position" || place === "vault") &&
      asset !== venue.instance.quote.symbol &&
      amount !== 0n,
  );

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
