import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fail } from "./fail.mjs";
import { root } from "./root.mjs";
import { npmCommand } from "./runtime.mjs";

/** Installs a folder's locked packages when some are missing; ends with one line when it cannot. */
export function ensureInstalled(folder = root) {
  const [file, ...before] = npmCommand(process.env);
  // An npm found in the path runs on the first Node there
  const env = {
    ...process.env,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  };
  const problem = install(folder, (...command) => {
    const { status } = spawnSync(file, [...before, ...command], {
      cwd: folder,
      env,
      stdio: "inherit",
    });
    return status === 0;
  });
  if (problem !== null) fail(problem);
}

/**
 * Does so with any npm; returns what went wrong or null. Only ever `npm ci`: what it refuses, a lock that
 * does not fit its manifest or a package that does not fit its digest, `npm install` would put in place.
 */
export function install(folder, npm) {
  const lockfile = join(folder, "package-lock.json");
  const stamp = join(folder, "node_modules", ".wheelhouse-installed");
  // What an npm on an older Node put in place was called whole, too
  const digest = createHash("sha256").update("fits this machine").update(readFileSync(lockfile));
  const wanted = digest.digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return null;
  if (missingPackages(folder, lockfile).length > 0) {
    console.log("Installing packages…");
    // Whatever npm was told to leave out elsewhere: without the build's packages nothing can be built
    const whole = ["--include=dev", "--include=optional"];
    if (!npm("ci", ...whole, "--no-audit", "--no-fund", "--loglevel=error")) {
      return "Packages could not be installed: npm refused or could not reach them; its message is above. Where package.json and package-lock.json do not agree, take both from one commit.";
    }
    const missing = missingPackages(folder, lockfile);
    if (missing.length > 0) {
      return `Packages could not be installed: npm left out ${missing.join(", ")}, which this machine needs. Does the registry have them?`;
    }
  }
  writeFileSync(stamp, wanted);
  return null;
}

/** Returns the names of locked packages that are not there in the locked version, though this machine needs them. */
function missingPackages(folder, lockfile) {
  const installedLockfile = join(folder, "node_modules", ".package-lock.json");
  const locked = Object.entries(JSON.parse(readFileSync(lockfile, "utf8")).packages);
  const installed = existsSync(installedLockfile)
    ? JSON.parse(readFileSync(installedLockfile, "utf8")).packages
    : {};
  return locked
    .filter(([path, entry]) => {
      if (path === "" || installed[path]?.version === entry.version) return false;
      return entry.optional !== true || installed[path] !== undefined || isForThisMachine(entry);
    })
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
}

/** Returns whether an optional package is a build for this machine; without a named system it is part of another one. */
function isForThisMachine({ os, cpu, libc }) {
  if (os === undefined || !allows(os, process.platform) || !allows(cpu, process.arch)) return false;
  const isGlibc = process.report.getReport().header.glibcVersionRuntime !== undefined;
  return process.platform !== "linux" || allows(libc, isGlibc ? "glibc" : "musl");
}

const allows = (list, own) =>
  list === undefined ||
  list.includes(own) ||
  list.every((each) => each.startsWith("!") && each !== `!${own}`);
