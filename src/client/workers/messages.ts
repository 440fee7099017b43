import type { HashedReport, SimulationRequest } from "../../assistant/run-simulation.ts";
import type { GridCell } from "../../strategy/grid.ts";
import type { Measures } from "../../strategy/measures.ts";
import type { StressLines } from "../../strategy/report.ts";
import type { ImportedFile } from "./tradingview-file.ts";

/** A grid's cell with the digest of its variant. */
export interface TriedCell extends GridCell {
  readonly variant: string;
}

/** Requests to a worker; `ids` are the parameters that `cells` vary. Cells have in-sample results only. */
export interface WorkerAsks {
  readonly readFile: { readonly ask: FileAsk; readonly answer: ImportedFile };
  readonly simulate: { readonly ask: SimulationRequest; readonly answer: HashedReport };
  readonly stress: { readonly ask: SimulationRequest; readonly answer: StressLines };
  readonly load: {
    readonly ask: {
      readonly request: SimulationRequest;
      readonly ids: readonly string[];
      /** Values of every variant. */
      readonly rows: readonly (readonly number[])[];
    };
    readonly answer: null;
  };
  readonly cells: {
    readonly ask: readonly (readonly number[])[];
    readonly answer: readonly TriedCell[];
  };
  /** Out-of-sample measures of one variant; null for too few bars. */
  readonly keptOut: { readonly ask: readonly number[]; readonly answer: Measures | null };
}

export interface FileAsk {
  readonly file: Blob;
  /** Time zone of times without one. */
  readonly zone: string;
}

export type AskKind = keyof WorkerAsks;

export interface AskMessage<K extends AskKind = AskKind> {
  readonly id: number;
  readonly kind: K;
  readonly ask: WorkerAsks[K]["ask"];
}

export type AnswerMessage =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly error: string };
