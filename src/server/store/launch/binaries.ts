import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { canReach, type Account } from "./account.ts";
import { LaunchError } from "./launch-error.ts";
import { copyPackage, findPackage, linkLibraries } from "./platform-package.ts";

/** A PostgreSQL that was proved to run under the account. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: number;
}

/** Returns the PostgreSQL to use: the one npm installed, else one on the machine; throws `LaunchError` without any. */
export function findBinaries(
  holder: string,
  account: Account | null,
  searchPath: string,
): Binaries {
  const found = fromPackage(holder, account) ?? fromMachine(account, searchPath);
  if (found !== null) return found;
  throw new LaunchError(
    `DATABASE_URL: no PostgreSQL for ${process.platform}-${process.arch} came with npm and none is on the PATH; install PostgreSQL 15 or newer, or name a server.`,
  );
}

function fromPackage(holder: string, account: Account | null): Binaries | null {
  const installed = findPackage();
  if (installed === null) return null;
  if (linkLibraries(installed) && canReach(installed.folder, account)) {
    const inPlace = probe(join(installed.folder, "native", "bin"), account);
    if (inPlace !== null) return inPlace;
  }
  return probe(join(copyPackage(installed, holder, account), "native", "bin"), account);
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
    if (found !== null && found.majorVersion >= 15) return found;
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

function probe(folder: string, account: Account | null): Binaries | null {
  const [initdb, postgres] = [join(folder, "initdb"), join(folder, "postgres")];
  const identity = account === null ? {} : { uid: account.uid, gid: account.gid };
  const asked = spawnSync(postgres, ["--version"], { encoding: "utf8", cwd: "/", ...identity });
  const version = /PostgreSQL\) (\d+)/.exec(asked.stdout ?? "")?.[1];
  if (asked.status !== 0 || version === undefined) return null;
  return { initdb, postgres, majorVersion: Number(version) };
}
