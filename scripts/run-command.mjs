import { spawnSync } from "node:child_process";
import { delimiter, join } from "node:path";
import { fail } from "./fail.mjs";
import { useRealPrograms } from "./programs.mjs";
import { root } from "./root.mjs";

// `node scripts/run.mjs vitest run src/domain`: an installed package's command, or `node`, on the chosen Node
const [command, ...flags] = process.argv.slice(2);
if (command === undefined) fail("Name the command to run, for example vitest run src/domain.");

useRealPrograms();
const places = [join(root, "node_modules", ".bin"), process.env.PATH];
const done = spawnSync(command, flags, {
  stdio: "inherit",
  env: { ...process.env, PATH: places.join(delimiter) },
});
if (done.error !== undefined) fail(done.error.message);
process.exitCode = done.status ?? 1;
