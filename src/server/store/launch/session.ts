import { Client } from "pg";

/** Returns the address of a database behind the socket, for the role that owns everything or another. */
export function socketUrl(socketFolder: string, database: string, role = "postgres"): string {
  return `postgres:///${database}?host=${encodeURIComponent(socketFolder)}&user=${role}`;
}

/** Tells whether the server answers a query; an open socket alone may still be in recovery. */
export async function canOpenSession(socketFolder: string): Promise<boolean> {
  try {
    await inSession(socketFolder, (client) => client.query("select 1"));
    return true;
  } catch {
    return false;
  }
}

/** Makes the database where it is missing. */
export async function makeDatabase(socketFolder: string, name: string): Promise<void> {
  await inSession(socketFolder, async (client) => {
    const found = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (found.rowCount === 0)
      await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
}

/** Makes a role that owns nothing, where it is missing. */
export async function makeRole(socketFolder: string, name: string): Promise<void> {
  await inSession(socketFolder, async (client) => {
    const found = await client.query("select 1 from pg_roles where rolname = $1", [name]);
    if (found.rowCount === 0)
      await client.query(`create role ${client.escapeIdentifier(name)} login`);
  });
}

async function inSession<T>(
  socketFolder: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: socketUrl(socketFolder, "postgres"),
    connectionTimeoutMillis: 5_000,
  });
  // A server that dies while we talk to it also fails the query; this only keeps the process alive
  client.on("error", () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
