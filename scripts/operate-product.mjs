import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ensureInstalled } from "./install.mjs";
import { root } from "./root.mjs";

ensureInstalled();
await import("./ensure-built.mjs");

process.setSourceMapsEnabled(true);
process.env.NODE_ENV ??= "production";
await import(pathToFileURL(join(root, "dist", "server", "operate.js")).href);
