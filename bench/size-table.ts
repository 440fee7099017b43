import { parseArgs } from "node:util";
import { machineLoad, say } from "./figures.ts";
import { acknowledge } from "./size-table/acknowledge.ts";
import { lists } from "./size-table/lists.ts";
import { memory } from "./size-table/memory.ts";
import { push } from "./size-table/push.ts";
import type { MeasureRow, SizeLine, SizeOptions } from "./size-table/row.ts";
import { send } from "./size-table/send.ts";
import { startOpen } from "./size-table/start-open.ts";
import { stopLeftOver } from "./size-table/servers.ts";
import { stored } from "./size-table/stored.ts";

const ROWS: Readonly<Record<string, MeasureRow>> = {
  "ack-1": acknowledge(1),
  "ack-4": acknowledge(4),
  "ack-4-turn": acknowledge(4, "in turn"),
  "send-50": send(50),
  "send-100": send(100),
  "send-200": send(200),
  stored,
  "push-500": push(500),
  "push-2000": push(2_000),
  lists,
  "start-open": startOpen,
  memory,
};

/** `--rows ack-1,lists` measures these, `--seconds`, `--minutes` and `--scale` make them shorter and smaller. */
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: Object.keys(ROWS).join(",") },
    seconds: { type: "string", default: "120" },
    minutes: { type: "string", default: "30" },
    scale: { type: "string", default: "1" },
  },
});

const options: SizeOptions = {
  seconds: Number(values.seconds),
  minutes: Number(values.minutes),
  scale: Number(values.scale),
};

type Line = SizeLine & { readonly load: string };

const HEAD: Line = {
  measured: "measured",
  connections: "connections",
  product: "product",
  bare: "bare",
  ratio: "ratio",
  load: "load",
};

function table(lines: readonly Line[]): string {
  const cells = [HEAD, ...lines].map((line) => [
    line.measured,
    line.connections,
    line.product,
    line.bare ?? "–",
    line.ratio ?? "–",
    line.load,
  ]);
  const widths = cells[0]?.map((_, at) => Math.max(...cells.map((row) => row[at]?.length ?? 0)));
  const drawn = cells.map(
    (row) => `| ${row.map((cell, at) => cell.padEnd(widths?.[at] ?? 0)).join(" | ")} |`,
  );
  const rule = `| ${widths?.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [drawn[0], rule, ...drawn.slice(1)].join("\n");
}

const lines: Line[] = [];
for (const name of values.rows.split(",")) {
  const measure = ROWS[name];
  if (measure === undefined)
    throw new Error(`No row ${name}; there are ${Object.keys(ROWS).join(", ")}`);
  try {
    await measure(options, (line) => lines.push({ ...line, load: machineLoad() }));
  } catch (error) {
    // A row that fails does not stop the others
    lines.push({
      measured: name,
      connections: "–",
      product: `failed: ${String(error)}`,
      load: machineLoad(),
    });
    process.exitCode = 1;
  }
  await stopLeftOver();
}
say(table(lines));
