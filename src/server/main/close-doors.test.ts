import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { createServer } from "node:net";
import os, { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { confineWeb } from "./confine-web.ts";

const root = join(import.meta.dirname, "../../..");
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

/** Starts the walk with the options of pages' process; resolves once it listens. */
async function startWalk(known: object, dataDir: string): Promise<ChildProcess> {
  const child = fork(join(root, "test/inside/walk-modules.mjs"), {
    env: { PATH: process.env["PATH"], WALK: JSON.stringify(known) },
    cwd: dataDir,
    execArgv: [...confineWeb({ DATA_DIR: dataDir }), `--allow-fs-read=${root}`],
    stdio: ["pipe", "ignore", "ignore", "ipc"],
  });
  ended.push(() => child.kill("SIGKILL"));
  await once(child, "message");
  return child;
}

/** Walks a module; resolves to what it read and, where the process ended before it was through, the step at which. */
function walkModule(child: ChildProcess, name: string, endedAt: readonly number[]) {
  const leaked: string[] = [];
  let at = 0;
  return new Promise<{ leaked: readonly string[]; endedAt: number | null }>((resolve) => {
    const hear = (message: unknown) => {
      if (typeof message !== "object" || message === null) return;
      if ("at" in message) at = Number(message.at);
      if ("leaked" in message) leaked.push(`${String(message.leaked)} read`);
      if ("walked" in message) over(null);
    };
    const fall = () => over(at);
    const over = (endedAt: number | null) => {
      child.off("message", hear).off("exit", fall);
      resolve({ leaked, endedAt });
    };
    child.on("message", hear).on("exit", fall);
    child.send({ name, endedAt });
  });
}

/** Starts a process of the same account. */
async function startVictim() {
  const victim = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000); console.log('up')"]);
  ended.push(() => victim.kill("SIGKILL"));
  await once(victim.stdout, "data");
  return victim;
}

const isAsLeft = ({ pid, exitCode, signalCode }: ChildProcess) =>
  exitCode === null && signalCode === null && os.getPriority(pid) === os.getPriority();

it("has no function in any of Node's modules that opens, writes, kills or connects to anything outside", async () => {
  const folder = mkdtempSync(join(tmpdir(), "walk-"));
  ended.push(() => rmSync(folder, { recursive: true }));
  const outside = join(folder, "outside");
  mkdirSync(outside);
  const secret = join(folder, "secret");
  writeFileSync(secret, "kept".repeat(9));
  const socket = join(folder, "socket");
  let connected = 0;
  const server = createServer(() => (connected += 1)).listen(socket);
  ended.push(() => server.close());
  await once(server, "listening");
  let victim = await startVictim();
  const file = join(outside, "HALT");
  const allowed = join(folder, "allowed");

  const doors: string[] = [];
  let child: ChildProcess | null = null;
  for (const name of builtinModules) {
    const endedAt: number[] = [];
    for (let isOver = false; !isOver;) {
      child ??= await startWalk({ pid: victim.pid, file, secret, socket, allowed }, outside);
      const said = await walkModule(child, name, endedAt);
      doors.push(...said.leaked);
      // One that ends itself harms nobody; the next goes on behind that
      if (said.endedAt !== null) [child, isOver] = [null, endedAt.push(said.endedAt) > 99];
      else isOver = true;
    }
    doors.push(
      ...readdirSync(outside).map((made) => `${name} wrote ${made}`),
      ...(connected > 0 ? [`${name} connected`] : []),
      ...(isAsLeft(victim) ? [] : [`${name} reached another process`]),
    );
    for (const made of readdirSync(outside)) rmSync(join(outside, made), { recursive: true });
    connected = 0;
    if (!isAsLeft(victim)) victim = await startVictim();
    // Its own loop may be caught, and it knows of the former victim
    child?.kill("SIGKILL");
    child = null;
  }
  expect(doors).toEqual([]);
}, 240_000);
