import { spawnSync } from "node:child_process";
import { ensureBrowser } from "./browser.mjs";
import { useRealPrograms } from "./programs.mjs";
import { bin, root } from "./root.mjs";

// `npm run test:browser -- journey`: the files whose name has it, on what is built from the sources of now
useRealPrograms();
await import("./ensure-built.mjs");
await ensureBrowser(process.env);
const { status } = spawnSync(bin("playwright"), ["test", ...process.argv.slice(2)], {
  cwd: root,
  stdio: "inherit",
});
process.exitCode = status ?? 1;
