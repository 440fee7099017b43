import { descendantsOf, signalAll } from "./prove/process-tree.ts";

/** Stops a process and its descendants, like a machine that hangs. Returns a function that resumes them. */
export function pauseProcesses(pid: number): () => void {
  // First the one that starts others, so that none is missed
  signalAll([pid], "SIGSTOP");
  const all = [...descendantsOf(pid), pid];
  signalAll(all, "SIGSTOP");
  return () => signalAll(all, "SIGCONT");
}
