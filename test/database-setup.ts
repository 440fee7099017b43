import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { findPostmaster } from "../src/server/store/launch/postmaster-file.ts";
import { launchPostgres } from "../src/server/store/launch/launch-postgres.ts";
import { processIdentity } from "../src/server/store/launch/process-identity.ts";
import { migrateDatabase } from "../src/server/store/postgres/migrate.ts";
import { databaseUrl } from "./database.ts";

const PREFIX = "wheelhouse-test-";

/** Starts one database server for the run, or uses TEST_DATABASE_URL, with a migrated template database. */
export default async function setUpDatabase(project: TestProject): Promise<() => Promise<void>> {
  const server = await startServer();
  const templateName = `template_${process.pid}`;
  await administer(server.url, `drop database if exists ${templateName}`);
  await administer(server.url, `create database ${templateName}`);
  await migrateDatabase(databaseUrl(server.url, templateName));
  project.provide("databaseUrl", server.url);
  project.provide("templateName", templateName);
  return async () => {
    await administer(server.url, `drop database if exists ${templateName} with (force)`);
    await server.stop();
  };
}

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const given = process.env["TEST_DATABASE_URL"];
  if (given !== undefined) return { url: given, stop: async () => {} };
  sweepDeadRuns();
  const dataDir = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`));
  // As root the database runs under another account, which needs access to the folder
  chmodSync(dataDir, 0o711);
  const server = await launchPostgres({
    dataDir,
    searchPath: process.env["PATH"] ?? "",
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
function sweepDeadRuns(): void {
  for (const name of readdirSync(tmpdir())) {
    const runner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (runner === undefined || processIdentity(Number(runner)) !== null) continue;
    const dataDir = join(tmpdir(), name);
    const left = findPostmaster(join(dataDir, "postgres", "cluster"));
    if (left !== null) process.kill(left.pid, "SIGKILL");
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
