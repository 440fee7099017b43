import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { lstatSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createFrameReader, encodeFrame, type SignerSocket } from "./frames.ts";
import { openRemoteSigner } from "./remote-signer.ts";
import type { SignerAnswer } from "./signer-calls.ts";
import { openSignerChannel, type SignerPort } from "./signer-channel.ts";
import { openSignerServer } from "./signer-server.ts";

let folder: string;
let web: SignerSocket;
let trading: SignerSocket;
let server: { close(): void };
let ports: SignerPort[];
let sockets: Socket[];

const payers = { feePayer: "p", formerFeePayers: [] };
/** How many calls have been answered. */
let answered = 0;
const answer = async ({ id, call }: { id: number; call?: unknown }): Promise<SignerAnswer> => {
  answered += 1;
  return { id, value: (call as { kind: string }).kind === "payers" ? payers : call };
};
const open = () => openSignerServer([web, trading], answer);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "wheelhouse-signer-test-"));
  web = { caller: "web", path: join(folder, "web.socket"), word: "word of web" };
  trading = { caller: "trading", path: join(folder, "trading.socket"), word: "word of trading" };
  [ports, sockets] = [[], []];
  server = await open();
});

afterEach(() => {
  for (const port of ports) port.close();
  for (const socket of sockets) socket.destroy();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const channel = (to: SignerSocket) => {
  const port = openSignerChannel(to);
  ports.push(port);
  return port;
};

/** Opens a connection that sends these bytes; `ended` resolves to the messages it got when the signer cuts it off. */
function raw(path: string, ...sent: Buffer[]) {
  const socket = connect(path);
  sockets.push(socket);
  const reader = createFrameReader();
  const heard: unknown[] = [];
  socket.on("data", (chunk: Buffer) => heard.push(...reader.read(chunk)));
  socket.on("error", () => {});
  for (const bytes of sent) socket.write(bytes);
  const ended = new Promise<unknown[]>((resolve) => socket.on("close", () => resolve(heard)));
  /** Waits for so many messages, and advances no time. */
  const hears = async (count: number) => {
    while (heard.length < count) await once(socket, "data");
  };
  return { socket, heard, hears, ended };
}

const word = ({ word: own }: SignerSocket) => encodeFrame({ word: own });

it("answers a process that gives its word, and again after the signer was killed", async () => {
  const remote = await openRemoteSigner(channel(trading));
  expect(remote.feePayer).toEqual({ address: "p" });
  server.close();
  await expect(
    remote.sign({ agentId: "a", purpose: "order", instructions: [] } as never),
  ).rejects.toThrow("being started again");
  server = await open();
  await expect.poll(() => remote.of("a" as never)).toEqual({ kind: "of", agentId: "a" });
});

it("connects to a signer that starts later", async () => {
  server.close();
  const remote = openRemoteSigner(channel(web));
  await sleep(100);
  server = await open();
  expect((await remote).feePayer).toEqual({ address: "p" });
});

it("lets only this account connect", () => {
  expect(statSync(web.path).mode & 0o777).toBe(0o600);
});

it.each<[string, () => Buffer[]]>([
  ["another word", () => [encodeFrame({ word: "made up" })]],
  ["no word", () => [encodeFrame({ word: "" })]],
  ["the other caller's word", () => [word(web)]],
])("welcomes nobody with %s, and reads nothing more of them", async (_, sent) => {
  const call = encodeFrame({ id: 1, call: { kind: "sign" } });
  expect(await raw(trading.path, ...sent(), call).ended).toEqual([{ welcome: false }]);
});

it.each<[string, () => Buffer[]]>([
  ["a call before the word", () => [encodeFrame({ id: 1, call: { kind: "payers" } })]],
  ["a word and more", () => [encodeFrame({ word: web.word, more: 1 })]],
  ["text", () => [Buffer.from("GET / HTTP/1.1\r\n\r\n")]],
])("cuts off who begins with %s", async (_, sent) => {
  expect(await raw(web.path, ...sent()).ended).toEqual([]);
});

it.each<[string, () => Buffer]>([
  ["a call without number", () => encodeFrame({ call: { kind: "payers" } })],
  ["a number below zero", () => encodeFrame({ id: -1, call: { kind: "payers" } })],
  ["a list", () => encodeFrame([1])],
  ["an oversized message", () => Buffer.from([0, 2, 0, 1])],
  ["no JSON", () => Buffer.from([0, 0, 0, 1, 0x7b])],
])("cuts off a caller that sends %s, and answers the others", async (_, sent) => {
  const caller = raw(web.path, word(web));
  await caller.hears(1);
  caller.socket.write(sent());
  expect(await caller.ended).toEqual([{ welcome: true }]);
  expect((await openRemoteSigner(channel(web))).feePayer).toEqual({ address: "p" });
});

it("cuts off who says nothing, and who stops within a message, after five seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const silent = raw(web.path);
    const halted = raw(web.path, word(web), encodeFrame({ id: 1, call: {} }).subarray(0, 9));
    const whole = raw(web.path, word(web), encodeFrame({ id: 1, call: { kind: "of" } }));
    await Promise.all([halted.hears(1), whole.hears(2)]);
    vi.advanceTimersByTime(4_900);
    expect([silent.socket.destroyed, halted.socket.destroyed]).toEqual([false, false]);
    vi.advanceTimersByTime(200);
    expect(await silent.ended).toEqual([]);
    expect(await halted.ended).toEqual([{ welcome: true }]);
    expect(whole.socket.destroyed).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

it("keeps a caller whose messages never end where a part that is read ends", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const caller = raw(web.path, word(web));
    const call = encodeFrame({ id: 1, call: { kind: "of" } });
    caller.socket.write(call.subarray(0, 9));
    for (let heard = 1; heard < 5; heard += 1) {
      await caller.hears(heard);
      vi.advanceTimersByTime(3_000);
      caller.socket.write(Buffer.concat([call.subarray(9), call.subarray(0, 9)]));
    }
    await caller.hears(5);
    expect(caller.socket.destroyed).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});

it("answers beside a thousand silent connections whose time does not end", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  for (let opened = 0; opened < 1_000;) {
    const { socket } = raw(trading.path);
    // More than may wait to be accepted are turned away by the system
    opened += await once(socket, "connect").then(
      () => 1,
      () => 0,
    );
  }
  vi.useRealTimers();
  expect((await openRemoteSigner(channel(trading))).feePayer).toEqual({ address: "p" });
});

it("welcomes 16 connections of a caller, and the next one when one of them ends", async () => {
  const all = Array.from({ length: 17 }, () => raw(web.path, word(web)));
  const refused = await Promise.race(all.map(({ ended }) => ended));
  expect(refused).toEqual([{ welcome: false }]);
  all.find(({ socket }) => !socket.destroyed)?.socket.destroy();
  const isWelcome = async () => {
    const next = raw(web.path, word(web));
    await Promise.race([next.hears(1), next.ended]);
    return next.heard;
  };
  await expect.poll(isWelcome).toEqual([{ welcome: true }]);
});

it("cuts off a caller that asks and reads nothing, and answers the others meanwhile", async () => {
  const calls = Buffer.concat(
    Array.from({ length: 2_000 }, (_, id) =>
      encodeFrame({ id, call: { kind: "of", text: "x".repeat(500) } }),
    ),
  );
  const greedy = connect(web.path);
  sockets.push(greedy);
  greedy.pause();
  greedy.on("error", () => {});
  const ended = new Promise((resolve) => greedy.on("close", resolve));
  greedy.write(word(web));
  const pump = (): void => void (greedy.writable && greedy.write(calls, pump));
  pump();
  const remote = await openRemoteSigner(channel(trading));
  for (let signed = 0; signed < 50; signed += 1) {
    const before = answered;
    await remote.sign({ agentId: "a", purpose: "order", instructions: [] } as never);
    // Between two of its own it waits for few of the other's, however fast the machine is
    expect(answered - before).toBeLessThan(10);
  }
  await ended;
});

it("replaces the socket that a killed process left", async () => {
  server.close();
  const left = join(folder, "left.socket");
  const program = `require("node:net").createServer().listen(${JSON.stringify(left)}, () => process.kill(process.pid, "SIGKILL"))`;
  expect(spawnSync(process.execPath, ["-e", program]).signal).toBe("SIGKILL");
  expect(statSync(left).isSocket()).toBe(true);
  web = { ...web, path: left };
  server = await open();
  expect((await openRemoteSigner(channel(web))).feePayer).toEqual({ address: "p" });
});

it.each<[string, (path: string) => unknown, string, boolean]>([
  [
    "another signer",
    (path) => once(createServer().listen(path).unref(), "listening"),
    "another signer listens there.",
    true,
  ],
  ["a file", (path) => writeFileSync(path, "kept"), "cannot listen there (EADDRINUSE).", false],
  [
    "a link",
    (path) => symlinkSync("/nonexistent", path),
    "cannot listen there (EADDRINUSE).",
    false,
  ],
])("refuses the path of %s in one line", async (_, occupy, line, isSocket) => {
  server.close();
  web = { ...web, path: join(folder, "taken.socket") };
  await occupy(web.path);
  await expect(open()).rejects.toThrow(`${web.path}: ${line}`);
  expect(lstatSync(web.path).isSocket()).toBe(isSocket);
});

it.each([
  ["that is too long", "x".repeat(104), "this path is too long for a socket."],
  ["in a folder that is not there", "none/web.socket", "cannot listen there (EACCES)."],
])("refuses a path %s in one line", async (_, name, line) => {
  server.close();
  web = { ...web, path: join(folder, name) };
  await expect(open()).rejects.toThrow(`${web.path}: ${line}`);
});
