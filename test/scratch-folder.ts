import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";

const MEMORY = "/dev/shm";

/** Room a file system in memory must have, in bytes; a container's default is 64 MiB. */
const ROOM_BYTES = 2 * 1024 ** 3;

/**
 * Returns where data that is thrown away after a test belongs: a file system in memory where there is one with room,
 * else the system's temporary folder.
 *
 * Each test makes and removes a database of hundreds of files. On ext4 the search for inodes that were not removed in
 * the last seconds then takes half of the processor's time.
 */
export function scratchRoot(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
