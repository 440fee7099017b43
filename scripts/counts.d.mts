export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}
export function countTests(runner: "vitest" | "playwright", report: unknown): Counts;
