export function placePage(next: string, live: string): Promise<void>;
export function writeDigests(client: string): void;
