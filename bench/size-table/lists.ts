import { fixed } from "../figures.ts";
import { measureLists } from "../measure-lists.ts";
import { type MeasureRow, scaled } from "./row.ts";

const ROWS = 10_000;

/** Measures the event loop's time for one answer of each list, beside a bare query of the same rows. */
export const lists: MeasureRow = async (options, add) => {
  const rows = scaled(ROWS, options);
  await measureLists(rows, ({ name, busyMs, bareMs, bytes }) =>
    add({
      measured: `${rows.toLocaleString("en")} rows: ${name}, ms of the event loop`,
      connections: "1",
      product: `${fixed(busyMs, 1)}, ${fixed(bytes / 1_000, 0)} kB`,
      bare: fixed(bareMs, 1),
      ratio: `${fixed(busyMs / bareMs)}x`,
    }),
  );
};
