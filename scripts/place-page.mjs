import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const COMPRESSED = /\.(br|gz)$/;
const COMPRESSIBLE = /\.(js|css|svg|html|json|txt)$/;
/** Minimum size for compression in bytes; below it the headers outweigh the saving. */
const LEAST_BYTES = 1_000;
const OWN = join(".vite", "own-assets.json");
/** Digests of all files that are served, which the server compares them with. */
const DIGESTS = join(".vite", "digests.json");
/** Line of the service worker that the build fills in. */
const NO_DIGESTS = "const DIGESTS = {};";

const encodings = [
  [
    ".br",
    (bytes) =>
      promisify(brotliCompress)(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
      }),
  ],
  [".gz", (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION })],
];

/**
 * Puts a freshly built page in the place of the one that is served, compressed, together with the assets of the build
 * before: pages that are open since then still ask for those.
 */
export async function placePage(next, live) {
  const own = assetsIn(next);
  const kept = lastAssets(own, live).filter((name) => !own.includes(name));
  const isKept = keptFiles(live);
  const files = kept
    .flatMap((name) => ENDINGS.map((ending) => `assets/${name}${ending}`))
    .filter((file) => existsSync(join(live, file)) && isKept(file));
  const assets = [
    ...own.map((name) => [`/assets/${name}`, digestOf(join(next, "assets", name))]),
    ...files
      .filter((file) => !COMPRESSED.test(file))
      .map((file) => [`/${file}`, digestOf(join(live, file))]),
  ];
  fillServiceWorker(join(next, "service-worker.js"), Object.fromEntries(assets));
  await Promise.all(filesToCompress(next).map(compress));
  for (const file of files)
    cpSync(join(live, file), join(next, file), { preserveTimestamps: true });
  mkdirSync(join(next, ".vite"), { recursive: true });
  writeFileSync(join(next, OWN), JSON.stringify(own));
  writeDigests(next);
  rmSync(live, { recursive: true, force: true });
  renameSync(next, live);
}

const ENDINGS = ["", ".br", ".gz"];

const digestOf = (file) => createHash("sha256").update(readFileSync(file)).digest("base64");

/** Writes the digests of all files of a page that are served. */
export function writeDigests(client) {
  mkdirSync(join(client, ".vite"), { recursive: true });
  const digests = readdirSync(client, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [relative(client, file).split(sep).join("/"), digestOf(file)])
    .filter(([path]) => !path.startsWith(".vite/"));
  writeFileSync(join(client, DIGESTS), JSON.stringify(Object.fromEntries(digests)));
}

/** Returns which files of the build before are still as they were built; of a build without digests all. */
function keptFiles(live) {
  const record = join(live, DIGESTS);
  if (!existsSync(record)) return () => true;
  const digests = JSON.parse(readFileSync(record, "utf8"));
  return (file) => digests[file] === digestOf(join(live, file));
}

function fillServiceWorker(file, digests) {
  if (!existsSync(file)) return;
  const text = readFileSync(file, "utf8");
  if (!text.includes(NO_DIGESTS)) throw new Error("The service worker has no place for digests.");
  writeFileSync(file, text.replace(NO_DIGESTS, `const DIGESTS = ${JSON.stringify(digests)};`));
}

/** Returns the assets to keep: the previous build's, or for an identical build those it had kept. */
function lastAssets(own, live) {
  const record = join(live, OWN);
  if (!existsSync(record)) return [];
  const before = JSON.parse(readFileSync(record, "utf8"));
  const isSame = before.length === own.length && before.every((name) => own.includes(name));
  return isSame ? assetsIn(live) : before;
}

function assetsIn(client) {
  const folder = join(client, "assets");
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => !COMPRESSED.test(name));
}

function filesToCompress(client) {
  return readdirSync(client, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && COMPRESSIBLE.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes(`${join(client, ".vite")}`));
}

async function compress(path) {
  const bytes = await readFile(path);
  if (bytes.length < LEAST_BYTES) return;
  for (const [ending, encode] of encodings) {
    const smaller = await encode(bytes);
    if (smaller.length < bytes.length) await writeFile(path + ending, smaller);
  }
}
