import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root.mjs";

await import("./ensure-built.mjs");
const { rolldown } = await import("rolldown");

const folder = join(root, ".cache", "prove");
mkdirSync(folder, { recursive: true });
const bundle = await rolldown({
  input: join(root, "test", "prove", "prove.ts"),
  platform: "node",
  external: /^[^./\0]/,
});
await bundle.write({ dir: folder, format: "esm" });
await bundle.close();
const { prove } = await import(pathToFileURL(join(folder, "prove.js")).href);
process.exit(await prove(process.argv.slice(2), join(root, "dist", "server", "main.js")));
