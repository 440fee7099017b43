import type { Pool } from "pg";
import type { AgentId } from "../../../domain/ids.ts";
import type { Network } from "../../../domain/network.ts";
import {
  type EndedSignature,
  type OpenSignature,
  SIGNATURE_KINDS,
  type SignatureKind,
  type SignedSums,
} from "../../../domain/order/signing-budget.ts";
import { utcDay } from "../../../domain/risk-ledger.ts";
import type { Lifetime } from "../../../solana/settle-signature.ts";
import type { Db } from "../postgres/db.ts";
import { on } from "../postgres/on.ts";

/** An order of the ledger that is not decided yet; without a lifetime it was refused. */
export type OpenRow = OpenSignature & { readonly lifetime: Lifetime | null };

/** A signature to be written down. */
export interface SignatureRow extends Omit<OpenSignature, "kind" | "isSigned"> {
  readonly agentId: AgentId;
  readonly network: Network;
  readonly kind: SignatureKind;
  readonly lamports: bigint;
  readonly lifetime: Lifetime | null;
}

const SUMS = `
with asked as (
  select $1::text as agent, $2::timestamptz as minute, $3::timestamptz as hour, $4::date as day, $5::text as network
), kept as (
  select signatures.* from signer.signatures, asked
  where agent_id = agent and signed_at >= least(hour, day::timestamp at time zone 'utc')
), today as (
  select kept.* from kept, asked where signed_at >= day::timestamp at time zone 'utc'
), tries as (
  select market, count(*) as count, min(signed_at) as first from kept
  where kind = 'exit' and outcome in ('failed', 'part') and seq > coalesce((
    select max(seq) from kept as flat where flat.market = kept.market and flat.outcome = 'done'), 0)
  group by market
)
select
  (select jsonb_object_agg(kind, to_jsonb(used)) from (
    select kind, count(*) filter (where signed_at > minute) as minute,
      count(*) filter (where signed_at >= day::timestamp at time zone 'utc') as day,
      coalesce(sum(lamports) filter (where signed_at >= day::timestamp at time zone 'utc'), 0)::text as lamports
    from kept, asked where last_valid_block_height is not null group by kind) as used) as counts,
  (select jsonb_object_agg(kind, lamports::text) from signer.fees join asked using (network, day)) as deployment,
  (select coalesce(sum(cost), 0) from kept, asked where outcome is not null and signed_at > hour) as hour,
  (select coalesce(sum(cost), 0) from kept, asked
    where outcome is not null and signed_at > hour and kind = 'exit') as "exitsOfHour",
  (select coalesce(sum(cost), 0) from today where outcome is not null) as day,
  (select jsonb_object_agg(market, jsonb_build_object('count', count, 'firstMs', extract(epoch from first) * 1000))
    from tries) as tries,
  (select jsonb_agg(jsonb_build_object('id', id, 'kind', kind, 'market', market, 'cost', cost::text,
      'base', base::text, 'notional', notional::text, 'account', account,
      'at', extract(epoch from signed_at) * 1000, 'height', last_valid_block_height::text,
      'slot', blockhash_slot::text) order by seq)
    from kept where outcome is null and kind <> 'upkeep') as open,
  (select coalesce(max(known.blockhash_slot), 0)::text from signer.restored left join signer.signatures as known
    using (agent_id) join asked on agent_id = agent having count(*) > 0) as forgot`;

/** Fee that a signature of unknown fee counts with: the highest, in lamports. */
const FORGOTTEN_LAMPORTS = 290_000n;

interface OpenJson {
  readonly id: string;
  readonly kind: "entry" | "exit";
  readonly market: string;
  readonly cost: string;
  readonly base: string;
  readonly notional: string;
  readonly account: { readonly cash: string; readonly positions: Readonly<Record<string, string>> };
  readonly at: number;
  readonly height: string | null;
  readonly slot: string | null;
}

interface SumsRow {
  readonly counts: Partial<
    Record<
      SignatureKind,
      { readonly minute: number; readonly day: number; readonly lamports: string }
    >
  > | null;
  readonly deployment: Partial<Record<SignatureKind, string>> | null;
  readonly hour: string;
  readonly exitsOfHour: string;
  readonly day: string;
  readonly tries: Readonly<
    Record<string, { readonly count: number; readonly firstMs: number }>
  > | null;
  readonly open: readonly OpenJson[] | null;
  readonly forgot: string | null;
}

const byKind = <V>(valueOf: (kind: SignatureKind) => V) =>
  Object.fromEntries(SIGNATURE_KINDS.map((kind) => [kind, valueOf(kind)])) as Record<
    SignatureKind,
    V
  >;

const toOpen = (row: OpenJson): OpenRow => ({
  id: row.id,
  kind: row.kind,
  isSigned: row.height !== null,
  marketId: row.market,
  baseSize: BigInt(row.base),
  notional: BigInt(row.notional),
  cost: BigInt(row.cost),
  signedAtMs: row.at,
  before: {
    cash: BigInt(row.account.cash),
    positions: Object.fromEntries(
      Object.entries(row.account.positions).map(([market, size]) => [market, BigInt(size)]),
    ),
  },
  lifetime:
    row.height === null
      ? null
      : {
          lastValidBlockHeight: BigInt(row.height),
          blockhashSlot: row.slot === null ? null : BigInt(row.slot),
        },
});

/** Returns what an agent's signatures add up to at a time, and its orders that are not decided yet. */
export async function readSignedSums(
  pool: Pool,
  agentId: AgentId,
  network: Network,
  nowMs: number,
): Promise<SignedSums & { readonly open: readonly OpenRow[] }> {
  const { rows } = await pool.query<SumsRow>({
    name: "signed-sums",
    text: SUMS,
    values: [
      agentId,
      new Date(nowMs - 60_000),
      new Date(nowMs - 3_600_000),
      utcDay(nowMs),
      network,
    ],
  });
  const [row] = rows;
  if (row === undefined) throw new Error("The signer's ledger did not answer");
  return {
    counts: byKind((kind) => {
      const { minute = 0, day = 0, lamports = "0" } = row.counts?.[kind] ?? {};
      return { minute, day, lamports: BigInt(lamports) };
    }),
    deployment: byKind((kind) => BigInt(row.deployment?.[kind] ?? "0")),
    costs: {
      hour: BigInt(row.hour),
      exitsOfHour: BigInt(row.exitsOfHour),
      day: BigInt(row.day),
    },
    failedExits: row.tries ?? {},
    open: (row.open ?? []).map(toOpen),
    forgotSince: row.forgot === null ? null : BigInt(row.forgot),
  };
}

const RECORD = `
with ended as (
  update signer.signatures set outcome = found.outcome, cost = found.cost
  from jsonb_to_recordset($1) as found (id text, outcome text, cost numeric)
  where signatures.id = found.id and signatures.outcome is null
), old as (
  delete from signer.signatures where agent_id = $3 and signed_at < $6::timestamptz - interval '7 days'
), old_fees as (
  delete from signer.fees where network = $14 and day < $15::date - 7
), signed as (
  insert into signer.signatures (id, agent_id, kind, market, signed_at, last_valid_block_height, blockhash_slot,
    lamports, base, notional, cost, account)
  select $2::text, $3, $4, $5, $6::timestamptz, $7::bigint, $8::bigint, $9::bigint, $10::numeric, $11::numeric, $12::numeric, $13::jsonb
  on conflict (id) do nothing returning kind, lamports
)
insert into signer.fees (network, day, kind, lamports)
select $14, $15::date, kind, lamports from signed where lamports > 0
on conflict (network, day, kind) do update set lamports = fees.lamports + excluded.lamports`;

/** Writes down a signature, once, and which earlier orders ended; what is a week old counts no more and goes. */
export async function recordSignature(
  pool: Pool,
  row: SignatureRow,
  ended: readonly EndedSignature[],
): Promise<void> {
  const { lifetime, before } = row;
  await pool.query({
    name: "record-signature",
    text: RECORD,
    values: [
      JSON.stringify(ended.map((each) => ({ ...each, cost: String(each.cost) }))),
      row.id,
      row.agentId,
      row.kind,
      row.marketId,
      new Date(row.signedAtMs),
      lifetime?.lastValidBlockHeight ?? null,
      lifetime?.blockhashSlot ?? null,
      row.lamports,
      row.baseSize,
      row.notional,
      row.cost,
      JSON.stringify(before, (_key, value: unknown) =>
        typeof value === "bigint" ? String(value) : value,
      ),
      row.network,
      utcDay(row.signedAtMs),
    ],
  });
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
with done as (delete from signer.restored where agent_id = $1)
insert into signer.signatures (id, agent_id, kind, market, signed_at, last_valid_block_height, lamports, base, notional,
  cost, account, outcome)
select signature, $1, 'entry', '', $2, 0, $3, 0, 0, $4, '{}', 'failed' from unnest($5::text[]) as signature
on conflict (id) do nothing`,
    values: [found.agentId, new Date(found.nowMs), FORGOTTEN_LAMPORTS, found.cost, found.signed],
  });
}
