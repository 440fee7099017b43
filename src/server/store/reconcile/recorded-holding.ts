import type { AccountDifference, RecordedHolding } from "../../../domain/account-difference.ts";
import type { AgentId } from "../../../domain/ids.ts";
import type { LedgerPlace } from "../../../domain/ledger/entry.ts";
import { sumTradedBase } from "../custody/custody-notices.ts";
import type { Db } from "../postgres/db.ts";
import { IS_UNBOOKED } from "../ledger/pending-writes.ts";
import { on } from "../postgres/on.ts";

/** A difference between an account and the records, as the nodes reported it. */
export interface ReportedDifference extends AccountDifference {
  /** Slot at which a single node first reported it; null for a difference that was confirmed. */
  readonly aloneSince: bigint | null;
}

/** What an agent's records say its account holds, and what the account was last seen to hold beyond that. */
export interface HoldingRecord extends RecordedHolding {
  readonly reported: ReportedDifference | null;
}

interface ReportedRow {
  readonly positions: Readonly<Record<string, string>>;
  readonly cash: string;
  readonly aloneSince: string | null;
}

/**
 * Returns what the agent's recorded trades and its book say the account holds.
 *
 * The book has what is final, and in its opening balance what no node stores any more, and pending what was seen to land
 * here since; what others did since is missing for some seconds. `places` are
 * where the venue keeps the money, `asset` is its quote token.
 */
export async function readRecordedHolding(
  db: Db,
  agentId: AgentId,
  { places, asset }: { readonly places: readonly LedgerPlace[]; readonly asset: string },
): Promise<HoldingRecord> {
  const [positions, row] = await Promise.all([
    sumTradedBase(db, agentId),
    on(db).row<{ cash: string; reported: ReportedRow | null }>`
      select (
        coalesce((
          select sum(amount) from ledger_entries
          where agent_id = ${agentId} and place = any(${places}::text[]) and asset = ${asset}), 0)
        + coalesce((
          select sum(amount) from pending_entries as pending
          where agent_id = ${agentId} and place = any(${places}::text[]) and asset = ${asset}
            and not is_read and ${IS_UNBOOKED}), 0)
      )::text as cash, lanes.account_difference as reported
      from lanes
      where lanes.agent_id = ${agentId}`,
  ]);
  const { cash = "0", reported = null } = row ?? {};
  return {
    positions,
    cash: BigInt(cash),
    reported: reported === null ? null : readReported(reported),
  };
}

/** Time in which a keeper's fill of the owner's closing reaches the records, in milliseconds. */
const CLOSING_RECORDED_MS = 120_000;

/** Returns whether the owner is moving money or closing positions here, or just closed, which keepers fill later. */
export async function hasOwnerJustActed(db: Db, agentId: AgentId, nowMs: number): Promise<boolean> {
  return on(db).has`
    select from custody_transactions
    where agent_id = ${agentId} and intent in ('deposit', 'withdraw', 'close-positions', 'move-assets')
      and (settled_at is null or (intent = 'close-positions' and state = 'confirmed'
        and settled_at >= ${new Date(nowMs - CLOSING_RECORDED_MS)}))
    limit 1`;
}

const readReported = ({ positions, cash, aloneSince }: ReportedRow): ReportedDifference => ({
  positions: new Map(Object.entries(positions).map(([market, size]) => [market, BigInt(size)])),
  cash: BigInt(cash),
  aloneSince: aloneSince === null ? null : BigInt(aloneSince),
});

/** Stores the difference that the nodes reported between an agent's account and the records. */
export async function storeReportedDifference(
  db: Db,
  agentId: AgentId,
  { positions, cash, aloneSince }: ReportedDifference,
): Promise<void> {
  const row: ReportedRow = {
    positions: Object.fromEntries([...positions].map(([market, size]) => [market, String(size)])),
    cash: String(cash),
    aloneSince: aloneSince === null ? null : String(aloneSince),
  };
  await on(db).change`
    update lanes set account_difference = ${JSON.stringify(row)} where agent_id = ${agentId}`;
}
