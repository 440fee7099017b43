import { descendantsOf, signalAll } from "./prove/process-tree.ts";

/** Stops a process with everything it started, as a machine that hangs does. Returns what lets it go on. */
export function pauseProcesses(pid: number): () => void {
  // First the one that starts others, so that none is missed
  signalAll([pid], "SIGSTOP");
  const all = [...descendantsOf(pid), pid];
  signalAll(all, "SIGSTOP");
  return () => signalAll(all, "SIGCONT");
}
