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
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const COMPRESSED = /\.(br|gz)$/;
const COMPRESSIBLE = /\.(js|css|svg|html|json)$/;
/** Minimum size for compression in bytes; below it the headers outweigh the saving. */
const LEAST_BYTES = 1_000;
const OWN = join(".vite", "own-assets.json");

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
  await Promise.all(filesToCompress(next).map(compress));
  for (const name of lastAssets(own, live).filter((kept) => !own.includes(kept))) {
    for (const file of [name, `${name}.br`, `${name}.gz`]) {
      const from = join(live, "assets", file);
      if (existsSync(from)) cpSync(from, join(next, "assets", file), { preserveTimestamps: true });
    }
  }
  mkdirSync(join(next, ".vite"), { recursive: true });
  writeFileSync(join(next, OWN), JSON.stringify(own));
  rmSync(live, { recursive: true, force: true });
  renameSync(next, live);
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
