import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fail } from "./fail.mjs";
import { isBuildStale } from "./fingerprint.mjs";
import { root } from "./root.mjs";

if (isBuildStale()) {
  console.log("Building…");
  // A separate process, so that the bundler's memory is freed
  const built = spawnSync(process.execPath, [join(root, "scripts", "build.mjs")], {
    cwd: root,
    stdio: "inherit",
  });
  if (built.status !== 0) fail("The build failed; its messages are above.");
}
