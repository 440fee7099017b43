import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "./fail.mjs";
import { root } from "./root.mjs";
import { npmCommand } from "./runtime.mjs";

/** Installs the locked packages when they are missing or not the locked ones; ends with one line when it cannot. */
export function ensureInstalled() {
  const problem = install(root, (...command) => {
    const [file, ...before] = npmCommand(process.env);
    return spawnSync(file, [...before, ...command], { cwd: root, stdio: "inherit" }).status === 0;
  });
  if (problem !== null) fail(problem);
}

/**
 * Does so in any folder with any npm; returns what went wrong or null. Only ever `npm ci`: what it refuses, a lock that
 * does not fit its manifest or a package that does not fit its digest, `npm install` would put in place.
 */
export function install(folder, npm) {
  const lockfile = join(folder, "package-lock.json");
  const stamp = join(folder, "node_modules", ".wheelhouse-installed");
  const wanted = createHash("sha256").update(readFileSync(lockfile)).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return null;
  if (!hasLockedVersions(folder, lockfile)) {
    console.log("Installing packages…");
    if (!npm("ci", "--no-audit", "--no-fund", "--loglevel=error")) {
      return "Packages could not be installed: npm refused or could not reach them; its message is above. Where package.json and package-lock.json do not agree, take both from one commit.";
    }
  }
  writeFileSync(stamp, wanted);
  return null;
}

function hasLockedVersions(folder, lockfile) {
  const installedLockfile = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(installedLockfile)) return false;
  const locked = JSON.parse(readFileSync(lockfile, "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedLockfile, "utf8")).packages;
  return Object.entries(locked).every(([path, entry]) => {
    // Packages for other platforms are locked but never installed
    if (path === "" || (entry.optional === true && installed[path] === undefined)) return true;
    return installed[path]?.version === entry.version;
  });
}
