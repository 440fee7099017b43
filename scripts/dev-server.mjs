import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Creates a restarter of a program, one instance at a time; each reports when it is ready. */
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
      // The start error was printed; the next change retries
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
