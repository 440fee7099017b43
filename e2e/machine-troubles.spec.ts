import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { expect, test } from "@playwright/test";
import { launchPostgres } from "../src/server/store/launch/launch-postgres.ts";
import { freePort, makeDataDir, MAIN } from "./product.ts";

test("a server that starts before its database waits for it, and says so in one line", async () => {
  const [databaseDir, dataDir] = [makeDataDir(), makeDataDir()];
  chmodSync(databaseDir.path, 0o711);
  const launch = () => launchPostgres({ dataDir: databaseDir.path, searchPath: "" });
  const made = await launch();
  await made.stop();
  const port = await freePort();
  const server = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      DATA_DIR: dataDir.path,
      PORT: String(port),
      LOG_LEVEL: "error",
      DATABASE_URL: made.url,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  let said = "";
  server.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
  const waiting = "Waiting for the database, up to 60 seconds: DATABASE_URL (ENOENT)\n";
  await expect.poll(() => said).toBe(waiting);
  const postgres = await launch();
  await expect.poll(() => said).toBe(`${waiting}Wheelhouse is ready at http://127.0.0.1:${port}\n`);
  server.kill("SIGTERM");
  expect(await ended).toEqual([0, null]);
  await postgres.stop();
  databaseDir.remove();
  dataDir.remove();
});
