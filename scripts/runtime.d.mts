export const OLDEST_NODE: string;
export const PINNED_NODE: string;
export const runtimeFolder: string;
export function isNodeSupported(version: string): boolean;
export function ensureRuntime(machine: {
  readonly platform: string;
  readonly arch: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
}): string;
