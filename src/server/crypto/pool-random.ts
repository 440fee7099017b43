/** Bytes requested from the system at once: the call costs ten times as much as copying a few bytes. */
const POOL_BYTES = 4_096;

/** Returns a generator of random bytes from a prefetched pool; no byte is returned twice or kept after use. */
export function poolRandom(fetch: (length: number) => Uint8Array): (length: number) => Uint8Array {
  let pool = new Uint8Array(0);
  let used = 0;
  return (length) => {
    if (length > POOL_BYTES) return fetch(length);
    if (used + length > pool.length) {
      pool = Uint8Array.from(fetch(POOL_BYTES));
      used = 0;
    }
    const given = pool.slice(used, used + length);
    pool.fill(0, used, used + length);
    used += length;
    return given;
  };
}
