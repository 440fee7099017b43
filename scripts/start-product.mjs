import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "./root.mjs";

await import("./ensure-built.mjs");

// Runs in this process, so that signals and exit code reach the launcher and not a wrapper
process.setSourceMapsEnabled(true);
process.env.NODE_ENV ??= "production";
await import(pathToFileURL(join(root, "dist", "server", "main.js")).href);
