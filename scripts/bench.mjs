import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { ensureBrowser } from "./browser.mjs";
import { fail } from "./fail.mjs";
import { root } from "./root.mjs";

// `npm run bench -- chart` measures one of them, `npm run bench -- browser` those in Chromium. What begins with a dash, and
// all behind it, goes to the measurement: `npm run bench -- size-table --rows push-500 --seconds 20`
const BROWSER = [
  "load",
  "chart",
  "answer",
  "interactions",
  "log",
  "messages",
  "simulate",
  "portfolio",
];
const all = [
  "start",
  "webhook",
  "size",
  "candles",
  "conditions",
  "orders",
  "close",
  "stops",
  "rest",
  "rpc",
  "lists",
  "size-table",
  ...BROWSER,
];
const given = process.argv.slice(2);
const dash = given.findIndex((each) => each.startsWith("-"));
const named = dash < 0 ? given : given.slice(0, dash);
const options = dash < 0 ? [] : given.slice(dash);
const names = named.flatMap((name) => (name === "browser" ? BROWSER : name));
for (const name of names.filter((each) => !all.includes(each))) {
  fail(`There is no bench ${name}; there are ${all.join(", ")}.`);
}
// The table takes an hour and runs only when it is asked for
const benches = all.filter((name) =>
  names.length === 0 ? name !== "size-table" : names.includes(name),
);
if (benches.some((name) => BROWSER.includes(name))) await ensureBrowser(process.env);

// Measures the built product; the benchmark is built separately
if (!runs(join(root, "scripts", "build.mjs"))) process.exit(1);
const source = (name) => join(root, "bench", `${name}.ts`);
await bundle(
  {
    input: Object.fromEntries(
      [...all, "baseline", "chain-node"].map((name) => [name, source(name)]),
    ),
    platform: "node",
    external: /^[^./\0]/,
  },
  { dir: join(root, "dist", "bench"), format: "esm" },
);
for (const page of ["chart-page.ts", "answer-page.ts", "hello-page.tsx", "simulate-thread.ts"]) {
  await bundle(
    {
      input: join(root, "bench", page),
      platform: "browser",
      transform: { define: { "process.env.NODE_ENV": '"production"' } },
    },
    { dir: join(root, "dist", "bench-page"), format: "iife", minify: true },
  );
}
// A benchmark that misses its goal does not stop the others
for (const name of benches) {
  if (!runs(join(root, "dist", "bench", `${name}.js`), options)) process.exitCode = 1;
}

async function bundle(input, output) {
  const made = await rolldown(input);
  await made.write(output);
  await made.close();
}

function runs(file, options = []) {
  return spawnSync(process.execPath, [file, ...options], { stdio: "inherit" }).status === 0;
}
