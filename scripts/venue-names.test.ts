import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { root } from "./root.mjs";
import { venueNames } from "./venue-names.mjs";

let tree: string;

const FILES: Readonly<Record<string, string>> = {
  "src/domain/venue-id.ts": `export const VENUE_IDS = ["drift", "orca"] as const;`,
  "src/domain/market.ts": `// in six decimals\nconst venue = "orca";`,
  "src/client/features/rules/rule.tsx": `if (isDrift) return <p>Orca only</p>;`,
  "src/client/features/rules/orca-rules.ts": "export {};",
  "src/contract/trade.ts": `path: "/api/trade/get-drift-position",\nconst drift = 1;`,
  "src/server/config.ts": "JUPITER_API_KEY: text,",
  "src/server/main/open-networks.ts": "createDriftVenue();",
  "src/venues/orca/profile.ts": `label: "Orca"`,
  "src/practice/programs/drift/orders.ts": "drift();",
  "src/practice/practice-chain.ts": "drift();",
  "src/server/custody/drift.story.test.ts": "drift();",
};

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "wheelhouse-venue-names-"));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
});

afterAll(() => rmSync(tree, { recursive: true }));

describe("names of venues outside their folders", () => {
  it("are found in code, texts and paths, but not where they belong", () => {
    expect(venueNames(tree)).toEqual([
      "src/client/features/rules/orca-rules.ts:0: src/client/features/rules/orca-rules.ts",
      "src/client/features/rules/rule.tsx:1: if (isDrift) return <p>Orca only</p>;",
      "src/contract/trade.ts:2: const drift = 1;",
      `src/domain/market.ts:2: const venue = "orca";`,
      "src/practice/practice-chain.ts:1: drift();",
    ]);
  });

  it("do not occur", () => {
    expect(venueNames(root)).toEqual([]);
  });

  it("cannot be checked without the list of venues", () => {
    writeFileSync(join(tree, "src/domain/venue-id.ts"), "export const IDS = [];");
    expect(() => venueNames(tree)).toThrow("no VENUE_IDS found");
  });
});
