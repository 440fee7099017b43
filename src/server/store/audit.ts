import type { Db } from "./db.ts";

export interface AuditEntry {
  readonly at: number;
  readonly wallet: string | null;
  /** Past-tense snake case, for instance `agent_created`. */
  readonly action: string;
  /** Id of what changed. */
  readonly object?: string;
  /** Never tokens, keys or message texts. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Appends who changed what. The database refuses to change or remove these rows. */
export async function insertAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db
    .insertInto("audit_log")
    .values({
      at: new Date(entry.at),
      wallet: entry.wallet,
      action: entry.action,
      object: entry.object ?? null,
      detail: entry.detail === undefined ? null : JSON.stringify(entry.detail),
    })
    .execute();
}
