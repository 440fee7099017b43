/** Returns that many unpredictable bytes. Passed in so that tests can repeat a run. */
export type RandomBytes = (length: number) => Uint8Array;

/** Returns a new id: 128 random bits in lower-case hex. */
export function newId(random: RandomBytes): string {
  return Buffer.from(random(16)).toString("hex");
}
