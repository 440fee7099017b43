import type { Address } from "@solana/kit";
import type { Pool } from "pg";
import type { LedgerRecord, PracticeLedger } from "../../src/practice/ledger.ts";
import { createMemoryLedger } from "../memory-ledger.ts";
import type { AccountState } from "../../src/practice/runtime/account-state.ts";

/** Number of rewinds between two VACUUMs; without them dead rows slow later seeds down. */
const VACUUM_EVERY = 40;

/**
 * Copies the rows of every table and returns a function that restores them.
 *
 * Triggers and foreign keys are disabled while restoring, so that the order of the tables does not matter and no event rows
 * are written.
 */
export async function rememberRows(pool: Pool): Promise<() => Promise<void>> {
  const { rows } = await pool.query<{ name: string }>(
    `select schemaname || '.' || tablename as name from pg_tables
     where schemaname in ('public', 'signer') and tablename not like 'kysely%' order by 1`,
  );
  const names = rows.map(({ name }) => name);
  const kept = (name: string) => `kept.${name.replace(".", "_")}`;
  await pool.query("create schema kept");
  await pool.query(names.map((name) => `create table ${kept(name)} as table ${name}`).join(";"));
  const filled: string[] = [];
  for (const name of names) {
    const { rowCount } = await pool.query(`select from ${kept(name)} limit 1`);
    if (rowCount === 1) filled.push(name);
  }
  const rewind = [
    "begin",
    "set local session_replication_role = replica",
    ...names.map((name) => `delete from ${name}`),
    ...filled.map((name) => `insert into ${name} overriding system value table ${kept(name)}`),
    "commit",
  ].join(";");
  let rewinds = 0;
  return async () => {
    await pool.query(rewind);
    rewinds += 1;
    if (rewinds % VACUUM_EVERY === 0) await pool.query("vacuum analyze");
  };
}

/** A practice ledger that can be copied in its present state. */
export interface CopyableLedger extends PracticeLedger {
  readonly records: readonly LedgerRecord[];
  /** Returns a new ledger with the same history. */
  copy(): Promise<PracticeLedger>;
}

export function createCopyableLedger(): CopyableLedger {
  const ledger = createMemoryLedger();
  const accounts = new Map<Address, AccountState>();
  const records: LedgerRecord[] = [];
  let genesisAtMs = 0;
  return {
    ...ledger,
    records,
    async open(atMs) {
      genesisAtMs = await ledger.open(atMs);
      return genesisAtMs;
    },
    transact: (run) =>
      ledger.transact((view) => {
        const decision = run(view);
        for (const [address, state] of decision.change.accounts) {
          accounts.set(address, state);
        }
        records.push(...decision.change.records);
        return decision;
      }),
    async copy() {
      const copied = createMemoryLedger();
      await copied.open(genesisAtMs);
      await copied.transact(() => ({ change: { accounts, records }, value: undefined }));
      return copied;
    },
  };
}
