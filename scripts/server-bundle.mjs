import { join } from "node:path";
import { root } from "./root.mjs";

const source = (...path) => join(root, "src", "server", ...path);

/** Packages of many small ES modules, which a start of four processes would read one by one. */
const BUNDLED = /^(?:@noble|@solana|jose|kysely|zod)(?:\/|$)/;

/** Entry points of the server bundle: its processes and the operator's commands. */
export const serverBundle = {
  input: {
    main: source("main/main.ts"),
    web: source("main", "web.ts"),
    trading: source("main", "trading.ts"),
    signer: source("main", "signer.ts"),
    simulator: source("main", "simulator.ts"),
    operate: source("main", "operate.ts"),
  },
  platform: "node",
  external: (id) => /^[^./\0]/.test(id) && !BUNDLED.test(id),
  onLog(level, log, report) {
    report(level === "warn" ? "error" : level, log);
  },
};

/** Returns how the bundle is written into a folder. */
export const serverOutput = (dir) => ({
  dir,
  format: "esm",
  sourcemap: true,
  // Stacks name files and lines; the text of the sources would only lie in every process's memory
  sourcemapExcludeSources: true,
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
});
