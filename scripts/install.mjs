import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fail } from "./fail.mjs";
import { root } from "./root.mjs";
import { npmCommand } from "./runtime.mjs";

const lockfile = join(root, "package-lock.json");
const installedLockfile = join(root, "node_modules", ".package-lock.json");
const stamp = join(root, "node_modules", ".wheelhouse-installed");

/** Installs the locked packages when they are missing or not the locked ones. */
export function ensureInstalled() {
  const wanted = createHash("sha256").update(readFileSync(lockfile)).digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return;
  if (!hasLockedVersions()) {
    console.log("Installing packages…");
    // A lock that npm ci refuses, say after a hand-made change, still pins what the second command installs
    if (!npm("ci") && !npm("install", "--no-save")) {
      fail("Packages could not be installed: npm failed (is the internet reachable?).");
    }
  }
  writeFileSync(stamp, wanted);
}

function npm(...command) {
  const flags = [...command, "--no-audit", "--no-fund", "--loglevel=error"];
  const [file, ...before] = npmCommand(process.env);
  return spawnSync(file, [...before, ...flags], { cwd: root, stdio: "inherit" }).status === 0;
}

function hasLockedVersions() {
  if (!existsSync(installedLockfile)) return false;
  const locked = JSON.parse(readFileSync(lockfile, "utf8")).packages;
  const installed = JSON.parse(readFileSync(installedLockfile, "utf8")).packages;
  return Object.entries(locked).every(([path, entry]) => {
    // Packages for other platforms are locked but never installed
    if (path === "" || (entry.optional === true && installed[path] === undefined)) return true;
    return installed[path]?.version === entry.version;
  });
}
