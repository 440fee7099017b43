import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail } from "./fail.mjs";
import { isBuildStale } from "./fingerprint.mjs";
import { ensureInstalled } from "./install.mjs";
import { root } from "./root.mjs";

ensureInstalled();
if (isBuildStale()) {
  console.log("Building…");
  const built = spawnSync(process.execPath, [join(root, "scripts", "build.mjs")], {
    cwd: root,
    stdio: "inherit",
  });
  if (built.status !== 0) fail("The build failed; its messages are above.");
}

// In this process: signals, exit code and SIGKILL reach the server itself, not a wrapper
process.setSourceMapsEnabled(true);
process.env.NODE_ENV ??= "production";
await import(pathToFileURL(join(root, "dist", "server", "main.js")).href);
