import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { buildLaunchedApp, type LaunchedApp } from "../../../../test/launched-app.ts";
import { launchPostgres } from "./launch-postgres.ts";
import { processIdentity, findPostmaster } from "./process-identity.ts";

let startApp: (dataDir: string) => Promise<LaunchedApp>;
let dataDir: string;

beforeAll(async () => {
  startApp = await buildLaunchedApp();
});

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-launch-"));
  chmodSync(dataDir, 0o711);
});

afterEach(() => {
  const left = findPostmaster(join(dataDir, "postgres", "cluster"));
  if (left !== null) process.kill(left.pid, "SIGKILL");
  rmSync(dataDir, { recursive: true, force: true });
});

describe("launchPostgres", () => {
  it("starts in an empty folder, stops, and resumes with its rows", async () => {
    const first = await launchPostgres({ dataDir });
    expect(first.wasAdopted).toBe(false);
    await query(first.url, "create table kept as select 42 as answer");
    await first.stop();
    expect(processIdentity(first.pid)).toBeNull();
    expect(existsSync(join(dataDir, "app.lock"))).toBe(false);

    const second = await launchPostgres({ dataDir });
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
    await second.stop();
  });

  it("keeps every commit on disk and listens on no port", async () => {
    const server = await launchPostgres({ dataDir });
    const settings = await query(
      server.url,
      "select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'listen_addresses', 'data_checksums', 'server_encoding') order by name",
    );
    expect(settings).toEqual([
      { name: "data_checksums", setting: "on" },
      { name: "fsync", setting: "on" },
      { name: "listen_addresses", setting: "" },
      { name: "server_encoding", setting: "UTF8" },
      { name: "synchronous_commit", setting: "on" },
    ]);
    await server.stop();
  });

  it("restarts a killed server at the same address with its rows", async () => {
    const notices: string[] = [];
    const server = await launchPostgres({
      dataDir,
      onNotice: (line) => notices.push(line),
    });
    await query(server.url, "create table kept as select 42 as answer");
    const killed = server.pid;
    process.kill(killed, "SIGKILL");
    await expect
      .poll(() => query(server.url, "select answer from kept").catch(() => []))
      .toEqual([{ answer: 42 }]);
    // It answers a moment before its start is known to be over
    await expect.poll(() => server.pid).not.toBe(killed);
    expect(notices).toEqual(["The database ended by itself and is started again."]);
    await server.stop();
    expect(processIdentity(server.pid)).toBeNull();
  });

  it("adopts the database server of a killed app", async () => {
    const killed = await startApp(dataDir);
    await query(killed.url, "create table kept as select 1 as row");
    await killed.kill();
    expect(processIdentity(killed.pid)).not.toBeNull();

    const next = await startApp(dataDir);
    expect(next).toMatchObject({ wasAdopted: true, pid: killed.pid });
    expect(await query(next.url, "select row from kept")).toEqual([{ row: 1 }]);
    await next.stop();
    expect(processIdentity(killed.pid)).toBeNull();
  });

  it("recovers after the server and the app were killed together", async () => {
    const killed = await startApp(dataDir);
    await query(killed.url, "create table kept as select 1 as row");
    process.kill(killed.pid, "SIGKILL");
    await killed.kill();

    const next = await startApp(dataDir);
    expect(next.wasAdopted).toBe(false);
    expect(await query(next.url, "select row from kept")).toEqual([{ row: 1 }]);
    await next.stop();
  });

  it("waits for a recovery that takes longer than its patience, as long as it gets on", async () => {
    const PATIENCE_MS = 500;
    const settings = {
      synchronous_commit: "on",
      max_wal_size: "8GB",
      checkpoint_timeout: "1d",
      log_startup_progress_interval: "1ms",
    };
    const start = () =>
      launchPostgres({
        dataDir,
        settings,
        isDurable: false,
        isKeptRunning: false,
        patienceMs: PATIENCE_MS,
      });
    const killed = await start();
    await query(killed.url, "create table kept (id integer, filler text)");
    await query(
      killed.url,
      "insert into kept select n, repeat('x', 500) from generate_series(1, 400000) n",
    );
    process.kill(killed.pid, "SIGKILL");
    await killed.stop();
    const begunMs = performance.now();
    const next = await start();
    expect(performance.now() - begunMs).toBeGreaterThan(PATIENCE_MS);
    expect(await query(next.url, "select count(*)::integer as rows from kept")).toEqual([
      { rows: 400_000 },
    ]);
    await next.stop();
  });

  it("restarts although a backend of the killed server hangs", async () => {
    const killed = await launchPostgres({ dataDir, isKeptRunning: false });
    await query(killed.url, "create table kept as select 42 as answer");
    const client = new Client({ connectionString: killed.url });
    client.on("error", () => {});
    await client.connect();
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const hanging = rows[0]?.pid ?? 0;
    // A backend waiting for a lock whose holder ended with the server does not notice its end either
    process.kill(hanging, "SIGSTOP");
    process.kill(killed.pid, "SIGKILL");
    await killed.stop();

    const notices: string[] = [];
    const server = await launchPostgres({
      dataDir,
      onNotice: (line) => notices.push(line),
    });
    expect(await query(server.url, "select answer from kept")).toEqual([{ answer: 42 }]);
    expect(processIdentity(hanging)).toBeNull();
    expect(notices).toEqual(["Processes of a killed database hung and were ended: 1."]);
    await server.stop();
  });

  it("starts although the lock file's process id now belongs to another process", async () => {
    const killed = await startApp(dataDir);
    process.kill(killed.pid, "SIGKILL");
    await killed.kill();
    const lock = join(dataDir, "postgres", "cluster", "postmaster.pid");
    const [, ...rest] = readFileSync(lock, "utf8").split("\n");
    writeFileSync(lock, [process.ppid, ...rest].join("\n"));
    await expect.poll(() => processIdentity(killed.pid)).toBeNull();

    const next = await startApp(dataDir);
    expect(next.refusal).toBeUndefined();
    await next.stop();
  });

  it.each([
    ["is empty", ""],
    ["was not written to the disk", "\0".repeat(90)],
  ])("starts although the lock file of a server that was killed %s", async (_name, content) => {
    const killed = await launchPostgres({ dataDir, isKeptRunning: false });
    await query(killed.url, "create table kept as select 42 as answer");
    process.kill(killed.pid, "SIGKILL");
    await killed.stop();
    writeFileSync(join(dataDir, "postgres", "cluster", "postmaster.pid"), content);

    const next = await launchPostgres({ dataDir });
    expect(await query(next.url, "select answer from kept")).toEqual([{ answer: 42 }]);
    await next.stop();
  });

  it("starts after a kill during its first start", async () => {
    mkdirSync(join(dataDir, "postgres", "cluster.new-half", "base"), { recursive: true });
    const server = await launchPostgres({ dataDir });
    expect(readdirSync(join(dataDir, "postgres")).filter((name) => name.includes("new"))).toEqual(
      [],
    );
    await server.stop();
  });

  it("refuses a second app on the same folder and names the first", async () => {
    const first = await startApp(dataDir);
    const second = await startApp(dataDir);
    expect(second.refusal).toBe(
      `DATA_DIR: ${dataDir} is in use by process ${first.process.pid}; stop it or choose another folder.`,
    );
    expect(await query(first.url, "select 1 as still")).toEqual([{ still: 1 }]);
    // A service with ProcSubset=pid writes no start of the machine
    const lock = join(dataDir, "app.lock");
    writeFileSync(lock, readFileSync(lock, "utf8").replace(/"[0-9a-f-]+:(?=\d+")/, '":'));
    expect((await startApp(dataDir)).refusal).toBe(second.refusal);
    expect(await query(first.url, "select 1 as still")).toEqual([{ still: 1 }]);
    await first.stop();
  });

  it.skipIf(process.platform !== "linux" || process.getuid?.() !== 0)(
    "says in one line that the volume is full",
    async () => {
      const volume = join(dataDir, "volume");
      mkdirSync(volume);
      execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=0711", "tmpfs", volume]);
      try {
        await expect(launchPostgres({ dataDir: volume })).rejects.toThrow(
          /^DATA_DIR: could not make a database in [^:]*: .*No space left on device$/,
        );
      } finally {
        execFileSync("umount", [volume]);
      }
    },
  );

  it("says in one line that the data folder is a file", async () => {
    const file = join(dataDir, "file");
    writeFileSync(file, "");
    await expect(launchPostgres({ dataDir: file })).rejects.toThrow(
      /^DATA_DIR: cannot use .*file \(E\w+\); it must be a folder this user may write to\.$/,
    );
  });

  it("keeps its files elsewhere when the database's account cannot access the folder", async ({
    skip,
  }) => {
    if (process.getuid?.() !== 0) skip("only root drops to another account");
    const hidden = join(dataDir, "home");
    mkdirSync(hidden, { mode: 0o700 });
    const notices: string[] = [];
    const start = () =>
      launchPostgres({
        dataDir: join(hidden, "data"),
        onNotice: (line) => notices.push(line),
      });
    await (await start()).stop();
    const elsewhere = realpathSync(join(hidden, "data", "postgres"));
    expect(notices).toEqual([expect.stringMatching(/who cannot reach .*: its files are in /)]);
    expect(notices[0]).toContain(elsewhere);
    await (await start()).stop();
    expect(realpathSync(join(hidden, "data", "postgres"))).toBe(elsewhere);
    expect(notices).toHaveLength(1);
    rmSync(elsewhere, { recursive: true });
  });

  it("says in one line that the data was made by another version", async () => {
    const server = await launchPostgres({ dataDir });
    await server.stop();
    writeFileSync(join(dataDir, "postgres", "cluster", "PG_VERSION"), "9\n");
    await expect(launchPostgres({ dataDir })).rejects.toThrow(
      /^DATA_DIR: [^\n]+ was made by PostgreSQL 9 but PostgreSQL \d+ is installed;[^\n]+$/,
    );
  });
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}
