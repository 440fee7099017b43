import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { root } from "./root.mjs";

// The oldest Node that runs the product does not read TypeScript
const made = await rolldown({
  input: join(root, "test", "seeded-world", "simulate.ts"),
  platform: "node",
  external: /^[^./\0]/,
});
await made.write({ dir: join(root, "dist", "simulate"), format: "esm" });
await made.close();
const file = join(root, "dist", "simulate", "simulate.js");
process.exitCode =
  spawnSync(process.execPath, [file, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1;
