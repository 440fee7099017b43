import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Source of the venue names; names added there are checked too. */
const LIST = "src/domain/venue-id.ts";

/**
 * Where a venue may be named: its folder, its stand-in on the practice chain, and the lists that put venues together.
 * With a text, only that text.
 */
const ALLOWED = [
  { path: /^src\/venues\// },
  { path: /^src\/domain\/venue-id\.ts$/ },
  { path: /^src\/practice\/programs\/(drift|swap)\// },
  { path: /^src\/practice\/stand-ins\.ts$/ },
  { path: /^src\/server\/main\/(open-networks|outside|signing-rules)\.ts$/ },
  // Names on the wire and in the environment
  { path: /^src\/contract\/trade\.ts$/, text: "/api/trade/get-drift-position" },
  { path: /^src\/server\/(config|environment|main\/main)\.ts$/, text: "JUPITER_API_KEY" },
];

/** Returns the lines of production code under `root` that name a venue, as `path:line: text`. */
export function venueNames(root) {
  const names = namesIn(readFileSync(join(root, LIST), "utf8"));
  return readdirSync(join(root, "src"), { recursive: true })
    .map((name) => `src/${String(name).replaceAll("\\", "/")}`)
    .filter((path) => /\.(ts|tsx|css|html)$/.test(path) && !/\.test\.tsx?$/.test(path))
    .sort()
    .flatMap((path) => linesOf(root, path, names));
}

function namesIn(list) {
  const ids = /VENUE_IDS = \[([^\]]*)\]/.exec(list)?.[1]?.match(/\w+/g) ?? [];
  if (ids.length === 0) throw new Error(`${LIST}: no VENUE_IDS found, nothing to search for`);
  return new RegExp(ids.join("|"), "i");
}

function linesOf(root, path, names) {
  const allowed = ALLOWED.filter((each) => each.path.test(path));
  if (allowed.some(({ text }) => text === undefined)) return [];
  return [path, ...readFileSync(join(root, path), "utf8").split("\n")].flatMap((line, at) => {
    const rest = allowed.reduce((left, { text }) => left.replaceAll(text, ""), line);
    return names.test(rest) ? [`${path}:${at}: ${line.trim()}`] : [];
  });
}
