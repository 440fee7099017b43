import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take ten seconds and more on a quiet machine. */
const LONG = [
  // It waits for the network and the disk, so another worker has the processors meanwhile
  "test/bare-root.test.ts",
  "scripts/documented-commands.test.ts",
  "scripts/dev.test.ts",
  "test/where-to-put-it.test.ts",
  "test/seeded-world/seeded-world.db.test.ts",
  "test/upgrade.story.test.ts",
  "src/server/http/slow-callers.db.test.ts",
  "src/server/custody/faults-drift.db.test.ts",
  "src/server/custody/faults-jupiter.db.test.ts",
  "src/server/market-data/prices/paper-feed.db.test.ts",
  "src/server/ledger/pending-book.story.test.ts",
  "src/server/trading/plans.story.test.ts",
  "src/server/trading/resting.story.test.ts",
  "src/server/trading/lying-node.story.test.ts",
  "src/server/store/launch/launch-postgres.db.test.ts",
  "src/server/reconcile/requests-at-rest.db.test.ts",
  "test/twin/random-accounts.test.ts",
  "test/twin/random-vaults.test.ts",
  "test/twin/random-trading.test.ts",
];

const isLong = ({ moduleId }: TestSpecification) => LONG.some((file) => moduleId.endsWith(file));

/** Runs the long files first: a long file at the end would leave the other worker idle. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
