import type { TestProject } from "vitest/node";
import { migrateDatabase } from "../src/server/store/postgres/migrate.ts";
import { grantProcesses } from "../src/server/store/postgres/grants.ts";
import { PROCESSES } from "../src/server/store/postgres/process-roles.ts";
import { administer, databaseUrl, processUrls, startDatabaseServer } from "./database-server.ts";

/** Starts one database server for the run, with a migrated template database. */
export default async function setUpDatabase(project: TestProject): Promise<() => Promise<void>> {
  const server = await startDatabaseServer();
  const templateName = `template_${process.pid}`;
  await administer(server.url, `drop database if exists ${templateName}`);
  await administer(server.url, `create database ${templateName}`);
  const templateUrl = databaseUrl(server.url, templateName);
  await migrateDatabase(templateUrl);
  for (const name of PROCESSES) {
    await administer(server.url, `drop role if exists test_${name}`).catch(() => {});
    await administer(server.url, `create role test_${name} login password 'secret'`).catch(
      () => {},
    );
  }
  await grantProcesses(templateUrl, processUrls(templateUrl));
  project.provide("databaseUrl", server.url);
  project.provide("templateName", templateName);
  return async () => {
    await administer(server.url, `drop database if exists ${templateName} with (force)`);
    await server.stop();
  };
}
