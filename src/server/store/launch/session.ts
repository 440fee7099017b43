import { inSession } from "../postgres/in-session.ts";

/** Returns the URL of a database behind the socket, for the owning role or another. */
export function socketUrl(socketFolder: string, database: string, role = "postgres"): string {
  return `postgres:///${database}?host=${encodeURIComponent(socketFolder)}&user=${role}`;
}

/** Returns whether the server answers a query; an open socket alone may still be in recovery. */
export async function canOpenSession(socketFolder: string): Promise<boolean> {
  try {
    await inSession(socketUrl(socketFolder, "postgres"), (client) => client.query("select 1"));
    return true;
  } catch {
    return false;
  }
}

/** Creates the database if missing. */
export async function makeDatabase(socketFolder: string, name: string): Promise<void> {
  await inSession(socketUrl(socketFolder, "postgres"), async (client) => {
    const found = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (found.rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
}

/** Creates a role that owns nothing, if missing. */
export async function makeRole(socketFolder: string, name: string): Promise<void> {
  await inSession(socketUrl(socketFolder, "postgres"), async (client) => {
    const found = await client.query("select 1 from pg_roles where rolname = $1", [name]);
    if (found.rowCount === 0)
      await client.query(`create role ${client.escapeIdentifier(name)} login`);
  });
}
