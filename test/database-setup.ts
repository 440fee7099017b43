import type { TestProject } from "vitest/node";
import { migrateDatabase } from "../src/server/store/postgres/migrate.ts";
import { administer, databaseUrl, startDatabaseServer } from "./database-server.ts";

/** Starts one database server for the run, with a migrated template database. */
export default async function setUpDatabase(project: TestProject): Promise<() => Promise<void>> {
  const server = await startDatabaseServer();
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
