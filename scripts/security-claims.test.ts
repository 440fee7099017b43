import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..");

it("every test that SECURITY.md names exists", () => {
  const text = readFileSync(join(ROOT, "SECURITY.md"), "utf8");
  const named = [...text.matchAll(/`((?:src|test|e2e|scripts)\/[^`]+\.ts)`/g)].map(
    ([, path = ""]) => path,
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});
