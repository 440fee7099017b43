export function countCodeLines(text: string): number;
