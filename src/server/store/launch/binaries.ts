import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { canReach, type Account } from "./account.ts";
import { LaunchError } from "./launch-error.ts";
import { copyPackage, findPackage, linkLibraries } from "./platform-package.ts";

/** A PostgreSQL installation verified to run under the account. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: number;
}

/** Returns the PostgreSQL that npm installed; throws `LaunchError` when there is none or it does not run here. */
export function findBinaries(holder: string, account: Account | null): Binaries {
  const installed = findPackage();
  if (installed === null) {
    throw unusable(`no PostgreSQL for ${process.platform}-${process.arch} came with npm`);
  }
  if (linkLibraries(installed) && canReach(installed.folder, account)) {
    const inPlace = probe(join(installed.folder, "native", "bin"), account);
    if (typeof inPlace !== "string") return inPlace;
  }
  const copied = probe(join(copyPackage(installed, holder, account), "native", "bin"), account);
  if (typeof copied !== "string") return copied;
  throw unusable(`the PostgreSQL that came with npm does not run here (${copied})`);
}

const unusable = (reason: string): LaunchError =>
  new LaunchError(`DATABASE_URL: ${reason}; name a server of PostgreSQL 15 or newer.`);

/** Returns the programs of a folder after one ran successfully, or the error text. */
function probe(folder: string, account: Account | null): Binaries | string {
  const [initdb, postgres] = [join(folder, "initdb"), join(folder, "postgres")];
  const identity = account === null ? {} : { uid: account.uid, gid: account.gid };
  const asked = spawnSync(postgres, ["--version"], { encoding: "utf8", cwd: "/", ...identity });
  // A copy of the programs would not start either
  if ((asked.error as NodeJS.ErrnoException | undefined)?.code === "EMFILE") throw asked.error;
  const version = /PostgreSQL\) (\d+)/.exec(asked.stdout ?? "")?.[1];
  if (asked.status === 0 && version !== undefined) {
    return { initdb, postgres, majorVersion: Number(version) };
  }
  return asked.error?.message ?? asked.stderr?.trim().split("\n", 1)[0] ?? "it said nothing";
}
