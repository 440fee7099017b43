/** Difference between this machine's clock and the database's, in milliseconds, beyond which one of them is wrong. */
const MAX_DIFFERENCE_MS = 30_000;

/**
 * Tells how far this machine's clock is from the database's, by which everything goes. `onWrong` is called once, and
 * again after the clocks agreed meanwhile.
 */
export function createClockDifference(onWrong: (seconds: number) => void) {
  let differenceMs = 0;
  let isWrong = false;
  const seconds = (): number => Math.round(differenceMs / 1_000);
  return {
    /** Notes both times, read in the same moment. */
    note(machineMs: number, databaseMs: number): void {
      differenceMs = machineMs - databaseMs;
      const wasWrong = isWrong;
      isWrong = Math.abs(differenceMs) > MAX_DIFFERENCE_MS;
      if (isWrong && !wasWrong) onWrong(seconds());
    },
    /** The machine's clock minus the database's at the last reading, in seconds. */
    seconds,
    /** The same while it is more than it may be, else null. */
    wrongSeconds: (): number | null => (isWrong ? seconds() : null),
  };
}

export type ClockDifference = ReturnType<typeof createClockDifference>;
