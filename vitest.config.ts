import { defineConfig } from "vitest/config";
import { LongFirst } from "./test/long-first.ts";

const database = ["src/**/*.{db,story}.test.ts", "test/**/*.{db,story}.test.ts"];
// Changes lists that all other modules read, before they are loaded
const ownModules = ["test/third-venue/*.story.test.ts"];
const outOfReach = ["**/node_modules/**", "**/dist/**", "**/*.online.test.ts"];

const everywhere = "test/setup.ts";

// Without isolation a worker reads the modules once instead of once per file, which is half of the processor time of
// the unit tests. No test of these projects leaves anything behind in a module.

export default defineConfig({
  test: {
    // One more than processors: long files wait for a network, a disk, a process or a time limit
    maxWorkers: 3,
    sequence: { sequencer: LongFirst },
    // A forgotten server or timer must fail the run, not hang it
    teardownTimeout: 60_000,
    projects: [
      {
        test: {
          name: "unit",
          environment: "node",
          isolate: false,
          include: ["src/**/*.test.ts", "test/**/*.test.ts", "scripts/**/*.test.ts"],
          exclude: [...outOfReach, ...database, "src/client/**"],
          setupFiles: everywhere,
        },
      },
      {
        test: {
          name: "db",
          environment: "node",
          isolate: false,
          include: database,
          exclude: [...outOfReach, ...ownModules],
          globalSetup: "test/database-setup.ts",
          setupFiles: everywhere,
        },
      },
      {
        test: {
          // The stories of orders once more, without the exchange's auctions
          name: "db-auctions",
          environment: "node",
          isolate: false,
          include: ["src/server/trading/**/*.story.test.ts"],
          // These set the auctions themselves or trade where none are held, so they would only be repeated
          exclude: [
            ...outOfReach,
            "src/server/trading/{resting,jupiter,spot-exits,newest-fill}.story.test.ts",
          ],
          globalSetup: "test/database-setup.ts",
          setupFiles: everywhere,
          env: { AUCTION_SLOTS: "0" },
        },
      },
      {
        test: {
          name: "db-apart",
          environment: "node",
          include: ownModules,
          exclude: outOfReach,
          globalSetup: "test/database-setup.ts",
          setupFiles: everywhere,
        },
      },
      {
        test: {
          name: "client",
          environment: "happy-dom",
          isolate: false,
          include: ["src/client/**/*.test.{ts,tsx}"],
          setupFiles: [everywhere, "test/client-setup.ts"],
          // Node's own localStorage would stand before the one of the page the tests run in
          execArgv: ["--no-experimental-webstorage"],
          exclude: outOfReach,
        },
      },
    ],
  },
});
