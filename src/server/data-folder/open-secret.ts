import { randomBytes, randomUUID } from "node:crypto";
import {
  linkSync,
  readFileSync,
  rmSync,
  writeFileSync,
  existsSync,
  mkdirSync,
  statSync,
} from "node:fs";
import { dirname } from "node:path";

/** Returns the secret of a file with mode 0600; a missing file is created with 32 random bytes as hex text. */
export function openSecret(path: string): string {
  const kept = readIfThere(path);
  if (kept !== null) return kept;
  // Others may traverse the folder: under root the embedded database runs as another account
  makeFolder(dirname(path));
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, randomBytes(32).toString("hex"), { mode: 0o600, flag: "wx", flush: true });
  try {
    linkSync(draft, path);
  } catch (error) {
    // Another server created the file first; its secret is used
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, "utf8").trim();
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

/**
 * Makes a folder with those above it, which others may traverse but not list. Throws what the system says of the first
 * that cannot be made; Node's own recursion tries for ever where that is "no such folder", as below /proc.
 */
export function makeFolder(path: string): void {
  const parent = dirname(path);
  if (!existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(path, { mode: 0o711 });
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw error;
  }
}
