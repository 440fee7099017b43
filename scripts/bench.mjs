import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./root.mjs";

// `npm run bench -- chart` measures one of them
const names = process.argv.slice(2);
const all = ["start", "webhook", "orders", "chart", "answer"];
const benches = all.filter((name) => names.length === 0 || names.includes(name));

// The built product is what is measured; the bench itself is built beside it
run(join(root, "scripts", "build.mjs"));
const source = (name) => join(root, "bench", `${name}.ts`);
await bundle(
  {
    input: Object.fromEntries([...all, "baseline"].map((name) => [name, source(name)])),
    platform: "node",
    external: /^[^./\0]/,
  },
  { dir: join(root, "dist", "bench"), format: "esm" },
);
for (const page of ["chart-page", "answer-page"]) {
  await bundle(
    { input: { [page]: source(page) }, platform: "browser" },
    { dir: join(root, "dist", "bench-page"), format: "iife", minify: true },
  );
}
for (const name of benches) run(join(root, "dist", "bench", `${name}.js`));

async function bundle(input, output) {
  const made = await rolldown(input);
  await made.write(output);
  await made.close();
}

function run(file) {
  const { status } = spawnSync(process.execPath, [file], { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
