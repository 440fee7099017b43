export function install(folder: string, npm: (...command: string[]) => boolean): string | null;
