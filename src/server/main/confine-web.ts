import { existsSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { TradingState } from "../../domain/trading-state.ts";
import { WEB_FILES } from "../config.ts";

/** Message to the web process with what the switch files in the data folder say. */
export interface FilesMessage {
  readonly switchFiles: TradingState;
}

export const isFilesMessage = (message: unknown): message is FilesMessage =>
  typeof message === "object" && message !== null && "switchFiles" in message;

/** Options of NODE_OPTIONS that load files of the operator's own, from wherever they are. */
const LOADS_FILES = /(?:^|\s)(?:--import|--require|-r|--loader|--experimental-loader)\b/;

/** A package of the process that answers the internet, beside which the others are. */
const PACKAGE = "fastify";

/**
 * Returns Node's options for the process that answers the internet: it may read the program and its own secrets, no
 * other file, and may write none nor start programs. None where this Node has no such options.
 */
export function confineWeb(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = process.allowedNodeEnvironmentFlags;
  if (!known.has("--permission") || LOADS_FILES.test(env["NODE_OPTIONS"] ?? "")) return [];
  const here = dirname(fileURLToPath(import.meta.url));
  const folders = createRequire(import.meta.url).resolve.paths(PACKAGE) ?? [];
  // A package may be a link: what it needs is then beside the file it leads to
  const packages = folders.flatMap((folder) => {
    const path = join(folder, PACKAGE);
    return existsSync(path) ? [folder, dirname(realpathSync(path))] : [];
  });
  const dataDir = resolve(env["DATA_DIR"] ?? "./data");
  const readable = [
    join(here, ".."),
    ...new Set(packages),
    ...WEB_FILES.map((name) => join(dataDir, name)),
  ];
  return [
    "--permission",
    // It opens files past the permissions
    ...(known.has("--no-experimental-sqlite") ? ["--no-experimental-sqlite"] : []),
    // Node 25 and later count the network too, and say that this is new
    ...(known.has("--allow-net") ? ["--allow-net", "--disable-warning=ExperimentalWarning"] : []),
    ...readable.map((path) => `--allow-fs-read=${path}`),
  ];
}
