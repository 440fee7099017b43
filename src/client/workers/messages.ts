import type { BarColumns } from "../../strategy/bar-columns.ts";
import type { GridCell } from "../../strategy/grid-cell.ts";
import type { Measures } from "../../strategy/measures.ts";
import type { SimulationReport } from "../../strategy/report.ts";
import type { ImportedFile } from "./tradingview-file.ts";
import type { SimulationInput } from "../../strategy/simulation.ts";

/** All inputs of a run. Bars are columns, which transfer to a worker quickly. */
export interface SimulationRequest extends Omit<SimulationInput, "bars"> {
  readonly columns: BarColumns;
  /** Seed of the resampling of trades; the same seed gives the same report. */
  readonly seed: number;
}

/** Report with the hash of its inputs; equal inputs give equal hashes on every machine. */
export interface HashedReport extends SimulationReport {
  /** SHA-256 in hexadecimal. */
  readonly inputHash: string;
  /** Digest of the variant, see `variantKey`. */
  readonly variant: string;
}

/** A grid's cell with the digest of its variant. */
export interface TriedCell extends GridCell {
  readonly variant: string;
}

/** Requests to a worker; `ids` are the parameters that `cells` vary. Cells have in-sample results only. */
export interface WorkerAsks {
  readonly readFile: { readonly ask: FileAsk; readonly answer: ImportedFile };
  readonly simulate: { readonly ask: SimulationRequest; readonly answer: HashedReport };
  readonly load: {
    readonly ask: { readonly request: SimulationRequest; readonly ids: readonly string[] };
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
