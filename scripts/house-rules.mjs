import { posix } from "node:path";

/** Files of a way that stand for nothing on it: widgets and helpers of the page. */
const WIDGETS = /^src\/client\/(ui|lib)\//;

/**
 * Reads the table of the six ways: name, first files in backticks, number of files.
 *
 * `markdown` is the decision that holds them, so that a way grows only together with the sentence that says why.
 */
export function readWays(markdown) {
  return markdown.split("\n").flatMap((line) => {
    const cells = /^\| ([^|]+) \| (`[^|]+`) \| (\d+) \|/.exec(line);
    if (cells === null) return [];
    const [, name, files, length] = cells;
    const entries = files.split(",").map((file) => `src/${file.trim().replaceAll("`", "")}`);
    return [{ name: name.trim(), entries, length: Number(length) }];
  });
}

/** Returns the files that run on a way: its first files and all they import for more than a type, without widgets. */
export function filesOfWay(entries, imports) {
  const reached = new Set(entries);
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const next of imports.get(file) ?? []) {
      if (reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return [...reached].filter((file) => !WIDGETS.test(file));
}

/**
 * Returns files that belong into their user: one file imports them, in the same folder, and no test reads them.
 *
 * `users` maps a file to the files that import it, tests included; `lines` to its lines of code. A file that is loaded
 * later is not listed, nor a component for a file without JSX, nor one that would make its user longer than `maxLines`.
 */
export function filesWithOneUser({ users, lines, isLoadedLater, isListed, maxLines }) {
  return [...users].flatMap(([file, by]) => {
    const [user] = by;
    if (by.length !== 1 || folderOf(user) !== folderOf(file) || /\.test\.tsx?$/.test(user))
      return [];
    if (isLoadedLater(file) || isListed(file)) return [];
    if (file.endsWith(".tsx") && user.endsWith(".ts")) return [];
    const together = (lines.get(file) ?? 0) + (lines.get(user) ?? 0);
    return together > maxLines ? [] : [{ file, user }];
  });
}

const folderOf = (file) => file.slice(0, file.lastIndexOf("/"));

/** Returns what a file's text imports for more than a type, from within the project. */
export function readValueImports(file, text) {
  const imports = text.matchAll(/^import (?!type\b)[^;]*?"(\.[^"]+)";|import\("(\.[^"]+)"\)/gm);
  return [...imports].map(([, fixed, later]) => {
    const [path = ""] = (fixed ?? later).split("?");
    return posix.join(posix.dirname(file), path);
  });
}
