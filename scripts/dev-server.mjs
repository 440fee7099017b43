import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Starts a program again and again, one at a time; each is ready when it says so. */
export function createRestarter(file, env) {
  let child = null;
  let last = Promise.resolve();
  const after = (act) => (last = last.then(act, act));
  return {
    isStarted: () => child !== null && child.exitCode === null,
    restart: () =>
      after(async () => {
        await stop();
        await start();
      }),
    stop: () => after(stop),
    /** Resolves when no start or stop is under way. */
    settled: () => last,
  };

  async function start() {
    const started = spawn(process.execPath, ["--enable-source-maps", file], {
      env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = started;
    await new Promise((resolve) => {
      createInterface({ input: started.stdout }).on("line", (line) => {
        if (line.includes("ready at")) resolve();
        else console.log(line);
      });
      // What kept it from starting stands above; the next change tries again
      started.on("exit", resolve);
    });
  }

  async function stop() {
    if (child === null || child.exitCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
  }
}
