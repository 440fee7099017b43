import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { launchPostgres } from "../src/server/store/launch/launch-postgres.ts";

export const newDataDir = () => mkdtempSync(join(tmpdir(), "wheelhouse-bench-"));

/** Runs a measurement on its own database, created as the product creates it. */
export async function withDatabase(
  measure: (url: string, pool: Pool, pid: number) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const dataDir = newDataDir();
  const server = await launchPostgres({ dataDir, settings });
  const pool = new Pool({ connectionString: server.url });
  // The server stops before returned connections are closed
  pool.on("error", () => {});
  try {
    await measure(server.url, pool, server.pid);
  } finally {
    await pool.end();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
