/** Bytes asked of the system at once: the call costs ten times what copying a few costs. */
const POOL_BYTES = 4_096;

/** Returns random bytes out of ones fetched in advance; no byte is given twice or kept once given. */
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
