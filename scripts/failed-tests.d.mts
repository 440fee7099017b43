export function listFailedTests(
  runner: "vitest" | "playwright",
  report: unknown,
): readonly string[];
