import { fixed, machineLoad, say } from "./figures.ts";
import { measureLists, ROUNDS } from "./measure-lists.ts";

const ROWS = 10_000;
/** Most of the event loop that one answer may take, in milliseconds. */
const LIMIT_MS = 20;

say(`lists of ${ROWS} rows, median of ${ROUNDS}; machine's load ${machineLoad()}`);
await measureLists(ROWS, ({ name, busyMs, mostMs, bareMs, bytes }) => {
  say(
    `${name}: ${fixed(busyMs, 1)} ms of the event loop, ${fixed(mostMs, 1)} at most, ` +
      `${fixed(bytes / 1_000, 0)} kB; bare query of the same rows ${fixed(bareMs, 1)} ms`,
  );
  if (busyMs > LIMIT_MS) process.exitCode = 1;
});
