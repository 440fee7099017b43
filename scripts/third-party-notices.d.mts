export function thirdPartyNotices(folder: string): string;
