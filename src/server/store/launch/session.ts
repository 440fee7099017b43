import { inSession } from "../postgres/in-session.ts";

/** The role that owns everything in the embedded database. */
export const OWNER = "postgres";

/** Returns the URL of a database behind the socket, for the owning role or another. */
export function socketUrl(
  socketFolder: string,
  database: string,
  role = OWNER,
  password?: string,
): string {
  const proof = password === undefined ? "" : `&password=${password}`;
  return `postgres:///${database}?host=${encodeURIComponent(socketFolder)}&user=${role}${proof}`;
}

const INVALID_PASSWORD = "28P01";

/** Tries a session: `away` also means that the server is still in recovery behind its open socket. */
export async function tryDoor(url: string): Promise<"open" | "wrong password" | "away"> {
  try {
    await inSession(url, (client) => client.query("select 1"));
    return "open";
  } catch (error) {
    return (error as { code?: string }).code === INVALID_PASSWORD ? "wrong password" : "away";
  }
}

/** Creates the database if missing. */
export async function makeDatabase(ownerUrl: string, name: string): Promise<void> {
  await inSession(ownerUrl, async (client) => {
    const found = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (found.rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
}
