import { rmSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../test/server-process.ts";
import { newDataDir } from "./bench-database.ts";
import { startProgram } from "./processes.ts";

const PRODUCT = join(import.meta.dirname, "../server/main.js");

/** Runs a measurement against the built product in a folder of its own. */
export async function withProduct(
  env: Readonly<Record<string, string>>,
  measure: (url: string) => Promise<void>,
): Promise<void> {
  const dataDir = newDataDir();
  const port = String(await freePort());
  const product = await startProgram(PRODUCT, {
    DATA_DIR: dataDir,
    PORT: port,
    LOG_LEVEL: "warn",
    ...env,
  });
  try {
    await measure(`http://127.0.0.1:${port}`);
  } finally {
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
