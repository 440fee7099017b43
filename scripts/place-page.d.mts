export function placePage(next: string, live: string): Promise<void>;
