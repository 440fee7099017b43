import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** The system account PostgreSQL runs under when the app itself runs as root. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Returns the account to drop to, or null when the app is not root; no account is ever created. */
export function databaseAccount(): Account | null {
  if (process.getuid?.() !== 0) return null;
  const known = readAccounts();
  const account = known.get("postgres") ?? known.get("nobody");
  if (account !== undefined) return account;
  throw new LaunchError(
    "DATABASE_URL: PostgreSQL refuses to run as root and there is no account postgres or nobody; start the app as another user or name a server.",
  );
}

/** Returns as whom the app has to run to use a folder of the database, in words for a sentence. */
export function nameOfUser(ownerUid: number): string {
  const accounts = [...readAccounts().values()];
  const owner = accounts.find(({ uid }) => uid === ownerUid)?.name;
  // Under root the database's folder belongs to one of these
  const isOfRoot = process.getuid?.() !== 0 && (owner === "postgres" || owner === "nobody");
  return isOfRoot ? "root" : (owner ?? `#${ownerUid}`);
}

/** Returns whether the account may traverse every folder down to this one. */
export function canReach(folder: string, account: Account | null): boolean {
  if (account === null) return true;
  let at = realpathSync(folder);
  for (;;) {
    const { uid, gid, mode } = statSync(at);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (dirname(at) === at) return true;
    at = dirname(at);
  }
}

function readAccounts(): Map<string, Account> {
  const accounts = new Map<string, Account>();
  for (const line of readFileSync("/etc/passwd", "utf8").split("\n")) {
    const [name = "", , uid = "", gid = ""] = line.split(":");
    if (/^-?\d+$/.test(uid) && /^-?\d+$/.test(gid)) {
      accounts.set(name, { name, uid: Number(uid), gid: Number(gid) });
    }
  }
  return accounts;
}

/** The embedded database cannot run here; the message is one line that names the setting to change. */
export class LaunchError extends Error {
  override readonly name = "LaunchError";
}
