import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { ConfigError } from "../config.ts";
import type { SignerSocket } from "../custody/signer/signer-socket.ts";
import type { Role } from "../environment.ts";

/**
 * Makes a folder of mode 0700 and names a socket in it for each role, with a random word. It lies in the temporary
 * folder and has a new name at each start: the path of a socket has to be short, and servers may share DATA_DIR.
 */
export function makeSignerSockets(roles: readonly Role[]): readonly SignerSocket[] {
  const folder = makePrivateFolder();
  return roles.map((caller) => ({
    caller,
    path: join(folder, `${caller}.socket`),
    word: randomBytes(32).toString("hex"),
  }));
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
