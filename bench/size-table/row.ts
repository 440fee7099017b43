/** How long and how large a row measures. */
export interface SizeOptions {
  /** Length of each measured stretch. */
  readonly seconds: number;
  /** Length of the row that watches memory. */
  readonly minutes: number;
  /** Share of the full number of agents, events, clients and rows, above 0 and at most 1. */
  readonly scale: number;
}

/** One line of the table. `bare` and `ratio` are left out where nothing bare does the same. */
export interface SizeLine {
  readonly measured: string;
  readonly connections: string;
  readonly product: string;
  readonly bare?: string;
  readonly ratio?: string;
}

export type MeasureRow = (options: SizeOptions, add: (line: SizeLine) => void) => Promise<void>;

/** Returns the scaled number, at least one. */
export const scaled = (count: number, { scale }: SizeOptions): number =>
  Math.max(1, Math.round(count * scale));
