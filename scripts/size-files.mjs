import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { countCodeLines } from "./count-code-lines.mjs";
import { root } from "./root.mjs";

const WARN_LINES = 300;
const FAIL_LINES = 400;
const FOLDERS = ["src", "test", "e2e", "bench", "scripts"];
/** Lists and recorded data, exempt because their size is not complexity. */
const LISTS = [
  /\.test\.tsx?$/,
  /-conformance\.ts$/,
  /^src\/contract\/errors\.ts$/,
  /\/migrations\//,
  /\/recorded\//,
];

const sized = FOLDERS.flatMap(sourceFiles)
  .filter((path) => !LISTS.some((list) => list.test(path)))
  .map((path) => ({ path, lines: countCodeLines(readFileSync(join(root, path), "utf8")) }))
  .sort((a, b) => b.lines - a.lines);

for (const { path, lines } of sized.filter((file) => file.lines > WARN_LINES)) {
  const verdict = lines > FAIL_LINES ? "too long" : "getting long";
  console.log(
    `${path}: ${lines} lines of code, ${verdict} (${WARN_LINES} warn, ${FAIL_LINES} fail)`,
  );
}
console.log(`${sized.length} files, median ${sized[Math.floor(sized.length / 2)]?.lines} lines.`);
process.exitCode = sized.some((file) => file.lines > FAIL_LINES) ? 1 : 0;

function sourceFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.includes("node_modules/"))
    .map((name) => `${folder}/${String(name)}`);
}
