import { rmSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../test/server-process.ts";
import { newDataDir } from "./bench-database.ts";
import { fixed, median, say } from "./figures.ts";
import { databaseMiB, memoryMiBOf, startProgram } from "./processes.ts";

const PRODUCT = join(import.meta.dirname, "../server/main.js");
const ROUNDS = 5;

const dataDir = newDataDir();
const port = String(await freePort());
const env = { DATA_DIR: dataDir, PORT: port, LOG_LEVEL: "warn" };
const cold = await startProgram(PRODUCT, env);
await cold.stop();
const warm: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  const started = await startProgram(PRODUCT, env);
  warm.push(started.readyMs);
  if (round === ROUNDS - 1) {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const memory = [...memoryMiBOf(started.pid)];
    const each = memory.map(([name, size]) => `${name} ${fixed(size, 0)}`).join(", ");
    const all = memory.reduce((sum, [, size]) => sum + size, 0);
    say(
      `memory at rest, shared pages counted once: ${each}, together ${fixed(all, 0)} MiB; ` +
        `embedded database ${fixed(databaseMiB(dataDir), 0)} MiB`,
    );
  }
  await started.stop();
}
say(`start, empty data folder: ${fixed(cold.readyMs, 0)} ms; later: ${fixed(median(warm), 0)} ms`);
rmSync(dataDir, { recursive: true, force: true });
