export interface Way {
  readonly name: string;
  readonly entries: readonly string[];
  readonly length: number;
}
export function readWays(markdown: string): readonly Way[];
export function filesOfWay(
  entries: readonly string[],
  imports: ReadonlyMap<string, readonly string[]>,
): readonly string[];
export function filesWithOneUser(input: {
  readonly users: ReadonlyMap<string, readonly string[]>;
  readonly lines: ReadonlyMap<string, number>;
  readonly isLoadedLater: (file: string) => boolean;
  readonly isListed: (file: string) => boolean;
  readonly maxLines: number;
}): readonly { readonly file: string; readonly user: string }[];
export function readValueImports(file: string, text: string): readonly string[];
