import { type BarColumns, barsOf } from "../../strategy/bar-columns.ts";
import {
  type GridInput,
  gridCell,
  inSampleGrid,
  outOfSampleMeasures,
  variantOf,
} from "../../strategy/grid-cell.ts";
import { seededRandom } from "../../strategy/random.ts";
import { reportOf } from "../../strategy/report.ts";
import { simulate } from "../../strategy/simulate.ts";
import type { SimulationInput } from "../../strategy/simulation.ts";
import { inputHash, variantKey } from "./input-hash.ts";
import {
  decodeFile,
  fileTooLarge,
  MAX_FILE_BYTES,
  readTradingViewFile,
} from "./tradingview-file.ts";
import type {
  AskKind,
  AskMessage,
  HashedReport,
  SimulationRequest,
  WorkerAsks,
} from "./messages.ts";

/** The loaded grid over all bars and over the in-sample bars. */
let loaded: { readonly whole: GridInput; readonly inSample: GridInput } | null = null;

function loadedGrid() {
  if (loaded === null) throw new Error("No run is loaded");
  return loaded;
}

const inputOf = ({ columns, ...input }: SimulationRequest): SimulationInput => ({
  ...input,
  bars: barsOf(columns satisfies BarColumns),
});

const ANSWERS: {
  readonly [K in AskKind]: (
    ask: WorkerAsks[K]["ask"],
  ) => WorkerAsks[K]["answer"] | Promise<WorkerAsks[K]["answer"]>;
} = {
  async readFile({ file, zone }) {
    if (file.size > MAX_FILE_BYTES) throw fileTooLarge();
    return readTradingViewFile(decodeFile(new Uint8Array(await file.arrayBuffer())), zone);
  },
  simulate(request): HashedReport {
    const result = simulate(inputOf(request));
    const { quoteDecimals, seed, agent, firings } = request;
    const report = reportOf(result, quoteDecimals, seededRandom(seed));
    const variant = variantKey(agent, firings);
    return { ...report, inputHash: inputHash(request), variant };
  },
  load({ request, ids }) {
    const whole = { input: inputOf(request), ids };
    loaded = { whole, inSample: inSampleGrid(whole) };
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
