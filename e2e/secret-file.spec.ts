import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { findRunningDatabase } from "../src/server/store/launch/launch-postgres.ts";
import { writeKeyFile } from "../test/key-file.ts";
import { findInMemory } from "../test/memory.ts";
import { descendantsOf } from "../test/prove/process-tree.ts";
import { freePort, makeDataDir, startProduct } from "./product.ts";

test.skip(process.platform !== "linux", "reads /proc");

const PLACES = [
  ["a file that is named", (folder: string) => writeKeyFile(folder)],
  ["the practice network's own file", () => undefined],
] as const;

for (const [place, name] of PLACES) {
  test(`the master secret in ${place} is in no process's environment or arguments`, async () => {
    const dataDir = makeDataDir();
    const named = name(dataDir.path);
    const env = named === undefined ? {} : { DELEGATE_SECRET_FILE: named };
    const product = await startProduct(dataDir.path, await freePort(), env);
    const file = named ?? join(dataDir.path, "delegate.secret");
    const secret = readFileSync(file, "utf8").trim();
    // The database's processes too
    const pids = [product.pid, ...descendantsOf(product.pid)];
    const own = [product.pid, ...(["web", "trading", "signer"] as const).map(product.pidOf)];
    expect(pids).toEqual(expect.arrayContaining(own));
    const told = (what: string, text: string) =>
      pids.filter((pid) => readOf(pid, what).includes(text));
    expect(told("environ", "LOG_LEVEL=")).toEqual(expect.arrayContaining(own));
    expect([told("environ", secret), told("cmdline", secret)]).toEqual([[], []]);
    const holders = named === undefined ? [] : [product.pid, product.pidOf("signer")];
    expect(told("environ", "DELEGATE_SECRET_FILE=")).toEqual(holders);
    const passwords = new URL(findRunningDatabase(dataDir.path) ?? "").searchParams.get("password");
    expect(passwords).toMatch(/^[0-9a-f]{64}$/);
    expect(told("environ", passwords ?? "")).toEqual([]);
    expect(told("environ", "DATABASE_URL=")).toEqual([]);
    expect(await product.stop()).toBe(0);
    dataDir.remove();
  });
}

/** Returns a file of a process under /proc; nothing of one that has ended, as the database's workers do. */
function readOf(pid: number, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, "utf8");
  } catch (error) {
    if (["ESRCH", "ENOENT"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}

/** Tries to read each file and to list, write and run something; prints what came of it. */
const ATTEMPTS = `
const fs = require("node:fs");
const [folder, ...files] = process.argv.slice(1);
const tries = {
  ...Object.fromEntries(files.map((file) => [file, () => fs.readFileSync(file)])),
  list: () => fs.readdirSync(folder),
  link: () => fs.symlinkSync(files[0], folder + "/link"),
  write: () => fs.writeFileSync(folder + "/HALT", ""),
  run: () => require("node:child_process").execFileSync("cat", [files[0]]),
  worker: () => new (require("node:worker_threads").Worker)("", { eval: true }),
};
const outcome = (attempt) => { try { attempt(); return "done"; } catch (error) { return error.code; } };
console.log(JSON.stringify(Object.entries(tries).map(([name, attempt]) => [name, outcome(attempt)])));
`;

test("the secret of sessions is in the memory of pages' process alone, not in trading's or the signer's", async () => {
  for (const given of [{}, { SESSION_SECRET: randomBytes(32).toString("hex") }]) {
    const dataDir = makeDataDir();
    const product = await startProduct(dataDir.path, await freePort(), given);
    const { SESSION_SECRET: secret = readFileSync(join(dataDir.path, "session.secret"), "utf8") } =
      given;
    const holders = [];
    for (const name of ["web", "trading", "signer"] as const) {
      // Their parent would take a process that stands still for one that hangs
      const found = await findInMemory(product.pidOf(name), [secret.trim()], [product.pid]);
      if (found.length > 0) holders.push(name);
    }
    expect(holders).toEqual(["web"]);
    expect(await product.stop()).toBe(0);
    dataDir.remove();
  }
});

test("code in the web process opens neither the secret's file nor an environment of the product", async () => {
  const dataDir = makeDataDir();
  const file = writeKeyFile(dataDir.path);
  const product = await startProduct(dataDir.path, await freePort(), {
    DELEGATE_SECRET_FILE: file,
  });
  const confined = readFileSync(`/proc/${product.pidOf("web")}/cmdline`, "utf8")
    .split("\0")
    .filter((flag) => /^--(?:permission|allow-|disable-warning)/.test(flag));
  expect(confined).toContain("--permission");
  const environ = (pid: number) => `/proc/${pid}/environ`;
  const passwords = join(dataDir.path, "database.secret");
  const [main, signer] = [environ(product.pid), environ(product.pidOf("signer"))];
  const own = join(dataDir.path, "session.secret");
  const said = execFileSync(
    process.execPath,
    [...confined, "-e", ATTEMPTS, dataDir.path, file, passwords, main, signer, own],
    { encoding: "utf8" },
  );
  const denied = [file, passwords, main, signer, "list", "link", "write", "run", "worker"];
  expect(new Map(JSON.parse(said) as [string, string][])).toEqual(
    new Map([
      ...denied.map((name) => [name, "ERR_ACCESS_DENIED"] as const),
      [own, "done"] as const,
    ]),
  );
  // What it may not read of the folder it is told
  const state = async () => (await fetch(`${product.url}/status`)).text();
  expect(await state()).toContain("Orders are sent.");
  writeFileSync(join(dataDir.path, "HALT"), "");
  await expect.poll(state).toContain("HALT is set");
  expect(await product.stop()).toBe(0);
  dataDir.remove();
});
