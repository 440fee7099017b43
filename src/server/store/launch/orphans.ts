import { readdirSync, readlinkSync } from "node:fs";
import { findPostmaster } from "./postmaster-file.ts";

/**
 * Kills what a killed server left behind on a cluster without a server, and returns how many processes there were.
 *
 * A backend that waits for a lock whose holder ended with the server waits for ever and lets no new server start. Its
 * transaction is not committed, or is on the disk already: recovery decides that, not the process. Backends are found by
 * the folder they work in, which only Linux tells; elsewhere none is found.
 */
export function killOrphans(cluster: string): number {
  if (findPostmaster(cluster) !== null) return 0;
  const orphans = processesIn(cluster);
  for (const pid of orphans) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended by itself
    }
  }
  return orphans.length;
}

/** Returns the PostgreSQL processes whose working folder this is. */
function processesIn(folder: string): readonly number[] {
  try {
    return readdirSync("/proc").flatMap((name) => {
      const isProcess = /^\d+$/.test(name) && isPostgresIn(name, folder);
      return isProcess ? [Number(name)] : [];
    });
  } catch {
    return [];
  }
}

function isPostgresIn(pid: string, folder: string): boolean {
  try {
    const program = readlinkSync(`/proc/${pid}/exe`);
    // The file of a running program may have been replaced, by an upgrade for one
    return (
      /\/postgres(?: \(deleted\))?$/.test(program) && readlinkSync(`/proc/${pid}/cwd`) === folder
    );
  } catch {
    return false;
  }
}
