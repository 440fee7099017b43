import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

const INPUTS = [
  "docs",
  "package-lock.json",
  "scripts/build.mjs",
  "scripts/place-page.mjs",
  "scripts/server-bundle.mjs",
  "src",
  "tsconfig.base.json",
  "tsconfig.client.json",
  "vite.config.ts",
];

/** File with the fingerprint of the sources of a finished build. */
export const fingerprintFile = join(root, "dist", "fingerprint");

/** Returns a digest of all build inputs' contents, because a checkout changes their dates. */
export function fingerprint() {
  const digest = createHash("sha256").update(process.versions.node.split(".")[0]);
  for (const input of INPUTS) add(digest, input);
  return digest.digest("hex");
}

/** Returns whether the build is missing or was made from other sources. */
export function isBuildStale() {
  return !existsSync(fingerprintFile) || readFileSync(fingerprintFile, "utf8") !== fingerprint();
}

function add(digest, path) {
  const absolute = join(root, path);
  if (!existsSync(absolute)) return;
  const entries = readdirOrNull(absolute);
  if (entries === null) digest.update(`${path}\0`).update(readFileSync(absolute));
  else for (const entry of entries) add(digest, `${path}/${entry}`);
}

function readdirOrNull(path) {
  try {
    return readdirSync(path)
      .filter((name) => !/\.test\.tsx?$/.test(name))
      .sort();
  } catch {
    return null;
  }
}
