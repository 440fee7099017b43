import { sql } from "kysely";
import type { LedgerKind } from "../../../domain/ledger/entry.ts";
import type { Db } from "../postgres/db.ts";
import { type LedgerRange, TRADE_PART_COLUMNS, type TradePart, toTradePart } from "./ledger.ts";

/** Sum of the entries of one kind. `isLamports`: SOL for the network, which is not part of the traded capital. */
export interface KindSum {
  readonly kind: LedgerKind;
  readonly asset: string;
  readonly isLamports: boolean;
  readonly amount: bigint;
  readonly realised: bigint;
}

/** Sums an agent's entries of a range by kind. */
export async function sumKinds(
  db: Db,
  agentId: string,
  { fromMs, toMs }: LedgerRange,
): Promise<readonly KindSum[]> {
  const { rows } = await sql<{
    kind: LedgerKind;
    asset: string;
    is_lamports: boolean;
    amount: string;
    realised: string;
  }>`
    select kind, asset, place in ('vault_sol', 'wallet', 'platform') as is_lamports,
      sum(amount)::text as amount, coalesce(sum(realised), 0)::text as realised
    from ledger_entries
    where agent_id = ${agentId} and at >= ${new Date(fromMs)} and at < ${new Date(toMs)}
    group by kind, asset, is_lamports`.execute(db);
  return rows.map((row) => ({
    kind: row.kind,
    asset: row.asset,
    isLamports: row.is_lamports,
    amount: BigInt(row.amount),
    realised: BigInt(row.realised),
  }));
}

/** Returns an agent's trades with their fees and funding, oldest first. */
export async function listTradeEntries(db: Db, agentId: string): Promise<readonly TradePart[]> {
  const rows = await db
    .selectFrom("ledger_entries")
    .select(TRADE_PART_COLUMNS)
    .where("agent_id", "=", agentId)
    .where("kind", "in", ["trade", "fee", "funding"])
    .orderBy("at")
    .orderBy("seq")
    .execute();
  return rows.map(toTradePart);
}

/** Times and decision prices of a filled order: when its alert arrived, when it was sent and when it settled. */
export interface FilledOrderFacts {
  readonly receivedAtMs: number | null;
  readonly sentAtMs: number | null;
  readonly settledAtMs: number | null;
  readonly marketId: string;
  readonly side: "long" | "short";
  readonly referencePrice: bigint;
  readonly baseSize: bigint;
  readonly quoteSize: bigint;
}

interface FactsRow {
  readonly received_at: Date | null;
  readonly submitted_at: Date | null;
  readonly settled_at: Date | null;
  readonly intent: { marketId: string; side: "long" | "short"; referencePrice: string };
  readonly base: string;
  readonly quote: string;
}

/** Returns the fully or partially filled orders of a range. */
export async function listFilledFacts(
  db: Db,
  agentId: string,
  { fromMs, toMs }: LedgerRange,
): Promise<readonly FilledOrderFacts[]> {
  const { rows } = await sql<FactsRow>`
    select event.received_at, orders.submitted_at, orders.settled_at, orders.intent,
      fills.base::text as base, fills.quote::text as quote
    from orders
    join lateral (
      select sum(base_size) as base, sum(quote_size) as quote from order_fills
      where order_id = orders.id
    ) as fills on fills.base > 0
    left join alert_events as event on event.id = orders.event_id
    where orders.agent_id = ${agentId} and orders.intent is not null
      and orders.submitted_at >= ${new Date(fromMs)} and orders.submitted_at < ${new Date(toMs)}`.execute(
    db,
  );
  return rows.map(({ intent, ...row }) => ({
    receivedAtMs: row.received_at?.getTime() ?? null,
    sentAtMs: row.submitted_at?.getTime() ?? null,
    settledAtMs: row.settled_at?.getTime() ?? null,
    marketId: intent.marketId,
    side: intent.side,
    referencePrice: BigInt(intent.referencePrice),
    baseSize: BigInt(row.base),
    quoteSize: BigInt(row.quote),
  }));
}
