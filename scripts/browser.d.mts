export function findBrowser(env: Readonly<Record<string, string | undefined>>): string | undefined;
export function ensureBrowser(env: Readonly<Record<string, string | undefined>>): Promise<void>;
export function findShell(env: Readonly<Record<string, string | undefined>>): string | undefined;
