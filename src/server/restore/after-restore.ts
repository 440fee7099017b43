import type { RandomBytes } from "../crypto/new-id.ts";
import { insertAudit } from "../store/audit/audit.ts";
import type { Db } from "../store/postgres/db.ts";
import { replaceAllTokenVersions } from "../store/intake/inbox.ts";
import { holdRestoredLanes, skipFormerBars } from "../store/lanes/restored-lanes.ts";
import {
  acceptDatabaseTime,
  type DatabaseIdentity,
  saveIdentity,
} from "../store/postgres/installation.ts";
import { markRestored } from "../store/signer/signatures.ts";
import { revokeAllTokens } from "../store/auth/read-tokens.ts";
import { revokeAllSessions } from "../store/auth/sessions.ts";

/** Versions set here lie above those rotations reach, within the nine digits of a token. */
const LEAST_VERSION = 500_000_000;
const VERSION_SPAN = 400_000_000;

/**
 * Prepares a restored database for use: ends every session and replaces every webhook token unless told otherwise,
 * makes every agent wait until the chain has shown its trades since the backup, and accepts the database's present
 * clock and identity.
 *
 * A backup does not contain tokens issued after it was made, so token versions start again at a random number.
 */
export async function afterRestore(
  db: Db,
  options: {
    readonly identity: DatabaseIdentity;
    readonly random: RandomBytes;
    readonly now: number;
    readonly keepsSessions: boolean;
    readonly keepsWebhookTokens: boolean;
  },
): Promise<{ readonly sessions: number; readonly webhookTokens: number }> {
  return db.transaction().execute(async (tx) => {
    const sessions = options.keepsSessions ? 0 : await revokeAllSessions(tx, options.now);
    if (!options.keepsSessions) await revokeAllTokens(tx, options.now);
    const version = LEAST_VERSION + (Buffer.from(options.random(4)).readUInt32BE(0) % VERSION_SPAN);
    const webhookTokens = options.keepsWebhookTokens
      ? 0
      : await replaceAllTokenVersions(tx, version);
    await holdRestoredLanes(tx, options.now);
    await markRestored(tx);
    await skipFormerBars(tx, options.now);
    await acceptDatabaseTime(tx);
    await saveIdentity(tx, options.identity);
    await insertAudit(tx, options.now, null, "database_restored", null, {
      sessions,
      webhookTokens,
    });
    return { sessions, webhookTokens };
  });
}
