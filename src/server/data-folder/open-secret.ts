import { randomBytes, randomUUID } from "node:crypto";
import { linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "./make-folder.ts";

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
