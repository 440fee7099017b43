// Only Node 14 syntax: this file runs on the machine's own Node
import { spawn } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { fail } from "./fail.mjs";
import {
  ensureRuntime,
  isNodeSupported,
  OLDEST_NODE,
  PINNED_NODE,
  runtimeFolder,
} from "./runtime.mjs";

/** Runs `work` when this Node is recent enough, otherwise reruns the command on the pinned one. */
export function withNode(work) {
  if (!isNodeSupported(process.versions.node)) return runAgain();
  if (process.connected) endWithParent();
  return work();
}

/** Does so once the locked packages are installed: until then nothing may import one. */
export function withPackages(work) {
  return withNode(() =>
    import("./install.mjs").then(({ ensureInstalled }) => {
      ensureInstalled();
      return work();
    }),
  );
}

function runAgain() {
  const own = `Node ${process.versions.node} is older than ${OLDEST_NODE}`;
  let node;
  try {
    node = ensureRuntime({
      platform: process.platform,
      arch: process.arch,
      env: process.env,
      folder: runtimeFolder,
    });
  } catch (error) {
    fail(`${own}, and ${error.message}. Install Node 26, or 22.12 or later.`);
  }
  console.error(`${own}: running on Node ${PINNED_NODE}, ${node}`);
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], {
    // The IPC channel tells the child that this process is gone, even after SIGKILL
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    // Commands the child starts by name or shebang use the same Node
    env: { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` },
  });
  passSignals(child);
}

function passSignals(child) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const signal of signals) {
    process.on(signal, () => {
      // On Ctrl-C the terminal signals the whole process group
      if (signal === "SIGTERM" || !process.stdin.isTTY) child.kill(signal);
    });
  }
  child.on("error", (error) => fail(`Node ${PINNED_NODE} did not start: ${error.message}`));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exit(code);
    for (const each of signals) process.removeAllListeners(each);
    process.kill(process.pid, signal);
  });
}

function endWithParent() {
  process.on("disconnect", () => process.kill(process.pid, "SIGTERM"));
  process.channel.unref();
}
