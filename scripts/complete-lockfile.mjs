// A registry mirror may lack a package's builds for other platforms. npm then leaves them out of the lock and from there
// on `npm ci` refuses it, everywhere. Run this after `npm install`: it adds them by the exact version their parent names.
// With `--digests`, where the registry does carry them, it asks for the digests that are missing and adds those, too.
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";
import { npmCommand } from "./runtime.mjs";

const SYSTEMS = ["darwin", "linux", "win32", "android", "freebsd", "openharmony"];
const CPUS = ["arm64", "x64", "ia32", "arm", "riscv64", "ppc64", "s390x", "wasm32"];

const path = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(path, "utf8"));
const { packages } = lock;

for (const [parent, entry] of Object.entries(packages)) {
  if (parent === "") continue;
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const nearest = nearestInstalled(parent, name);
    // Only ordinary packages, which every mirror has, are named by range
    if (!/^\d/.test(version) || packages[nearest]?.version === version) continue;
    const place = nearest === undefined ? "" : `${parent}/`;
    packages[`${place}node_modules/${name}`] = {
      version,
      ...platformOf(name),
      ...(entry.dev ? { dev: true } : {}),
      optional: true,
    };
  }
}
if (process.argv.includes("--digests")) addDigests();
const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, "en"));
writeFileSync(
  path,
  `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`,
);

function addDigests() {
  // What lies in another one's archive is held by its digest
  const open = Object.entries(packages).filter(
    ([path, { inBundle, integrity }]) => path !== "" && !inBundle && !integrity,
  );
  const [npm, ...before] = npmCommand(process.env);
  for (const [path, entry] of open) {
    const spec = `${path.slice(path.lastIndexOf("node_modules/") + 13)}@${entry.version}`;
    const asked = spawnSync(npm, [...before, "view", spec, "dist.integrity"], { encoding: "utf8" });
    const digest = asked.stdout.trim();
    if (digest.startsWith("sha512-")) entry.integrity = digest;
    else console.log(`${spec}: this registry knows no digest.`);
  }
}

function nearestInstalled(parent, name) {
  for (let at = parent; ; at = at.slice(0, Math.max(0, at.lastIndexOf("/node_modules/")))) {
    const key = at === "" ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (packages[key] !== undefined) return key;
    if (at === "") return undefined;
  }
}

function platformOf(name) {
  const words = name.split("/").at(-1).split("-");
  const os = SYSTEMS.find((system) => words.includes(system));
  const cpu = CPUS.find((known) => words.includes(known));
  if (cpu === undefined) throw new Error(`No processor in the name ${name}.`);
  const isMusl = words.some((word) => word.startsWith("musl"));
  const isGlibc = words.some((word) => word.startsWith("gnu"));
  return {
    cpu: [cpu],
    ...(os === undefined ? {} : { os: [os] }),
    ...(os === "linux" && (isMusl || isGlibc) ? { libc: [isMusl ? "musl" : "glibc"] } : {}),
  };
}
