import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LaunchError } from "./account.ts";
import { isSameIdentity, processIdentity } from "./process-identity.ts";

interface Holder {
  readonly pid: number;
  readonly identity: string | null;
}

/**
 * Locks the data folder and returns the release function; throws `LaunchError` naming the process that holds the
 * folder.
 */
export function lockDataFolder(dataDir: string): () => void {
  const path = join(dataDir, "app.lock");
  const mine = JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) });
  const draft = `${path}.${randomUUID()}`;
  writeFileSync(draft, mine, { mode: 0o600 });
  try {
    while (!claim(draft, path)) removeIfStale(path, dataDir);
  } finally {
    rmSync(draft, { force: true });
  }
  return () => {
    if (readIfThere(path) === mine) rmSync(path, { force: true });
  };
}

// A hard link is atomic, so no reader sees a partly written lock
function claim(draft: string, path: string): boolean {
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

function removeIfStale(path: string, dataDir: string): void {
  const seen = readIfThere(path);
  if (seen === null) return;
  const holder = parseHolder(seen);
  if (holder !== null && isAlive(holder)) {
    throw new LaunchError(
      `DATA_DIR: ${dataDir} is in use by process ${holder.pid}; stop it or choose another folder.`,
    );
  }
  // Renamed before deletion, so that only one of two starting processes removes a given stale lock
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readIfThere(aside) !== seen) claim(aside, path);
  rmSync(aside, { force: true });
}

function isAlive(holder: Holder): boolean {
  const identity = processIdentity(holder.pid);
  if (identity === null || holder.identity === null) return false;
  return isSameIdentity(identity, holder.identity);
}

function parseHolder(text: string): Holder | null {
  try {
    const { pid, identity } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === "number" ? { pid, identity: identity ?? null } : null;
  } catch {
    return null;
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
