export const root: string;
export function bin(name: string): string;
