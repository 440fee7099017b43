import { setImmediate } from "node:timers/promises";
import type { Signature, Address } from "@solana/kit";
import type { Pool } from "pg";
import type { BuiltInNetwork } from "../../../domain/network.ts";
import type {
  LedgerChange,
  LedgerDecision,
  LedgerView,
  PracticeLedger,
  LedgerRecord,
} from "../../../practice/ledger.ts";
import type { TransactionOutcome, TransactionError } from "../../../solana/chain.ts";
import type { AccountState } from "../../../practice/runtime/account-state.ts";

interface AccountRow {
  readonly address: Address;
  readonly lamports: string;
  readonly owner: Address;
  readonly data: Buffer;
  readonly executable: boolean;
}

/** In-memory cache of the practice chain's accounts at one version, per process. */
interface PracticeCache {
  readonly view: LedgerView;
  /** Returns the outcome of a transaction this process landed recently. */
  outcome(signature: Signature): TransactionOutcome | undefined;
  /** Returns the cached version; negative before the first load. */
  version(): bigint;
  /** Returns the version up to which landed signatures are known; negative before the first load. */
  landedVersion(): bigint;
  /** Applies writes of accounts up to `version`; older answers than the cached version are ignored. */
  apply(version: bigint, rows: readonly AccountRow[]): void;
  /** Adds signatures that landed up to `version`. */
  remember(version: bigint, landed: readonly Signature[]): void;
  /** Applies this process's own commit. */
  commit(version: bigint, change: LedgerChange): void;
}

const MAX_REMEMBERED = 40_000;
const MAX_OUTCOMES = 1_000;

function createPracticeCache(): PracticeCache {
  const accounts = new Map<Address, AccountState>();
  const landed = new Set<Signature>();
  const outcomes = new Map<Signature, TransactionOutcome>();
  let version = -1n;
  let landedVersion = -1n;

  const put = (address: Address, state: AccountState): void => {
    if (state.lamports === 0n) accounts.delete(address);
    else accounts.set(address, state);
  };
  const add = (signature: Signature): void => {
    landed.add(signature);
    if (landed.size <= MAX_REMEMBERED) return;
    for (const oldest of landed) {
      landed.delete(oldest);
      if (landed.size <= MAX_REMEMBERED / 2) break;
    }
  };

  const keep = (outcome: TransactionOutcome): void => {
    outcomes.set(outcome.signature, outcome);
    for (const oldest of outcomes.keys()) {
      if (outcomes.size <= MAX_OUTCOMES) break;
      outcomes.delete(oldest);
    }
  };

  return {
    view: {
      account: (address) => accounts.get(address),
      accounts: () => accounts,
      hasLanded: (signature) => landed.has(signature),
    },
    outcome: (signature) => outcomes.get(signature),
    version: () => version,
    landedVersion: () => landedVersion,
    apply(next, rows) {
      if (next <= version) return;
      for (const { address, lamports, owner, data, executable } of rows) {
        put(address, { lamports: BigInt(lamports), owner, data: new Uint8Array(data), executable });
      }
      version = next;
    },
    remember(next, signatures) {
      for (const signature of signatures) add(signature);
      if (next > landedVersion) landedVersion = next;
    },
    commit(next, change) {
      if (next <= version) return;
      for (const [address, state] of change.accounts) put(address, state);
      for (const { outcome } of change.records) {
        add(outcome.signature);
        keep(outcome);
      }
      version = next;
      // Those of other processes' commits in between are still to be loaded
      if (landedVersion === next - 1n) landedVersion = next;
    },
  };
}

interface TokenDeltaJson {
  readonly account: Address;
  readonly mint: Address;
  readonly owner: Address;
  readonly delta: string;
}

interface OutcomeRow {
  readonly signature: Signature;
  readonly slot: string;
  readonly block_time: string | null;
  readonly error: TransactionError | null;
  readonly logs: readonly string[];
  readonly fee_lamports: string;
  readonly fee_payer: Address | null;
  readonly lamport_deltas: Readonly<Record<Address, string>>;
  readonly token_deltas: readonly TokenDeltaJson[];
}

/** Returns JSON with amounts as text, because JSON numbers cannot represent a u64. */
function encodeRecord({ outcome }: LedgerRecord) {
  return {
    signature: outcome.signature,
    slot: outcome.slot.toString(),
    blockTime: outcome.blockTime?.toString() ?? null,
    error: outcome.error,
    logs: outcome.logs,
    feeLamports: outcome.feeLamports.toString(),
    feePayer: outcome.feePayer ?? null,
    lamportDeltas: Object.fromEntries(
      [...outcome.lamportDeltas].map(([address, delta]) => [address, delta.toString()]),
    ),
    tokenDeltas: outcome.tokenDeltas.map((entry) => ({ ...entry, delta: entry.delta.toString() })),
  };
}

function decodeOutcome(row: OutcomeRow): TransactionOutcome {
  const lamportDeltas = Object.entries(row.lamport_deltas) as [Address, string][];
  return {
    signature: row.signature,
    slot: BigInt(row.slot),
    blockTime: row.block_time === null ? null : BigInt(row.block_time),
    error: row.error,
    logs: row.logs,
    feeLamports: BigInt(row.fee_lamports),
    ...(row.fee_payer === null ? {} : { feePayer: row.fee_payer }),
    lamportDeltas: new Map(lamportDeltas.map(([address, delta]) => [address, BigInt(delta)])),
    tokenDeltas: row.token_deltas.map((entry) => ({ ...entry, delta: BigInt(entry.delta) })),
  };
}

/**
 * Number of slots whose signatures a starting process loads: a blockhash is valid for 150 slots, so older ones cannot
 * recur.
 */
const REMEMBERED_SLOTS = 1_000;

/** Both statements return at least one row, and in every row the version they were read at. */
const LOAD_ACCOUNTS = `
select head.version::text as head, address, lamports::text, owner, data, executable
from practice_head as head left join practice_accounts as account on account.version > $1`;

const LOAD_LANDED = `
select head.version::text as head, signature
from practice_head as head left join practice_transactions as landed on landed.version > $1
  and ($1 >= 0 or slot > (select max(slot) - ${REMEMBERED_SLOTS} from practice_transactions))
order by landed.version`;

/** Without an address it says the version alone. */
type LoadedAccount = { readonly head: string } & (AccountRow | { readonly address: null });

const isAccount = (row: LoadedAccount): row is LoadedAccount & AccountRow => row.address !== null;

/** Writes nothing when another process has committed since the version decided on. */
const COMMIT = `
with head as (
  update practice_head set version = $1 where version = $1::bigint - 1 returning version
), accounts as (
  insert into practice_accounts (address, lamports, owner, data, executable, version)
  select a.*, head.version
  from head, unnest($2::text[], $3::bigint[], $4::text[], $5::bytea[], $6::boolean[]) as a
  on conflict (address) do update set lamports = excluded.lamports, owner = excluded.owner,
    data = excluded.data, executable = excluded.executable, version = excluded.version
), transactions as (
  insert into practice_transactions
    (signature, slot, block_time, error, logs, fee_lamports, fee_payer, lamport_deltas, token_deltas, version)
  select t.signature, t.slot, t."blockTime", t.error, t.logs, t."feeLamports", t."feePayer",
    t."lamportDeltas", t."tokenDeltas", head.version
  from head, jsonb_to_recordset($7::jsonb) as t(signature text, slot bigint, "blockTime" bigint, error jsonb,
    logs jsonb, "feeLamports" bigint, "feePayer" text, "lamportDeltas" jsonb, "tokenDeltas" jsonb)
), touched as (
  insert into practice_touched (address, signature)
  select t.* from head, unnest($8::text[], $9::text[]) as t
)
select from head`;

const HEAD = "select version::text from practice_head";

const OUTCOMES = `
select signature, slot::text, block_time::text, error, logs, fee_lamports::text, fee_payer, lamport_deltas,
  token_deltas
from practice_transactions where signature = any($1)`;

const SIGNATURES = `
select signature from practice_touched where address = $1 and ($3::text is null
  or seq < (select seq from practice_touched where address = $1 and signature = $3))
order by seq desc limit $2`;

const OPEN =
  "insert into practice_head (version, genesis_at_ms) values (0, $1) on conflict do nothing";

const GENESIS = "select genesis_at_ms::text as at from practice_head";

/** Every built-in network has tables of its own, named like those of practice. */
type Statement = (name: string, text: string) => { readonly name: string; readonly text: string };

const statementsOf =
  (network: BuiltInNetwork): Statement =>
  (name, text) => ({
    name: `${network}-${name}`,
    text: text.replaceAll("practice_", `${network}_`),
  });

function toVersion(text: string | undefined): bigint {
  if (text === undefined) throw new Error("The practice ledger has not been opened");
  return BigInt(text);
}

/** Returns false when another process has committed a version before. */
async function write(
  pool: Pool,
  statement: Statement,
  version: bigint,
  change: LedgerChange,
): Promise<boolean> {
  const accounts = [...change.accounts];
  const records = change.records.map(encodeRecord);
  const touched = change.records.flatMap(({ outcome, touched: addresses }) =>
    addresses.map((address) => [address, outcome.signature] as const),
  );
  const written = await pool.query({
    ...statement("commit", COMMIT),
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
  });
  return written.rowCount === 1;
}

type Outcomes = ReadonlyMap<Signature, TransactionOutcome>;

/** Outcomes that are read together. */
interface OutcomeBatch {
  readonly wanted: Set<Signature>;
  readonly found: Promise<Outcomes>;
}

/** Returns a reader that gathers what is asked for in one moment into one query: a ledger asks for each transaction alone. */
function createOutcomeReader(
  pool: Pool,
  statement: Statement,
): (signatures: readonly Signature[]) => Promise<Outcomes> {
  let asked: OutcomeBatch | undefined;

  const readOutcomes = async (signatures: ReadonlySet<Signature>): Promise<Outcomes> => {
    await setImmediate();
    asked = undefined;
    const { rows } = await pool.query<OutcomeRow>({
      ...statement("outcomes", OUTCOMES),
      values: [[...signatures]],
    });
    return new Map(rows.map((row) => [row.signature, decodeOutcome(row)]));
  };

  return (signatures) => {
    if (asked === undefined) {
      const wanted = new Set<Signature>();
      asked = { wanted, found: readOutcomes(wanted) };
    }
    for (const signature of signatures) asked.wanted.add(signature);
    return asked.found;
  };
}

/** Stores a built-in network's chain in PostgreSQL, shared by every server process. */
export function createPracticeLedger(
  pool: Pool,
  network: BuiltInNetwork = "practice",
): PracticeLedger {
  const statement = statementsOf(network);
  const cache = createPracticeCache();
  let refreshing: Promise<void> | undefined;
  const askOutcomes = createOutcomeReader(pool, statement);

  const loadAccounts = async (): Promise<void> => {
    const { rows } = await pool.query<LoadedAccount>({
      ...statement("accounts", LOAD_ACCOUNTS),
      values: [cache.version().toString()],
    });
    cache.apply(toVersion(rows[0]?.head), rows.filter(isAccount));
  };

  const refresh = async (): Promise<void> => {
    const head = await pool.query<{ version: string }>(statement("head", HEAD));
    // Usually no other process has written, and there is nothing to load
    if (toVersion(head.rows[0]?.version) !== cache.version()) await loadAccounts();
  };

  const loadLanded = async (): Promise<void> => {
    const { rows } = await pool.query<{ head: string; signature: Signature | null }>({
      ...statement("landed", LOAD_LANDED),
      values: [cache.landedVersion().toString()],
    });
    cache.remember(
      toVersion(rows[0]?.head),
      rows.flatMap(({ signature }) => signature ?? []),
    );
  };

  const view = async (): Promise<LedgerView> => {
    // A refresh in progress may have read before the newest commit, so a later caller waits for the next one
    const running = refreshing;
    if (running !== undefined) await running.catch(() => undefined);
    refreshing ??= refresh().finally(() => {
      refreshing = undefined;
    });
    await refreshing;
    return cache.view;
  };

  /** Decides on what is cached and commits only where it is the newest state, so that no lock is held meanwhile. */
  const transact = async <T>(run: (view: LedgerView) => LedgerDecision<T>): Promise<T> => {
    if (cache.version() < 0n) await view();
    for (;;) {
      while (cache.landedVersion() < cache.version()) await loadLanded();
      const decidedOn = cache.version();
      const { change, value } = run(cache.view);
      const isEmpty = change.accounts.size === 0 && change.records.length === 0;
      const version = decidedOn + 1n;
      if (!isEmpty && (await write(pool, statement, version, change))) {
        cache.commit(version, change);
        return value;
      }
      await view();
      if (isEmpty && cache.version() === decidedOn) return value;
    }
  };

  return {
    async open(genesisAtMs) {
      await pool.query({ ...statement("open", OPEN), values: [genesisAtMs] });
      const head = await pool.query<{ at: string }>(statement("genesis", GENESIS));
      return Number(head.rows[0]?.at ?? genesisAtMs);
    },
    view,
    transact,
    async outcomes(signatures) {
      // A landed transaction never changes, so this process's own need not be read again
      const kept = signatures.map((signature) => cache.outcome(signature));
      if (kept.every((outcome) => outcome !== undefined)) return kept;
      const found = await askOutcomes(signatures);
      return signatures.map((signature) => found.get(signature));
    },
    async signaturesFor(address, limit, before) {
      const { rows } = await pool.query<{ signature: Signature }>({
        ...statement("signatures", SIGNATURES),
        values: [address, limit, before ?? null],
      });
      return rows.map(({ signature }) => signature);
    },
  };
}
