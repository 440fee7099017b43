export function dependencyProblems(manifest: object, lock: { packages: object }): string[];
