import { execFileSync } from "node:child_process";

/** Stops a PostgreSQL server with everything it runs, as a machine that hangs does. Returns what lets it go on. */
export function pauseDatabase(postmaster: number): () => void {
  // First the one that starts others, so that none is missed
  process.kill(postmaster, "SIGSTOP");
  const listed = execFileSync("pgrep", ["-P", String(postmaster)], { encoding: "utf8" });
  const children = listed.trim().split("\n").map(Number);
  for (const pid of children) process.kill(pid, "SIGSTOP");
  return () => {
    for (const pid of [...children, postmaster]) process.kill(pid, "SIGCONT");
  };
}
