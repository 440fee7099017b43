import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled } from "./install.mjs";
import { root } from "./root.mjs";

ensureInstalled();
await import("./ensure-built.mjs");

// In this process: signals, exit code and SIGKILL reach the one that starts and ends the others, not a wrapper
process.setSourceMapsEnabled(true);
process.env.NODE_ENV ??= "production";
await import(pathToFileURL(join(root, "dist", "server", "main.js")).href);
