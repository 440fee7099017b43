// Only Node 14 syntax: this file runs on the machine's own Node
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fail } from "./fail.mjs";
import { root } from "./root.mjs";

// It runs what is built: to install or build beside a running server would take its packages away
const file = join(root, "dist", "server", "operate.js");
if (!existsSync(file)) {
  fail(
    "Nothing is built here: npm start or npm run build does. A file HALT in DATA_DIR stops trading without it.",
  );
}
void import("./with-node.mjs").then(({ withNode }) =>
  withNode(() => import(pathToFileURL(file).href)),
);
