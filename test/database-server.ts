import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { processIdentity, findPostmaster } from "../src/server/store/launch/process-identity.ts";
import { launchPostgres } from "../src/server/store/launch/launch-postgres.ts";
import { forEachProcess, type ProcessUrls } from "../src/server/store/postgres/process-roles.ts";
import { scratchRoot } from "./scratch-folder.ts";

const PREFIX = "wheelhouse-test-";

/** Starts a database server for a run, which waits for no disk, or uses TEST_DATABASE_URL. */
export async function startDatabaseServer(): Promise<{
  readonly url: string;
  readonly stop: () => Promise<void>;
}> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined) return { url: given, stop: async () => {} };
  const root = scratchRoot();
  sweepDeadRuns(root);
  const dataDir = mkdtempSync(join(root, `${PREFIX}${process.pid}-`));
  // As root the database runs under another account, which needs access to the folder
  chmodSync(dataDir, 0o711);
  const server = await launchPostgres({
    dataDir,
    isDurable: false,
    settings: { max_connections: "120", shared_buffers: "96MB", max_wal_size: "512MB" },
  });
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

// Removes folders of killed runs, which could not clean up themselves.
function sweepDeadRuns(root: string): void {
  for (const name of readdirSync(root)) {
    const runner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (runner === undefined || processIdentity(Number(runner)) !== null) continue;
    const dataDir = join(root, name);
    const left = findPostmaster(join(dataDir, "postgres", "cluster"));
    if (left !== null) process.kill(left.pid, "SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Runs one statement of the server's administrator. */
export async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Returns the address for another role, with its password. */
export function asRole(url: string, role: string, password: string): string {
  if (!url.includes("user=")) {
    const named = new URL(url);
    [named.username, named.password] = [role, password];
    return named.href;
  }
  const proof = url.includes("password=") ? url : `${url}&password=`;
  return proof
    .replace(/user=[^&]*/, `user=${role}`)
    .replace(/password=[^&]*/, `password=${password}`);
}

/** Returns the addresses of a database for the product's processes. */
export const processUrls = (url: string): ProcessUrls =>
  forEachProcess((name) => asRole(url, `test_${name}`, "secret"));

/** Returns the address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  return serverUrl.replace(/^([a-z]+:\/\/[^/]*)\/[^?]*/, `$1/${name}`);
}
