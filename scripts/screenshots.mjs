import { spawnSync } from "node:child_process";
import { ensureBrowser } from "./browser.mjs";
import { bin, root } from "./root.mjs";

// Every screen and state in both themes and three widths, into screenshots/, which git ignores
await ensureBrowser(process.env);
await import("./ensure-built.mjs");
const done = spawnSync(
  bin("playwright"),
  ["test", "accessibility.spec.ts", "--workers=1", "--reporter=list"],
  { cwd: root, stdio: "inherit", env: { ...process.env, SCREENSHOTS: "1" } },
);
process.exitCode = done.status ?? 1;
