import { inSession } from "./in-session.ts";

/** Append-only tables. */
const APPEND_ONLY = ["audit_log", "ledger_entries", "owner_facts", "operator_orders"];

/** Tables reserved for the migrations. */
const MIGRATIONS = "kysely_migration, kysely_migration_lock";

/** Grants a role the rights the application needs on a migrated database, connected as the owner of its tables. */
export async function grantApplication(ownerUrl: string, role: string): Promise<void> {
  await inSession(ownerUrl, async (client) => {
    const name = client.escapeIdentifier(role);
    await client.query(`
      begin;
      select pg_advisory_xact_lock(hashtextextended('wheelhouse-grants', 0));
      grant usage on schema public to ${name};
      grant select, insert, update, delete on all tables in schema public to ${name};
      grant usage on schema signer to ${name};
      grant select, insert, update, delete on all tables in schema signer to ${name};
      revoke update, delete on ${APPEND_ONLY.join(", ")} from ${name};
      grant update (held_fees, realised_fees) on ledger_entries to ${name};
      revoke insert on owner_facts, operator_orders from ${name};
      grant insert (agent_id, kind, at, nonce, wallet, text, signature, parts) on owner_facts to ${name};
      revoke insert, delete on installation from ${name};
      revoke all on ${MIGRATIONS} from ${name};
      commit`);
  });
}

/** Returns the role a URL connects as. */
export async function readRole(url: string): Promise<string> {
  return inSession(url, async (client) => {
    const { rows } = await client.query<{ role: string }>("select current_user as role");
    return rows[0]?.role ?? "";
  });
}

/**
 * Returns whether the role of a URL can only append to audit log and ledger: it neither owns the tables nor may change
 * rows.
 */
export async function isAuditGuarded(url: string): Promise<boolean> {
  return inSession(url, async (client) => {
    const { rows } = await client.query<{ isGuarded: boolean }>(
      `select bool_and(not has_table_privilege(oid, 'update, delete, truncate, trigger')
        and not pg_has_role(relowner, 'member')) as "isGuarded"
      from pg_class where oid = any($1::regclass[])`,
      [APPEND_ONLY],
    );
    return rows[0]?.isGuarded === true;
  });
}
