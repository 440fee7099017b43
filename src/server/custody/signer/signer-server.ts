import { createHash, timingSafeEqual } from "node:crypto";
import { chmodSync, lstatSync, rmSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import * as z from "zod/mini";
import {
  createFrameReader,
  encodeFrame,
  type SignerSocket,
  type WelcomeMessage,
} from "./frames.ts";
import type { SignerAnswer } from "./signer-calls.ts";
import { createSignerTurns, type NumberedCall, type SignerTurns } from "./signer-turns.ts";

/** Maximum number of connections of a kind of caller that gave the word: servers that share a signer have one each. */
const MAX_CALLERS = 16;

/** Maximum number of connections without the word; the oldest goes first. More than can be accepted in one go. */
const MAX_STRANGERS = 256;
const BACKLOG = 128;

/** Longest time in milliseconds for the word, and for a message that has begun. */
const FRAME_MS = 5_000;

/** Maximum number of bytes of answers that a caller has not read. */
const MAX_UNREAD_BYTES = 4 * 1_024 * 1_024;

const wordMessage = z.strictObject({ word: z.string() });
const numbered = z.looseObject({ id: z.int().check(z.gte(0)) });

const digestOf = (word: string) => createHash("sha256").update(word).digest();

/** The path of a socket cannot be used; the message is one line for the operator. */
export class SocketError extends Error {
  override readonly name = "SocketError";
}

interface Connections {
  /** Connections that have not given the word, the oldest first. */
  readonly strangers: Set<Socket>;
  readonly callers: Set<Socket>;
}

/** Returns what ends the connection unless it stops waiting within `FRAME_MS` of the call that first found it so. */
function limitWaiting(socket: Socket): (isWaiting: boolean) => void {
  let timer: NodeJS.Timeout | undefined;
  return (isWaiting) => {
    if (!isWaiting) clearTimeout(timer);
    timer = isWaiting ? (timer ?? setTimeout(() => socket.destroy(), FRAME_MS)) : undefined;
  };
}

/** Adds a connection that has not given the word; the oldest of too many ends. */
function admit(socket: Socket, { strangers }: Connections): void {
  const [oldest] = strangers;
  if (oldest !== undefined && strangers.size >= MAX_STRANGERS) {
    strangers.delete(oldest);
    oldest.destroy();
  }
  strangers.add(socket);
}

/** Answers one connection until it ends or sends what is no call. */
function serve(
  socket: Socket,
  { caller, word }: SignerSocket,
  connections: Connections,
  turns: SignerTurns,
): void {
  const { strangers, callers } = connections;
  const reader = createFrameReader();
  const send = (message: SignerAnswer | WelcomeMessage): void => {
    if (socket.writableLength > MAX_UNREAD_BYTES) socket.destroy();
    else if (socket.writable) socket.write(encodeFrame(message));
  };
  const client = { caller, send };
  const waits = limitWaiting(socket);

  const meet = (message: unknown): void => {
    const given = wordMessage.parse(message).word;
    const isRight = timingSafeEqual(digestOf(given), digestOf(word));
    const welcome = isRight && callers.size < MAX_CALLERS;
    strangers.delete(socket);
    if (welcome) callers.add(socket);
    send({ welcome });
    if (!welcome) socket.destroySoon();
  };

  const hear = (chunk: Buffer): void => {
    const messages = reader.read(chunk);
    if (messages.length > 0) waits(false);
    for (const message of messages) {
      if (strangers.has(socket)) meet(message);
      else if (callers.has(socket)) turns.call(client, numbered.parse(message) as NumberedCall);
    }
    waits(strangers.has(socket) || reader.isWithin());
  };

  admit(socket, connections);
  waits(true);
  socket.on("data", (chunk: Buffer) => {
    try {
      hear(chunk);
    } catch {
      return void socket.destroy();
    }
    // Others are read before the next part of what one caller sends
    socket.pause();
    setImmediate(() => socket.resume());
  });
  // Ended by its other end: nothing to tell
  socket.on("error", () => {});
  socket.on("close", () => {
    waits(false);
    strangers.delete(socket);
    callers.delete(socket);
    turns.forget(client);
  });
}

/** Longest path of a socket in bytes: 103 on macOS, 107 on Linux. */
const MAX_PATH_BYTES = 103;

/** Resolves to whether a process listens at the path. */
function isTaken(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path, () => {
      probe.destroy();
      resolve(true);
    });
    probe.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code !== "ECONNREFUSED"));
  });
}

function tryToListen(server: Server, path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const fail = ({ code = "unknown" }: NodeJS.ErrnoException) => resolve(code);
    server.once("error", fail);
    server.listen({ path, backlog: BACKLOG }, () => {
      server.off("error", fail);
      // Out of files: the connection is closed, and the server goes on
      server.on("error", () => {});
      resolve(null);
    });
  });
}

/** Listens at the path; replaces the socket that a killed process left, and throws when another one listens there. */
async function listen(server: Server, path: string, mode: number): Promise<void> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new SocketError(`${path}: this path is too long for a socket.`);
  }
  let code = await tryToListen(server, path);
  if (code === "EADDRINUSE" && lstatSync(path, { throwIfNoEntry: false })?.isSocket() === true) {
    if (await isTaken(path)) throw new SocketError(`${path}: another signer listens there.`);
    rmSync(path, { force: true });
    code = await tryToListen(server, path);
  }
  if (code !== null) throw new SocketError(`${path}: cannot listen there (${code}).`);
  chmodSync(path, mode);
}

/**
 * Answers calls at the signer's sockets. `mode` is the mode of the sockets' files: who may write to one may connect.
 *
 * Throws `SocketError` when one of the paths cannot be used.
 */
export async function openSignerServer(
  sockets: readonly SignerSocket[],
  answer: (message: NumberedCall) => Promise<SignerAnswer>,
  mode = 0o600,
): Promise<{ close(): void }> {
  const turns = createSignerTurns(answer);
  const closers: (() => void)[] = [];
  const close = (): void => closers.forEach((end) => end());
  try {
    for (const each of sockets) {
      const connections: Connections = { strangers: new Set(), callers: new Set() };
      const server = createServer((socket) => serve(socket, each, connections, turns));
      await listen(server, each.path, mode);
      closers.push(() => {
        server.close();
        for (const socket of [...connections.strangers, ...connections.callers]) socket.destroy();
      });
    }
  } catch (error) {
    close();
    throw error;
  }
  return { close };
}
