import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import type { SignatureKind } from "../../../domain/order/signing-budget.ts";
import {
  bookOf,
  bookStart,
  type EndedSignature,
  type SignedBook,
  type SignedRow,
} from "../../../domain/order/signed-book.ts";
import { utcDay } from "../../../domain/risk-ledger.ts";
import type { Db } from "../postgres/db.ts";
import { on, toJson } from "../postgres/on.ts";
import { HELD_DIGEST } from "./held-terms.ts";

/** What is a week old counts no more and goes; the newest row stays, because the next one follows it. */
const BOOK = `
with old as (
  delete from signer.signatures where agent_id = $1 and signed_at < $3::date - 7
    and seq < (select max(seq) from signer.signatures where agent_id = $1)
), old_fees as (
  delete from signer.fees where day < $3::date - 7
)
select
  (select jsonb_build_object('seq', seq, 'id', id) from signer.signatures
    where agent_id = $1 order by seq desc limit 1) as newest,
  (select jsonb_agg(to_jsonb(kept) || jsonb_build_object('at', extract(epoch from signed_at) * 1000) order by seq)
    from (select seq, id, kind, market, signed_at, lamports::text, base::text, notional::text, cost::text, account,
        last_valid_block_height::text as height, blockhash_slot::text as slot, outcome
      from signer.signatures where agent_id = $1 and signed_at >= $2::timestamptz) as kept) as rows,
  (select jsonb_agg(jsonb_build_object('network', network, 'kind', kind, 'lamports', lamports::text)) from signer.fees where day = $3::date) as fees,
  (select coalesce(max(known.blockhash_slot), 0)::text from signer.restored left join signer.signatures as known
    using (agent_id) where agent_id = $1 having count(*) > 0) as forgot`;

/** Fee that a signature of unknown fee counts with: the highest, in lamports. */
const FORGOTTEN_LAMPORTS = 290_000n;

interface RowJson {
  readonly seq: number;
  readonly id: string;
  readonly kind: SignatureKind;
  readonly market: string;
  readonly at: number;
  readonly lamports: string;
  readonly base: string;
  readonly notional: string;
  readonly cost: string;
  readonly account: { readonly cash?: string; readonly positions?: Record<string, string> };
  readonly height: string | null;
  readonly slot: string | null;
  readonly outcome: SignedRow["outcome"];
}

/** Fees of a day that a deployment's signatures of a kind may cost on a network. */
interface DayFees {
  readonly network: Network;
  readonly kind: SignatureKind;
  readonly lamports: bigint;
}

interface BookJson {
  readonly newest: SignedBook["newest"] | null;
  readonly rows: readonly RowJson[] | null;
  readonly fees: readonly (Omit<DayFees, "lamports"> & { readonly lamports: string })[] | null;
  readonly forgot: string | null;
}

const toRow = (row: RowJson): SignedRow => ({
  seq: row.seq,
  id: row.id,
  kind: row.kind,
  marketId: row.market,
  signedAtMs: row.at,
  lamports: BigInt(row.lamports),
  baseSize: BigInt(row.base),
  notional: BigInt(row.notional),
  cost: BigInt(row.cost),
  before: {
    cash: BigInt(row.account.cash ?? 0),
    positions: Object.fromEntries(
      Object.entries(row.account.positions ?? {}).map(([market, size]) => [market, BigInt(size)]),
    ),
  },
  lifetime:
    row.height === null
      ? null
      : {
          lastValidBlockHeight: BigInt(row.height),
          blockhashSlot: row.slot === null ? null : BigInt(row.slot),
        },
  outcome: row.outcome,
});

/** Returns an agent's book at a time, and the fees of all networks on that day. */
export async function readSignedBook(
  pool: Pool,
  agentId: AgentId,
  nowMs: number,
): Promise<{ readonly book: SignedBook; readonly fees: readonly DayFees[] }> {
  const { rows } = await pool.query<BookJson>({
    name: "signed-book",
    text: BOOK,
    values: [agentId, new Date(bookStart(nowMs)), utcDay(nowMs)],
  });
  const [found] = rows;
  if (found === undefined) throw new Error("The signer's ledger did not answer");
  const head = {
    newest: found.newest ?? { seq: 0, id: "" },
    forgotSince: found.forgot === null ? null : BigInt(found.forgot),
  };
  return {
    book: bookOf((found.rows ?? []).map(toRow), head, nowMs),
    fees: (found.fees ?? []).map((each) => ({ ...each, lamports: BigInt(each.lamports) })),
  };
}

// Two signers that follow the same row meet at the primary key: the second one waits for the first and then writes nothing
const RECORD = `
with signed as (
  insert into signer.signatures (agent_id, seq, id, kind, market, signed_at, last_valid_block_height, blockhash_slot,
    lamports, base, notional, cost, account)
  select $1::text, $2::bigint, $3, $4, $5, $6::timestamptz, $7::bigint, $8::bigint, $9::bigint, $10::numeric,
    $11::numeric, $12::numeric, $13::jsonb
  where coalesce((select id from signer.signatures where agent_id = $1 order by seq desc limit 1), '') = $16
    and exists (select from signer.restored where agent_id = $1) = $17
    and ${HELD_DIGEST} is not distinct from $21
  on conflict do nothing returning kind, lamports
), ended as (
  update signer.signatures set outcome = ($19::text[])[array_position($18::bigint[], seq)],
    cost = ($20::numeric[])[array_position($18::bigint[], seq)]
  where agent_id = $1 and seq = any($18::bigint[]) and outcome is null and exists (select from signed)
)
insert into signer.fees (network, day, kind, lamports) select $14, $15::date, kind, lamports from signed
on conflict (network, day, kind) do update set lamports = fees.lamports + excluded.lamports
returning lamports::text`;

/**
 * Writes down a signature and which earlier orders ended, where the book still ends with the agent's newest row and the
 * agent is what it was. Returns the network's fees of that kind and day; null where either changed, and then writes nothing.
 */
export async function recordSignature(
  pool: Pool,
  { newest, forgotSince }: Pick<SignedBook, "newest" | "forgotSince">,
  row: SignedRow & {
    readonly agentId: AgentId;
    readonly network: Network;
    readonly agentDigest: string | null;
  },
  ended: readonly EndedSignature[],
): Promise<bigint | null> {
  const { lifetime, before } = row;
  const { rows } = await pool.query<{ lamports: string }>({
    name: "record-signature",
    text: RECORD,
    values: [
      row.agentId,
      row.seq,
      row.id,
      row.kind,
      row.marketId,
      new Date(row.signedAtMs),
      lifetime?.lastValidBlockHeight ?? null,
      lifetime?.blockhashSlot ?? null,
      row.lamports,
      row.baseSize,
      row.notional,
      row.cost,
      toJson(before),
      row.network,
      utcDay(row.signedAtMs),
      newest.id,
      forgotSince !== null,
      ended.map(({ seq }) => seq),
      ended.map(({ outcome }) => outcome),
      ended.map(({ cost }) => cost),
      row.agentDigest,
    ],
  });
  return rows[0] === undefined ? null : BigInt(rows[0].lamports);
}

/** Has every agent's signatures since the backup looked for on the chain before its next entry. */
export async function markRestored(db: Db): Promise<void> {
  await on(db).change`
    insert into signer.restored (agent_id) select agent_id from multisigs on conflict do nothing`;
}

/** Counts signatures of a key that a restored ledger does not have as entries that cost this much each. */
export async function countForgotten(
  pool: Pool,
  found: {
    readonly agentId: AgentId;
    readonly signed: readonly string[];
    readonly cost: bigint;
    readonly nowMs: number;
  },
): Promise<void> {
  await pool.query({
    name: "count-forgotten",
    text: `
with done as (delete from signer.restored where agent_id = $1), known as (
  select id, seq from signer.signatures where agent_id = $1
)
insert into signer.signatures (agent_id, seq, id, kind, market, signed_at, last_valid_block_height, lamports, base,
  notional, cost, account, outcome)
select $1, (select coalesce(max(seq), 0) from known) + row_number() over (), signature, 'entry', '', $2, 0, $3, 0, 0, $4,
  '{}', 'failed'
from unnest($5::text[]) as signature where signature not in (select id from known)`,
    values: [found.agentId, new Date(found.nowMs), FORGOTTEN_LAMPORTS, found.cost, found.signed],
  });
}
