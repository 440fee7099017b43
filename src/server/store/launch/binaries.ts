import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { canReach, type Account } from "./account.ts";
import { LaunchError } from "./launch-error.ts";
import { copyPackage, findPackage, linkLibraries } from "./platform-package.ts";

/** A PostgreSQL installation verified to run under the account. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: number;
}

/**
 * Returns the PostgreSQL to use: the one npm installed, else one on the machine; throws `LaunchError` when there is
 * none.
 */
export function findBinaries(
  holder: string,
  account: Account | null,
  searchPath: string,
): Binaries {
  const packaged = fromPackage(holder, account);
  if (typeof packaged !== "string") return packaged;
  const found = fromMachine(account, searchPath);
  if (found !== null) return found;
  throw new LaunchError(
    `DATABASE_URL: ${packaged} and none is on the PATH; install PostgreSQL 15 or newer, or name a server.`,
  );
}

/** Returns the PostgreSQL that npm installed, or the reason why it is unusable. */
function fromPackage(holder: string, account: Account | null): Binaries | string {
  const installed = findPackage();
  if (installed === null) {
    return `no PostgreSQL for ${process.platform}-${process.arch} came with npm`;
  }
  if (linkLibraries(installed) && canReach(installed.folder, account)) {
    const inPlace = probe(join(installed.folder, "native", "bin"), account);
    if (typeof inPlace !== "string") return inPlace;
  }
  const copied = probe(join(copyPackage(installed, holder, account), "native", "bin"), account);
  if (typeof copied !== "string") return copied;
  return `the PostgreSQL that came with npm does not run here (${copied})`;
}

function fromMachine(account: Account | null, searchPath: string): Binaries | null {
  const folders = [
    ...searchPath.split(delimiter).filter((folder) => folder !== ""),
    ...versionedFolders("/usr/lib/postgresql", (version) => `${version}/bin`),
    ...versionedFolders("/opt/homebrew/opt", (name) => `${name}/bin`),
    ...versionedFolders("/usr/local/opt", (name) => `${name}/bin`),
  ];
  for (const folder of folders) {
    const found = probe(folder, account);
    if (typeof found !== "string" && found.majorVersion >= 15) return found;
  }
  return null;
}

function versionedFolders(parent: string, binOf: (name: string) => string): string[] {
  try {
    return readdirSync(parent)
      .filter((name) => /^(postgresql@?)?\d*$/.test(name))
      .toSorted((a, b) => b.localeCompare(a, "en", { numeric: true }))
      .map((name) => join(parent, binOf(name)));
  } catch {
    return [];
  }
}

/** Returns the programs of a folder after one ran successfully, or the error text. */
function probe(folder: string, account: Account | null): Binaries | string {
  const [initdb, postgres] = [join(folder, "initdb"), join(folder, "postgres")];
  const identity = account === null ? {} : { uid: account.uid, gid: account.gid };
  const asked = spawnSync(postgres, ["--version"], { encoding: "utf8", cwd: "/", ...identity });
  const version = /PostgreSQL\) (\d+)/.exec(asked.stdout ?? "")?.[1];
  if (asked.status === 0 && version !== undefined) {
    return { initdb, postgres, majorVersion: Number(version) };
  }
  return asked.error?.message ?? asked.stderr?.trim().split("\n", 1)[0] ?? "it said nothing";
}
