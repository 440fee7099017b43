import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type LoneSigner } from "../config.ts";
import { ConfigError } from "../environment.ts";
import { openSignerChannel } from "../custody/signer/signer-channel.ts";
import type { SignerCaller, SignerSocket } from "../custody/signer/frames.ts";

const socketIn = (folder: string, caller: SignerCaller, word: string): SignerSocket => ({
  caller,
  path: join(folder, `${caller}.socket`),
  word,
});

/** Returns the sockets of a signer that runs by itself. */
export function loneSignerSockets(
  { folder, words }: LoneSigner,
  roles: readonly SignerCaller[],
): readonly SignerSocket[] {
  return roles.map((caller) => {
    const word = words[caller];
    if (word === undefined) throw new ConfigError(`SIGNER_WORD_FILE: has no word of ${caller}.`);
    return socketIn(folder, caller, word);
  });
}

/** Longest wait for a signer that runs by itself, in milliseconds, and when the wait is said. */
const START_MS = 60_000;
const SAY_MS = 1_000;

/** Resolves once a signer that runs by itself answers; throws `ConfigError` when none does or it refuses the word. */
export async function findLoneSigner(
  sockets: readonly SignerSocket[],
  startMs = START_MS,
): Promise<void> {
  for (const socket of sockets) await findAt(socket, startMs);
}

function findAt(socket: SignerSocket, startMs: number): Promise<void> {
  const channel = openSignerChannel(socket);
  const said = setTimeout(
    () => process.stdout.write(`Waiting for the signer, up to 60 seconds: ${socket.path}\n`),
    SAY_MS,
  );
  let late: NodeJS.Timeout | undefined;
  return new Promise<void>((resolve, reject) => {
    const fail = (line: string) => reject(new ConfigError(line));
    late = setTimeout(() => fail(`SIGNER_SOCKETS: no signer answers at ${socket.path}.`), startMs);
    channel.listen({
      up: resolve,
      down: () => {},
      answer: () => {},
      refused: () => fail(`SIGNER_WORD_FILE: the signer at ${socket.path} wants another word.`),
    });
  }).finally(() => {
    clearTimeout(said);
    clearTimeout(late);
    channel.close();
  });
}

/**
 * Makes a folder of mode 0700 and names a socket in it for each role, with a random word. It lies in the temporary
 * folder and has a new name at each start: the path of a socket has to be short, and servers may share DATA_DIR.
 */
export function makeSignerSockets(roles: readonly SignerCaller[]): readonly SignerSocket[] {
  const folder = makePrivateFolder();
  return roles.map((caller) => socketIn(folder, caller, randomBytes(32).toString("hex")));
}

function makePrivateFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), "wheelhouse-signer-"));
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `TMPDIR: cannot make a folder for the signer's sockets in ${tmpdir()} (${code}).`,
    );
  }
}

/** Removes the folder of the sockets. */
export function removeSignerSockets([first]: readonly SignerSocket[]): void {
  if (first !== undefined) rmSync(dirname(first.path), { recursive: true, force: true });
}
