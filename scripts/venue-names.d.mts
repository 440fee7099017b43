export function venueNames(root: string): string[];
