export function wireNames(root: string): string[];
