export const packedPrograms: string;
export function useRealPrograms(): string[];
