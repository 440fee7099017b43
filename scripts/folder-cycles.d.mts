export function folderCycles(imports: ReadonlyMap<string, readonly string[]>): string[][];
