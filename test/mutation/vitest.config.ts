import { defineConfig } from "vitest/config";

/** The tests named by the caller. One worker runs them all, so that modules are read once. */
export default defineConfig({
  test: {
    environment: "node",
    isolate: false,
    include: JSON.parse(process.env["MUTATION_TESTS"] ?? "[]"),
    exclude: ["**/*.{db,story,online}.test.ts"],
    testTimeout: 60_000,
    env: { RANDOM_SETS: "200" },
  },
});
