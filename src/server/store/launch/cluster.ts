import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Account, LaunchError } from "./account.ts";
import type { Binaries } from "./binaries.ts";

const run = promisify(execFile);

/**
 * Creates the cluster if missing: in a temporary folder that is then renamed, so that a kill leaves no partial cluster.
 */
export async function openCluster(
  holder: string,
  binaries: Binaries,
  account: Account | null,
  isDurable: boolean,
): Promise<string> {
  const cluster = join(holder, "cluster");
  for (const name of readdirSync(holder)) {
    if (name.startsWith("cluster.new-")) rmSync(join(holder, name), { recursive: true });
  }
  if (existsSync(cluster)) requireSameVersion(cluster, binaries);
  else await makeCluster(cluster, binaries, account, isDurable);
  return cluster;
}

/** Environment of the database's processes, without any variable of the app or any PG* variable of the user. */
export const DATABASE_ENVIRONMENT = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

function requireSameVersion(cluster: string, binaries: Binaries): void {
  const made = Number(readFileSync(join(cluster, "PG_VERSION"), "utf8"));
  if (made === binaries.majorVersion) return;
  throw new LaunchError(
    `DATA_DIR: ${cluster} was made by PostgreSQL ${made} but PostgreSQL ${binaries.majorVersion} is installed; install ${made} or restore a dump into a new folder.`,
  );
}

async function makeCluster(
  cluster: string,
  binaries: Binaries,
  account: Account | null,
  isDurable: boolean,
): Promise<void> {
  const draft = `${cluster}.new-${randomUUID()}`;
  const locale = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"];
  const flags = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "-k", "--no-instructions"];
  const identity = account === null ? {} : { uid: account.uid, gid: account.gid };
  try {
    await run(
      binaries.initdb,
      ["-D", draft, ...flags, ...locale, ...(isDurable ? [] : ["--no-sync"])],
      { cwd: "/", env: DATABASE_ENVIRONMENT, ...identity },
    );
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw new LaunchError(
      `DATA_DIR: could not make a database in ${cluster}: ${reasonOf(error as Error)}`,
    );
  }
  renameSync(draft, cluster);
}

/** Returns the error among what initdb said; its last line is about removing its files again. */
function reasonOf(error: Error & { readonly stderr?: string }): string {
  const lines = error.stderr?.trim().split("\n") ?? [];
  const named = lines.find((line) => /(?:error|FATAL|PANIC):/.test(line)) ?? lines.at(-1);
  return named?.replace(/^.*?(?:error|FATAL|PANIC): +/, "") ?? error.message;
}
