import type { BarColumns } from "../../strategy/bar-columns.ts";
import type { GridCell } from "../../strategy/grid-cell.ts";
import type { Tries } from "../../strategy/measures.ts";
import type { SimulationReport } from "../../strategy/report.ts";
import type { ImportedFile } from "./tradingview-file.ts";
import type { SimulationInput } from "../../strategy/simulation.ts";

/** Everything a run follows from. Bars are columns so that they cross to a worker quickly. */
export interface SimulationRequest extends Omit<SimulationInput, "bars"> {
  readonly columns: BarColumns;
  /** Decides how trades are drawn anew; the same seed gives the same report. */
  readonly seed: number;
  /** Variants looked at before; absent: none. */
  readonly tries?: Tries;
}

/** A report and what it was made from: the same inputs give the same hash, anywhere. */
export interface HashedReport extends SimulationReport {
  /** SHA-256 in hexadecimal. */
  readonly inputHash: string;
}

/** What a worker is asked; `ids` name the parameters that `cells` vary. */
export interface WorkerAsks {
  readonly readFile: { readonly ask: FileAsk; readonly answer: ImportedFile };
  readonly simulate: { readonly ask: SimulationRequest; readonly answer: HashedReport };
  readonly load: {
    readonly ask: { readonly request: SimulationRequest; readonly ids: readonly string[] };
    readonly answer: null;
  };
  readonly cells: {
    readonly ask: readonly (readonly number[])[];
    readonly answer: readonly GridCell[];
  };
}

export interface FileAsk {
  readonly file: Blob;
  /** Zone of times that name none. */
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
