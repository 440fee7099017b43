import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { describe, expect, inject, it } from "vitest";
import { inSession } from "../../src/server/store/postgres/in-session.ts";
import { createScratchDatabase, ScratchDatabaseError } from "./scratch-database.ts";

const serverUrl = () => inject("databaseUrl");

const databases = () =>
  inSession(serverUrl(), async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select datname as name from pg_database where datname like 'wheelhouse\\_prove\\_%'",
    );
    return rows.map(({ name }) => name);
  });

/** Runs work with the address of a role that owns nothing and may create nothing. */
async function asPlainRole(work: (url: string) => Promise<void>): Promise<void> {
  const role = `plain_${randomUUID().replaceAll("-", "")}`;
  await inSession(serverUrl(), (client) =>
    client.query(`create role ${role} login password '${role}'`),
  );
  try {
    const url = new URL(serverUrl().replace(/^\w+:\/\/\//, "http://none/"));
    url.searchParams.set("user", role);
    url.searchParams.set("password", role);
    await work(`postgres://${url.pathname}${url.search}`);
  } finally {
    await inSession(serverUrl(), (client) => client.query(`drop role ${role}`));
  }
}

describe("a scratch database on an existing server", () => {
  it("is new, its sessions can be ended, and it is dropped", async () => {
    const scratch = await createScratchDatabase({ url: serverUrl(), ownerUrl: undefined });
    expect(await databases()).toContain(scratch.name);
    const client = new Client({ connectionString: scratch.url });
    const lost = new Promise<Error>((resolve) => void client.on("error", resolve));
    await client.connect();
    expect((await client.query("select current_database() as name")).rows).toEqual([
      { name: scratch.name },
    ]);
    const other = new Client({ connectionString: serverUrl() });
    await other.connect();
    await scratch.endSessions();
    expect((await lost).message).toMatch(/terminating connection/);
    // A session in the user's own database goes on
    expect((await other.query("select 1 as still")).rows).toEqual([{ still: 1 }]);
    await other.end();
    await scratch.drop();
    expect(await databases()).not.toContain(scratch.name);
  });

  it("is refused in one line where the role may not create one", async () => {
    await asPlainRole(async (url) => {
      const creating = createScratchDatabase({ url, ownerUrl: undefined });
      await expect(creating).rejects.toThrow(ScratchDatabaseError);
      await expect(creating).rejects.toThrow(
        /^DATABASE_URL: its role may not create a database, and prove never uses yours; [^\n]*CREATEDB/,
      );
    });
  });

  it("is refused in one line where no server answers", async () => {
    const url = "postgres://nobody@127.0.0.1:1/none";
    await expect(createScratchDatabase({ url, ownerUrl: undefined })).rejects.toThrow(
      /^DATABASE_URL: no database could be created there for the run \(ECONNREFUSED\)\.$/,
    );
  });
});
