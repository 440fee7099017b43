import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { root } from "./root.mjs";

const client = join(root, "dist", "client");
const manifestFile = join(client, ".vite", "manifest.json");
/** Budgets of compressed kilobytes, as the browser downloads them. */
const INITIAL = { warn: 139, fail: 140 };
const CHUNK = 60;
const APPROVE = 90;
const STYLE = 15;

if (!existsSync(manifestFile)) {
  console.log("No page was built, nothing to weigh.");
} else {
  process.exitCode = weigh(JSON.parse(readFileSync(manifestFile, "utf8"))) ? 0 : 1;
}

function weigh(manifest) {
  const keys = Object.keys(manifest);
  const initial = reach(keys.filter((key) => manifest[key].isEntry === true));
  const custody = keys.filter((key) => /(^|\/)custody\//.test(key));
  if (custody.length === 0) throw new Error("The page has no part that approves: is it weighed?");
  const approving = reach(custody);
  const approve = new Set([...approving].filter((key) => !initial.has(key)));
  const others = keys.filter((key) => isScript(key) && !initial.has(key) && !approve.has(key));
  const styles = new Set(keys.flatMap((key) => [...(manifest[key].css ?? []), manifest[key].file]));
  const rows = [
    ["first load", sum([...initial].map(fileOf)), INITIAL.fail, INITIAL.warn],
    ["approve", sum([...approve].map(fileOf)), APPROVE],
    ...others.map((key) => [manifest[key].file, sum([fileOf(key)]), CHUNK]),
    ["styles", sum([...styles].filter((file) => file.endsWith(".css"))), STYLE],
  ];
  for (const [name, size, limit, warn = limit] of rows) {
    const verdict = size > limit ? "TOO BIG" : size > warn ? "getting big" : "ok";
    console.log(`${name}: ${size.toFixed(1)} of ${limit} kB gzip, ${verdict}`);
  }
  if (rows[0][1] > INITIAL.warn) {
    const parts = [...initial].map((key) => [fileOf(key), sum([fileOf(key)])]);
    console.log("The first load consists of:");
    for (const [file, size] of parts.sort(([, a], [, b]) => b - a)) {
      console.log(`  ${file} ${size.toFixed(1)} kB`);
    }
  }
  return rows.every(([, size, limit]) => size <= limit);

  function reach(start) {
    const seen = new Set(start);
    for (const key of seen) for (const next of manifest[key].imports ?? []) seen.add(next);
    return new Set([...seen].filter(isScript));
  }

  function isScript(key) {
    return manifest[key].file.endsWith(".js");
  }

  function fileOf(key) {
    return manifest[key].file;
  }
}

function sum(files) {
  return files
    .map((file) => gzipSync(readFileSync(join(client, file)), { level: 9 }).length / 1000)
    .reduce((total, size) => total + size, 0);
}
