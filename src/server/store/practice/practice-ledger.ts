import { setImmediate } from "node:timers/promises";
import type { Signature } from "@solana/kit";
import type { Pool, PoolClient } from "pg";
import type {
  LedgerChange,
  LedgerDecision,
  LedgerView,
  PracticeLedger,
} from "../../../practice/ledger.ts";
import type { TransactionOutcome } from "../../../solana/chain.ts";
import { onOneConnection } from "../postgres/one-connection.ts";
import { createPracticeCache, type PracticeCache } from "./practice-cache.ts";
import { sendTogether } from "../postgres/send-together.ts";
import { decodeOutcome, encodeRecord, type OutcomeRow } from "./practice-outcome.ts";

interface LoadedRows {
  readonly head: { readonly version: string }[];
  readonly accounts: Parameters<PracticeCache["apply"]>[1];
  readonly landed: { readonly signature: Signature }[];
}

/**
 * Number of slots whose signatures a starting process loads: a blockhash is valid for 150 slots, so older ones cannot
 * recur.
 */
const REMEMBERED_SLOTS = 1_000;

/** Returns one round trip's queries: the head, then everything written since the cached version. */
function loadStatement(since: bigint): string {
  const landed =
    since < 0n
      ? `where slot > (select coalesce(max(slot), 0) - ${REMEMBERED_SLOTS} from practice_transactions)`
      : `where version > ${since}`;
  return `select version::text from practice_head;
    select address, lamports::text, owner, data, executable from practice_accounts
      where version > ${since} ${since < 0n ? "and lamports > 0" : ""};
    select signature from practice_transactions ${landed} order by version`;
}

const COMMIT = `
with head as (
  update practice_head set version = $1
), accounts as (
  insert into practice_accounts (address, lamports, owner, data, executable, version)
  select a.*, $1 from unnest($2::text[], $3::bigint[], $4::text[], $5::bytea[], $6::boolean[]) as a
  on conflict (address) do update set lamports = excluded.lamports, owner = excluded.owner,
    data = excluded.data, executable = excluded.executable, version = excluded.version
), transactions as (
  insert into practice_transactions
    (signature, slot, block_time, error, logs, fee_lamports, fee_payer, lamport_deltas, token_deltas, version)
  select t.signature, t.slot, t."blockTime", t.error, t.logs, t."feeLamports", t."feePayer",
    t."lamportDeltas", t."tokenDeltas", $1
  from jsonb_to_recordset($7::jsonb) as t(signature text, slot bigint, "blockTime" bigint, error jsonb,
    logs jsonb, "feeLamports" bigint, "feePayer" text, "lamportDeltas" jsonb, "tokenDeltas" jsonb)
)
insert into practice_touched (address, signature)
select * from unnest($8::text[], $9::text[])`;

const HEAD = { name: "practice-head", text: "select version::text from practice_head" };
const LOCK_HEAD = { ...HEAD, name: "practice-lock", text: `${HEAD.text} for update`, values: [] };

const OUTCOMES = `
select signature, slot::text, block_time::text, error, logs, fee_lamports::text, fee_payer, lamport_deltas,
  token_deltas
from practice_transactions where signature = any($1)`;

async function load(client: Pool | PoolClient, since: bigint): Promise<LoadedRows> {
  // A simple query with several statements returns one result each, which the driver's types omit
  const results = (await client.query(loadStatement(since))) as unknown as {
    readonly rows: never[];
  }[];
  const [head, accounts, landed] = results.map(({ rows }) => rows);
  return { head: head ?? [], accounts: accounts ?? [], landed: landed ?? [] };
}

function headVersion(head: LoadedRows["head"]): bigint {
  const version = head[0]?.version;
  if (version === undefined) throw new Error("The practice ledger has not been opened");
  return BigInt(version);
}

async function write(client: PoolClient, version: bigint, change: LedgerChange): Promise<void> {
  const accounts = [...change.accounts];
  const records = change.records.map(encodeRecord);
  const touched = change.records.flatMap(({ outcome, touched: addresses }) =>
    addresses.map((address) => [address, outcome.signature] as const),
  );
  const statement = {
    name: "practice-commit",
    text: COMMIT,
    values: [
      version.toString(),
      accounts.map(([address]) => address),
      accounts.map(([, { lamports }]) => lamports.toString()),
      accounts.map(([, { owner }]) => owner),
      accounts.map(([, { data }]) => Buffer.from(data.buffer, data.byteOffset, data.byteLength)),
      accounts.map(([, { executable }]) => executable),
      JSON.stringify(records),
      touched.map(([address]) => address),
      touched.map(([, signature]) => signature),
    ],
  };
  await sendTogether(client, [statement, "commit"]);
}

type Outcomes = ReadonlyMap<Signature, TransactionOutcome>;

/** Outcomes that are read together. */
interface AskedOutcomes {
  readonly wanted: Set<Signature>;
  readonly found: Promise<Outcomes>;
}

/** Stores the practice chain in PostgreSQL, shared by every server process. */
export function createPracticeLedger(pool: Pool): PracticeLedger {
  const cache = createPracticeCache();
  let refreshing: Promise<void> | undefined;
  let asked: AskedOutcomes | undefined;

  const absorb = (rows: LoadedRows) =>
    cache.apply(
      headVersion(rows.head),
      rows.accounts,
      rows.landed.map(({ signature }) => signature),
    );

  const refresh = async (): Promise<void> => {
    const head = await pool.query<{ version: string }>(HEAD);
    // Usually no other process has written, and there is nothing to load
    if (headVersion(head.rows) !== cache.version()) absorb(await load(pool, cache.version()));
  };

  const readOutcomes = async (signatures: ReadonlySet<Signature>): Promise<Outcomes> => {
    await setImmediate();
    asked = undefined;
    const { rows } = await pool.query<OutcomeRow>({
      name: "practice-outcomes",
      text: OUTCOMES,
      values: [[...signatures]],
    });
    return new Map(rows.map((row) => [row.signature, decodeOutcome(row)]));
  };
  // A book asks for each transaction alone, and for all of them in one moment
  const askOutcomes = (signatures: readonly Signature[]): Promise<Outcomes> => {
    if (asked === undefined) {
      const wanted = new Set<Signature>();
      asked = { wanted, found: readOutcomes(wanted) };
    }
    for (const signature of signatures) asked.wanted.add(signature);
    return asked.found;
  };

  const transactOn = async <T>(
    client: PoolClient,
    run: (view: LedgerView) => LedgerDecision<T>,
  ): Promise<T> => {
    const [, head] = await sendTogether(client, ["begin", LOCK_HEAD]);
    const newest = headVersion((head?.rows ?? []) as LoadedRows["head"]);
    if (newest !== cache.version()) absorb(await load(client, cache.version()));
    const { change, value } = run(cache.view);
    if (change.accounts.size === 0 && change.records.length === 0) {
      await client.query("rollback");
      return value;
    }
    const version = newest + 1n;
    await write(client, version, change);
    cache.commit(version, change);
    return value;
  };

  return {
    async open(genesisAtMs) {
      await pool.query(
        "insert into practice_head (version, genesis_at_ms) values (0, $1) on conflict do nothing",
        [genesisAtMs],
      );
      const head = await pool.query<{ at: string }>(
        "select genesis_at_ms::text as at from practice_head",
      );
      return Number(head.rows[0]?.at ?? genesisAtMs);
    },
    async view() {
      // A refresh in progress may have read before the newest commit, so a later caller waits for the next one
      const running = refreshing;
      if (running !== undefined) await running.catch(() => undefined);
      refreshing ??= refresh().finally(() => {
        refreshing = undefined;
      });
      await refreshing;
      return cache.view;
    },
    // Closing a failed connection releases its lock and aborts a partly sent commit
    transact: (run) => onOneConnection(pool, (client) => transactOn(client, run)),
    async outcomes(signatures) {
      // A landed transaction never changes, so this process's own need not be read again
      const kept = signatures.map((signature) => cache.outcome(signature));
      if (kept.every((outcome) => outcome !== undefined)) return kept;
      const found = await askOutcomes(signatures);
      return signatures.map((signature) => found.get(signature));
    },
    async signaturesFor(address, limit, before) {
      const { rows } = await pool.query<{ signature: Signature }>(
        `select signature from practice_touched where address = $1 and ($3::text is null
          or seq < (select seq from practice_touched where address = $1 and signature = $3))
        order by seq desc limit $2`,
        [address, limit, before ?? null],
      );
      return rows.map(({ signature }) => signature);
    },
  };
}
