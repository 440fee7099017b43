import type { Pool } from "pg";
import type { PinnedTerms } from "../../../domain/owner-text.ts";
import type { AgentId } from "../../../domain/ids.ts";
import { isUndecided } from "../reconcile/foreign-powers.ts";
import { AGENT_COLUMNS, type AgentJson, type AgentRecord, toAgent } from "../agents/agents.ts";
import type { OwnerFactRecord } from "../agents/owner-facts.ts";

/** What the signer remembers of an agent's facts, in a schema that other roles do not write. */
export interface HeldTerms {
  /** Facts up to this number have been judged. */
  readonly seq: string;
  /** Time at which the accepted text was issued, in milliseconds; 0 for terms inherited at an upgrade. */
  readonly issuedAt: number;
  /** Null before a text was accepted. */
  readonly terms: PinnedTerms | null;
  /** Whether auto-trade was turned off since. */
  readonly isOff: boolean;
  readonly withdrawnKeys: readonly string[];
  /** Why the newest text since the accepted one was refused. */
  readonly refused: string | null;
}

export const NOTHING_HELD: HeldTerms = {
  seq: "0",
  issuedAt: 0,
  terms: null,
  isOff: false,
  withdrawnKeys: [],
  refused: null,
};

/** An agent with what its signer holds it to, as of one moment. */
export interface HeldAgent {
  readonly agent: AgentRecord;
  readonly held: HeldTerms;
  /** Number of the agent's newest fact. */
  readonly newestSeq: string;
  /** Whether the owner has not said yet what another power over the money may do. */
  readonly isUndecided: boolean;
  /** Whether the owner keeps the present position without its plan. */
  readonly isPlanOver: boolean;
  /** Of the versions of all rows that are read here: a later statement tells by it whether they still stand. */
  readonly digest: string;
}

/** Most facts, and bytes of them, read at once; a longer fact, which no owner signed here, is not read. */
const MAX_FACTS = 200;
const MAX_BYTES = 1_000_000;
const MAX_FACT_BYTES = 98_304;

/** A fact as it is read to be judged. */
export type FactToJudge =
  | OwnerFactRecord
  | { readonly seq: string; readonly at: Date; readonly kind: "too_long" };

const PLAN_OVER = "coalesce((select is_over from plan_positions where agent_id = $1), false)";

const NEWEST = "coalesce((select max(seq) from owner_facts where agent_id = $1), 0)::text";

/** A row has another version once anything in it was written. */
const DIGEST = `concat(agents.xmin, agents.ctid, ' ', multisigs.xmin, multisigs.ctid, ' ', held.xmin, held.ctid, ' ',
  ${NEWEST}, ' ', ${isUndecided("$1")}, ${PLAN_OVER})`;

const FROM = `from agents left join multisigs on multisigs.agent_id = agents.id
    left join signer.held_terms as held on held.agent_id = agents.id
  where agents.id = $1`;

const HELD = `
  select ${AGENT_COLUMNS}, ${isUndecided("$1")} as "isUndecided", ${PLAN_OVER} as "isPlanOver", to_jsonb(held) as held, ${NEWEST} as newest,
    ${DIGEST} as digest ${FROM}`;

/** Expression of the present digest of the agent `$1`, null where there is none. */
export const HELD_DIGEST = `(select ${DIGEST} ${FROM})`;

interface HeldRow {
  readonly seq: number;
  readonly issued_at: number;
  readonly terms: PinnedTerms | null;
  readonly is_off: boolean;
  readonly withdrawn_keys: readonly string[];
  readonly refused: string | null;
}

type Row = AgentJson & {
  readonly isUndecided: boolean;
  readonly isPlanOver: boolean;
  readonly held: HeldRow | null;
  readonly newest: string;
  readonly digest: string;
};

const toHeld = (row: HeldRow): HeldTerms => ({
  seq: String(row.seq),
  issuedAt: row.issued_at,
  terms: row.terms,
  isOff: row.is_off,
  withdrawnKeys: row.withdrawn_keys,
  refused: row.refused,
});

/** Returns an agent with what is held of it. */
export async function readHeldAgent(pool: Pool, agentId: AgentId): Promise<HeldAgent | null> {
  const { rows } = await pool.query<Row>({ name: "held-agent", text: HELD, values: [agentId] });
  const [row] = rows;
  if (row === undefined) return null;
  return {
    agent: toAgent(row),
    held: row.held === null ? NOTHING_HELD : toHeld(row.held),
    newestSeq: row.newest,
    isUndecided: row.isUndecided,
    isPlanOver: row.isPlanOver,
    digest: row.digest,
  };
}

/** Returns an agent's next facts after a number, oldest first; what they are is read once their sizes are known. */
export async function readFactsAfter(
  pool: Pool,
  agentId: AgentId,
  seq: string,
): Promise<readonly FactToJudge[]> {
  const { rows } = await pool.query<FactToJudge>({
    name: "facts-after",
    text: `with next as materialized (
        select seq, bytes > ${MAX_FACT_BYTES} as is_long,
          sum(case when bytes > ${MAX_FACT_BYTES} then 0 else bytes end) over (order by seq) as total
        from (select seq, bytes from owner_facts where agent_id = $1 and seq > $2 order by seq limit ${MAX_FACTS}) as sizes
      )
      select fact.seq::text, case when is_long then 'too_long' else kind end as kind, at,
        case when not is_long then wallet end as wallet, case when not is_long then text end as text, signature,
        case when not is_long then parts end as parts, trading_key as "tradingKey"
      from next join owner_facts as fact using (seq) where total <= ${MAX_BYTES} order by next.seq`,
    values: [agentId, seq],
  });
  return rows;
}

/** Keeps what is held of an agent, unless another process has judged more facts. */
export async function keepHeldTerms(pool: Pool, agentId: AgentId, held: HeldTerms): Promise<void> {
  await pool.query({
    name: "keep-held",
    text: `insert into signer.held_terms as held
        (agent_id, seq, issued_at, terms, is_off, withdrawn_keys, refused)
      values ($1, $2, $3, $4, $5, $6, $7)
      on conflict (agent_id) do update set seq = excluded.seq, issued_at = excluded.issued_at,
        terms = excluded.terms, is_off = excluded.is_off, withdrawn_keys = excluded.withdrawn_keys,
        refused = excluded.refused
      where held.seq < excluded.seq`,
    values: [
      agentId,
      held.seq,
      held.issuedAt,
      JSON.stringify(held.terms),
      held.isOff,
      held.withdrawnKeys,
      held.refused,
    ],
  });
}
