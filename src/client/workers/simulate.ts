import { inputOf, runHere, variantKey } from "../../assistant/run-simulation.ts";
import {
  gridCell,
  outOfSampleMeasures,
  type SplitGrid,
  splitGrid,
  variantOf,
} from "../../strategy/grid.ts";
import { seededRandom } from "../../strategy/random.ts";
import { stressLines } from "../../strategy/report.ts";
import {
  decodeFile,
  fileTooLarge,
  MAX_FILE_BYTES,
  readTradingViewFile,
} from "./tradingview-file.ts";
import type { AskKind, AskMessage, WorkerAsks } from "./messages.ts";

let loaded: SplitGrid | null = null;

function loadedGrid() {
  if (loaded === null) throw new Error("No run is loaded");
  return loaded;
}

const ANSWERS: {
  readonly [K in AskKind]: (
    ask: WorkerAsks[K]["ask"],
  ) => WorkerAsks[K]["answer"] | Promise<WorkerAsks[K]["answer"]>;
} = {
  async readFile({ file, zone }) {
    if (file.size > MAX_FILE_BYTES) throw fileTooLarge();
    return readTradingViewFile(decodeFile(new Uint8Array(await file.arrayBuffer())), zone);
  },
  simulate: runHere,
  stress: (request) => stressLines(inputOf(request), seededRandom(request.seed)),
  load({ request, ids, rows }) {
    loaded = splitGrid(inputOf(request), ids, rows);
    return null;
  },
  cells: (rows) =>
    rows.map((values) => {
      const { inSample } = loadedGrid();
      const { agent, firings } = variantOf(inSample, values);
      return { ...gridCell(inSample, values), variant: variantKey(agent, firings) };
    }),
  keptOut: (values) => outOfSampleMeasures(loadedGrid().whole, values),
};

async function answer<K extends AskKind>({
  kind,
  ask,
}: AskMessage<K>): Promise<WorkerAsks[K]["answer"]> {
  return ANSWERS[kind](ask);
}

addEventListener("message", ({ data }: MessageEvent<AskMessage>) => {
  answer(data).then(
    (told) => postMessage({ id: data.id, answer: told }),
    (error: unknown) =>
      postMessage({ id: data.id, error: error instanceof Error ? error.message : "unknown" }),
  );
});
