import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const CHUNK = 1 << 20;

/** Whether every thread of a process is stopped. */
const isStopped = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/task`).every((thread) =>
    /^\d+ \(.*\) [Tt] /.test(readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8")),
  );

/**
 * Returns which texts a process has in the memory it may write to, its environment and arguments included. The process,
 * and others that would miss it, stand still meanwhile, so that nothing moves or is given back; whatever cannot be read
 * then is an error.
 */
export async function findInMemory(
  pid: number,
  texts: readonly string[],
  others: readonly number[] = [],
): Promise<readonly string[]> {
  const stopped = [...others, pid];
  for (const each of stopped) process.kill(each, "SIGSTOP");
  while (!isStopped(pid)) await sleep(1);
  const memory = openSync(`/proc/${pid}/mem`, "r");
  try {
    const found = new Set<string>();
    const writable = readFileSync(`/proc/${pid}/maps`, "utf8").matchAll(/^(\w+)-(\w+) rw/gm);
    for (const [, from = "", to = ""] of writable) {
      const end = Number.parseInt(to, 16);
      // A text may lie across two chunks
      const kept = Math.max(...texts.map((text) => text.length)) - 1;
      let before = Buffer.alloc(0);
      for (let at = Number.parseInt(from, 16); at < end;) {
        const bytes = Buffer.alloc(Math.min(CHUNK, end - at));
        const read = readSync(memory, bytes, 0, bytes.length, at);
        if (read === 0) throw new Error(`nothing is read of ${pid} at ${at.toString(16)}`);
        const known = Buffer.concat([before, bytes.subarray(0, read)]);
        for (const text of texts) if (known.includes(text)) found.add(text);
        before = known.subarray(-kept);
        at += read;
      }
    }
    return texts.filter((text) => found.has(text));
  } finally {
    closeSync(memory);
    for (const each of stopped.toReversed()) process.kill(each, "SIGCONT");
  }
}
