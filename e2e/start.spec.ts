import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { findProcess } from "../test/prove/process-tree.ts";
import { launchPostgres } from "../src/server/store/launch/launch-postgres.ts";
import { freePort, makeDataDir, MAIN, startProduct } from "./product.ts";
import { patient } from "../test/patient.ts";

/** Starts the product where it must refuse to run, and returns its output. */
async function refuse(
  env: Readonly<Record<string, string>>,
  {
    command = [process.execPath, MAIN],
    meanwhile = async () => {},
  }: {
    readonly command?: readonly string[];
    readonly meanwhile?: (pid: number) => Promise<void>;
  } = {},
) {
  const [file = "", ...flags] = command;
  const child = spawn(file, flags, {
    env: { PATH: process.env["PATH"] ?? "", LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const work = meanwhile(child.pid ?? 0);
  // "close" instead of "exit", because output may still be pending at exit
  const [code] = (await once(child, "close")) as [number | null];
  await work;
  return { code, lines: said.trim().split("\n") };
}

test.describe("an impossible start fails with one line and leaves nothing half-made", () => {
  // One folder per test, because tests may share a process
  let dataDir: ReturnType<typeof makeDataDir>;
  test.beforeEach(() => {
    dataDir = makeDataDir();
  });
  test.afterEach(() => dataDir.remove());

  test("a taken port", async () => {
    const holder = createServer();
    holder.listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address() as { port: number };
    const folder = join(dataDir.path, "taken-port");
    const { code, lines } = await refuse({ PORT: String(port), DATA_DIR: folder });
    holder.close();
    expect(code).not.toBe(0);
    expect(lines).toEqual([`PORT: ${port} is taken on 127.0.0.1.`]);
  });

  test("a port that is taken while it starts", async () => {
    const holder = createServer();
    const port = await freePort();
    const { code, lines } = await refuse(
      { PORT: String(port), DATA_DIR: dataDir.path },
      {
        async meanwhile(pid) {
          await processOf(pid, "web");
          await once(holder.listen(port, "127.0.0.1"), "listening");
        },
      },
    );
    holder.close();
    expect([code, lines]).toEqual([1, [`PORT: ${port} is taken on 127.0.0.1.`]]);
  });

  test("a data folder that is a file", async () => {
    const file = join(dataDir.path, "file");
    writeFileSync(file, "");
    const { code, lines } = await refuse({ PORT: String(await freePort()), DATA_DIR: file });
    expect(code).not.toBe(0);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^DATA_DIR: /);
  });

  /** Resolves to the id of a process of the starting server, as soon as it exists. */
  async function processOf(pid: number, name: string): Promise<number> {
    let found: number | undefined;
    await expect
      .poll(() => (found = findProcess(pid, name)), { timeout: patient(100_000), intervals: [20] })
      .toBeDefined();
    return found ?? 0;
  }

  for (const name of ["web", "trading", "signer"]) {
    test(`its process ${name} is killed in its first second`, async () => {
      const { code, lines } = await refuse(
        { PORT: String(await freePort()), DATA_DIR: dataDir.path },
        { meanwhile: async (pid) => void process.kill(await processOf(pid, name), "SIGKILL") },
      );
      expect([code, lines]).toEqual([
        1,
        [`The process ${name} was ended by SIGKILL before it was ready.`],
      ]);
    });
  }

  test("its database is lost during the start", async () => {
    const folder = makeDataDir();
    chmodSync(folder.path, 0o711);
    const postgres = await launchPostgres({ dataDir: folder.path, isKeptRunning: false });
    const { code, lines } = await refuse(
      {
        PORT: String(await freePort()),
        DATA_DIR: join(dataDir.path, "lost"),
        DATABASE_URL: postgres.url,
      },
      {
        async meanwhile(pid) {
          await processOf(pid, "web");
          process.kill(postgres.pid, "SIGKILL");
        },
      },
    );
    await postgres.stop();
    folder.remove();
    expect([code === 0, lines]).toEqual([false, ["The database was lost during the start."]]);
  });

  test("too few files may be open", async () => {
    const command = ["sh", "-c", 'ulimit -n 26; exec "$0" "$1"', process.execPath, MAIN];
    const { code, lines } = await refuse(
      { PORT: String(await freePort()), DATA_DIR: dataDir.path },
      { command },
    );
    expect(code).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^Too many files are open: let this account/)]);
  });

  test("a database without the necessary rights", async () => {
    const folder = makeDataDir();
    chmodSync(folder.path, 0o711);
    const postgres = await launchPostgres({ dataDir: folder.path });
    const { code, lines } = await refuse({
      PORT: String(await freePort()),
      DATA_DIR: join(dataDir.path, "no-database"),
      DATABASE_URL: postgres.url.replace("user=postgres", "user=nobody"),
    });
    await postgres.stop();
    folder.remove();
    expect(code).not.toBe(0);
    expect(lines).toEqual(["DATABASE_URL: the database cannot be used (28P01)."]);
  });

  test("mainnet without its secrets", async () => {
    const folder = join(dataDir.path, "no-secret");
    const { code, lines } = await refuse({
      PORT: String(await freePort()),
      DATA_DIR: folder,
      NETWORKS: "mainnet",
      RPC_URL_MAINNET: "http://127.0.0.1:1",
    });
    expect(code).not.toBe(0);
    expect(lines).toEqual(["DELEGATE_SECRET_FILE: needed because NETWORKS has mainnet."]);
    expect(readdirSync(dataDir.path)).not.toContain("no-secret");
  });
});

test("a data folder in use is refused, and a second start resumes the state of the first", async ({
  request,
}) => {
  const dataDir = makeDataDir();
  const port = await freePort();
  const first = await startProduct(dataDir.path, port);
  expect((await request.get(`${first.url}/api/health`)).status()).toBe(200);
  const env = { PORT: String(await freePort()), DATA_DIR: dataDir.path };
  expect(await refuse(env)).toEqual({
    code: 1,
    lines: [expect.stringMatching(/in use by process \d+/)],
  });
  expect(await first.stop()).toBe(0);
  const second = await startProduct(dataDir.path, port);
  expect((await request.get(`${second.url}/api/health`)).status()).toBe(200);
  expect(await second.stop()).toBe(0);
  dataDir.remove();
});
