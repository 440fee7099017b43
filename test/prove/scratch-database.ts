import { randomBytes } from "node:crypto";
import { inSession } from "../../src/server/store/postgres/in-session.ts";

/** The user's server does not let us create a database; the message is one line that says what to change. */
export class ScratchDatabaseError extends Error {
  override readonly name = "ScratchDatabaseError";
}

/** A new, empty database on somebody's server. */
export interface ScratchDatabase {
  readonly name: string;
  readonly url: string;
  readonly ownerUrl: string | undefined;
  /** Ends every session in it, as a server that was restarted does; returns whether there were any. */
  endSessions(): Promise<boolean>;
  drop(): Promise<void>;
}

const INSUFFICIENT_PRIVILEGE = "42501";

/** Creates it as the role that owns tables; throws `ScratchDatabaseError`. Nothing else of the server is touched. */
export async function createScratchDatabase(given: {
  readonly url: string;
  readonly ownerUrl: string | undefined;
}): Promise<ScratchDatabase> {
  const setting = given.ownerUrl === undefined ? "DATABASE_URL" : "DATABASE_OWNER_URL";
  const maker = given.ownerUrl ?? given.url;
  const name = `wheelhouse_prove_${randomBytes(6).toString("hex")}`;
  const administer = (statement: string) => inSession(maker, (client) => client.query(statement));
  try {
    await administer(`create database ${name}`);
  } catch (error) {
    throw refusal(setting, error as { code?: string; message: string }, error);
  }
  // Each role may end only its own sessions
  const endSessionsOf = (url: string) =>
    inSession(url, async (client) => {
      const { rows } = await client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and usename = current_user",
        [name],
      );
      return rows.length > 0;
    });
  const endSessions = async () => {
    const owners = await endSessionsOf(maker);
    const others = given.ownerUrl !== undefined && (await endSessionsOf(given.url));
    return owners || others;
  };
  return {
    name,
    url: withDatabase(given.url, name),
    ownerUrl: given.ownerUrl === undefined ? undefined : withDatabase(given.ownerUrl, name),
    endSessions,
    async drop() {
      await endSessions();
      await administer(`drop database ${name}`);
    },
  };
}

function refusal(
  setting: string,
  { code, message }: { readonly code?: string; readonly message: string },
  cause: unknown,
): ScratchDatabaseError {
  const line =
    code === INSUFFICIENT_PRIVILEGE
      ? `${setting}: its role may not create a database, and prove never uses yours; grant it CREATEDB, or unset DATABASE_URL to prove with the embedded database.`
      : `${setting}: no database could be created there for the run (${code ?? message.split("\n", 1)[0]}).`;
  return new ScratchDatabaseError(line, { cause });
}

/** Returns the URL of another database on the same server, for the same role. */
function withDatabase(url: string, name: string): string {
  return url.replace(/^(\w+:\/\/[^/?]*)(?:\/[^?]*)?/, `$1/${name}`);
}
