import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { fail } from "./fail.mjs";
import { root } from "./root.mjs";

const PROGRAMS = { SQUADS_SO: "squads_v4.so", DRIFT_SO: "drift_v2_2_84.so" };

/** The folder beside the checkout where the real programs lie packed, with a README that has their digests. */
export const packedPrograms = join(root, "..", "shared", "programs");

/**
 * Unpacks the real programs that lie beside the checkout and names them in this process's SQUADS_SO and DRIFT_SO.
 *
 * A variable that is set stays. Ends with one line where the folder is there and a file of it is missing or is not
 * the one with the digest. Returns a line about each program.
 */
export function useRealPrograms() {
  const unpacked = join(root, ".cache", "programs");
  return Object.entries(PROGRAMS).map(([variable, name]) => {
    if (!process.env[variable] && existsSync(packedPrograms)) {
      process.env[variable] = unpack(name, unpacked);
    }
    return `${variable}: ${process.env[variable] || "no file, its cases are skipped"}`;
  });
}

function unpack(name, folder) {
  const file = join(folder, name);
  const wanted = digestInReadme(name);
  const has = (bytes) => createHash("sha256").update(bytes).digest("hex") === wanted;
  if (existsSync(file) && has(readFileSync(file))) return file;
  const packed = join(packedPrograms, `${name}.gz`);
  if (!existsSync(packed))
    fail(`${packed} is missing: nothing is tested without the real program.`);
  const bytes = gunzipSync(readFileSync(packed));
  if (!has(bytes)) fail(`${packed} does not hold the program with the digest in the README there.`);
  mkdirSync(folder, { recursive: true });
  // Other test runs of this checkout may do the same now
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, bytes);
  renameSync(draft, file);
  return file;
}

function digestInReadme(name) {
  const lines = readFileSync(join(packedPrograms, "README.md"), "utf8").split("\n");
  return lines.find((line) => line.includes(`\`${name}.gz\``))?.match(/\b[0-9a-f]{64}\b/)?.[0];
}
