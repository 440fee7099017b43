import { type ChildProcess, spawn, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "../test/server-process.ts";
import { createTrader } from "../test/trader.ts";
import { root } from "./root.mjs";
import { patient } from "../test/patient.ts";

const WALLET = /localStorage\["practice-wallet"\] \?\?= (".*");/;
const SECRET = /"secret":"([0-9a-f]{64})"/;

const dataDir = mkdtempSync(join(tmpdir(), "wheelhouse-dev-"));
const lines: string[] = [];
let dev: ChildProcess;
let address: string;
let env: Record<string, string>;

const parts = () =>
  ({ env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] }) satisfies SpawnOptions;

/** Starts a command of the checkout and collects its output. */
const run = (script: string, words: string[]): ChildProcess =>
  listen(spawn(process.execPath, [join(root, "scripts", script)], parts()), words);

function listen(child: ChildProcess, words: string[]): ChildProcess {
  for (const stream of [child.stdout, child.stderr]) {
    if (stream !== null) createInterface({ input: stream }).on("line", (line) => words.push(line));
  }
  return child;
}

const count = (text: string) => lines.filter((line) => line.includes(text)).length;

/** Waits until a line was printed more often than `before`. */
const said = (text: string, before = 0) =>
  vi.waitFor(() => expect(count(text), lines.join("\n")).toBeGreaterThan(before), {
    timeout: patient(100_000),
    interval: 50,
  });

beforeAll(async () => {
  // Its server's, and those of the development servers that must not start
  const port = await freePort([-1, 1, 10, 11]);
  address = `http://127.0.0.1:${port}`;
  env = { PORT: String(port), HOST: "127.0.0.1", DATA_DIR: dataDir, LOG_LEVEL: "info" };
  // As it is typed; npm passes signals to the shell it starts, and to nothing below it
  dev = listen(spawn("npm", ["run", "--silent", "dev"], { cwd: root, ...parts() }), lines);
  await said("Page with hot reload");
});

afterAll(async () => {
  if (dev.exitCode === null && dev.signalCode === null) {
    const ended = once(dev, "exit");
    dev.kill("SIGTERM");
    await ended;
  }
  rmSync(dataDir, { recursive: true, force: true });
});

test("the page is sent with hot reload and the wallet of an agent that has traded", async () => {
  const page = await (await fetch(address)).text();
  expect(page).toContain("/@vite/client");
  const stored: unknown = JSON.parse(WALLET.exec(page)?.[1] ?? "null");
  const secret = SECRET.exec(String(stored))?.[1] ?? "";
  const trader = await createTrader(address, Buffer.from(secret, "hex"));
  const chats = await trader.call<readonly { agent?: { autoTrade?: boolean } }[]>(
    "GET",
    `/api/chats/wallet/${trader.address}/agents`,
  );
  expect(chats.map(({ agent }) => agent !== undefined)).toEqual([true]);
});

test.each(["/mcp", "/oauth/token?a=1", "/status?a=1", "/.well-known/oauth-authorization-server"])(
  "the server answers %s, not the page",
  async (path) => {
    const answer = await fetch(`${address}${path}`);
    expect(await answer.text()).not.toContain("/@vite/client");
  },
);

test("the server starts again when one of its sources changes, and calls wait for it", async () => {
  const before = count("Server listening");
  const source = join(root, "src", "server", "crypto", "new-id.ts");
  const now = new Date();
  utimesSync(source, now, now);
  await said("Server listening", before);
  expect((await fetch(`${address}/api/health`)).status).toBe(200);
});

test("a second development server on the same port fails with one line", async () => {
  const words: string[] = [];
  const [code] = (await once(run("dev.mjs", words), "exit")) as [number];
  expect(code).toBe(1);
  expect(words.filter((line) => !line.startsWith("Node "))).toEqual([
    `PORT: ${new URL(address).port} is taken on 127.0.0.1.`,
  ]);
});

test.each([
  [
    "its server's port is taken",
    () => ({ PORT: String(Number(new URL(address).port) - 1) }),
    () => {
      const port = Number(new URL(address).port);
      return `PORT: ${port} is taken on 127.0.0.1; the server needs the port above ${port - 1}.`;
    },
  ],
  [
    "its server cannot start",
    () => ({ PORT: String(Number(new URL(address).port) + 10), DATA_DIR: "/dev/null" }),
    () => "DATA_DIR: every user of this machine may write to /dev/null; run chmod o-w on it.",
  ],
  [
    "its data folder cannot be made",
    () => ({ PORT: String(Number(new URL(address).port) + 10), DATA_DIR: "/proc/none/data" }),
    () =>
      "DATA_DIR: cannot use /proc/none/data (ENOENT); it must be a folder this user may write to.",
  ],
])("a development server ends with one line when %s", async (_name, changed, line) => {
  const words: string[] = [];
  const usual = env;
  env = { ...usual, ...changed() };
  const dev = run("dev.mjs", words);
  env = usual;
  const [code] = (await once(dev, "exit")) as [number];
  expect([code, words]).toEqual([1, [line()]]);
});

test("seeding adds another agent to the same wallet", async () => {
  const words: string[] = [];
  const [code] = (await once(run("seed.mjs", words), "exit")) as [number];
  const { secret } = JSON.parse(readFileSync(join(dataDir, "seed-wallet.json"), "utf8")) as {
    secret: string;
  };
  const trader = await createTrader(address, Buffer.from(secret, "hex"));
  expect([code, words]).toEqual([
    0,
    [`Seeded an agent of the practice wallet ${trader.address}, with an open position.`],
  ]);
  const chats = await trader.call<readonly object[]>(
    "GET",
    `/api/chats/wallet/${trader.address}/agents`,
  );
  expect(chats).toHaveLength(2);
});

test("seeding says in one line that no server answers", async () => {
  const words: string[] = [];
  const usual = env;
  env = { ...usual, PORT: "1", PUBLIC_URL: "" };
  const [code] = (await once(run("seed.mjs", words), "exit")) as [number];
  env = usual;
  expect([code, words]).toEqual([
    1,
    ["Nothing answers at http://127.0.0.1:1: start it with npm run dev or npm start first."],
  ]);
});

test("SIGINT to npm alone ends the page and its server", async () => {
  const ended = once(dev, "exit");
  dev.kill("SIGINT");
  await ended;
  const server = new URL(address);
  server.port = String(Number(server.port) + 1);
  for (const url of [address, server]) await expect(fetch(url)).rejects.toThrow("fetch failed");
});
