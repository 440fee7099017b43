export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  /** Passed only on the second try; counted in `passed` too. */
  flaky: number;
}
export function countTests(runner: "vitest" | "playwright", report: unknown): Counts;
export function describeCounts(counts: Counts): string;
