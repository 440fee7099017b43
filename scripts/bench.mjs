import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./root.mjs";

// The built product is what is measured; the bench itself is built beside it
const built = spawnSync(process.execPath, [join(root, "scripts", "build.mjs")], {
  stdio: "inherit",
});
if (built.status !== 0) process.exit(built.status ?? 1);
const bundle = await rolldown({
  input: { main: join(root, "bench", "main.ts"), baseline: join(root, "bench", "baseline.ts") },
  platform: "node",
  external: /^[^./\0]/,
});
await bundle.write({ dir: join(root, "dist", "bench"), format: "esm" });
await bundle.close();
const run = spawnSync(process.execPath, [join(root, "dist", "bench", "main.js")], {
  stdio: "inherit",
});
process.exit(run.status ?? 1);
