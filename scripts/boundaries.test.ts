import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { folderCycles } from "./folder-cycles.mjs";

const root = join(import.meta.dirname, "..");
let tree: string;
let broken: { rule: string; from: string }[];

const forbidden = [
  ["domain-is-pure", "src/domain/a.ts", "src/contract/x.ts"],
  ["domain-is-pure", "src/domain/b.ts", "pg"],
  ["contract-knows-only-domain", "src/contract/a.ts", "src/solana/x.ts"],
  ["solana-knows-only-domain", "src/solana/a.ts", "src/venues/venue.ts"],
  ["venue-is-an-island", "src/venues/drift/a.ts", "src/venues/jupiter/x.ts"],
  ["venue-is-an-island", "src/venues/drift/b.ts", "src/contract/x.ts"],
  ["venue-port-knows-no-venue", "src/venues/a.ts", "src/venues/drift/x.ts"],
  ["venue-is-an-island", "src/venues/drift/d.ts", "src/venues/profiles.ts"],
  ["profile-is-light", "src/venues/drift/profile.ts", "src/solana/x.ts"],
  ["profile-is-light", "src/venues/profiles.ts", "src/venues/drift/x.ts"],
  ["page-decodes-only-in-custody", "src/client/features/funds/f.ts", "src/venues/drift/profile.ts"],
  ["practice-knows-no-app", "src/practice/a.ts", "src/contract/x.ts"],
  ["chain-packages-stay-below", "src/server/trading/a.ts", "@solana/kit"],
  ["chain-packages-stay-below", "src/client/features/funds/a.ts", "@solana/kit"],
  ["sql-stays-in-the-store", "src/server/routes/a.ts", "pg"],
  ["server-knows-no-page", "src/server/routes/b.ts", "src/client/lib/x.ts"],
  ["page-knows-no-server", "src/client/lib/a.ts", "src/server/store/x.ts"],
  ["page-decodes-only-in-custody", "src/client/features/funds/b.ts", "src/solana/x.ts"],
  ["page-decodes-only-in-custody", "src/client/custody/d.ts", "src/solana/x.ts"],
  ["decoders-are-asked-for", "src/client/custody/e.ts", "src/client/custody/check/x.ts"],
  ["decoders-are-asked-for", "src/server/custody/b.ts", "src/venues/approvals.ts"],
  ["page-knows-no-venue", "src/client/custody/check/c.ts", "src/venues/drift/x.ts"],
  ["only-main-picks", "src/server/trading/b.ts", "src/venues/drift/x.ts"],
  ["only-main-picks", "src/server/trading/c.ts", "src/practice/x.ts"],
  ["nobody-imports-main", "src/server/routes/c.ts", "src/server/main/main.ts"],
  ["store-is-at-the-bottom", "src/server/store/a.ts", "src/server/trading/x.ts"],
  ["use-cases-know-no-wire", "src/server/custody/a.ts", "src/server/routes/x.ts"],
  ["use-cases-know-no-wire", "src/server/auth/a.ts", "src/server/http/x.ts"],
  ["trading-flows-one-way", "src/server/trading/orders/a.ts", "src/server/trading/lanes/x.ts"],
  ["trading-flows-one-way", "src/server/trading/intake/a.ts", "src/server/trading/orders/x.ts"],
  ["features-do-not-meet", "src/client/features/funds/c.ts", "src/client/features/chart/x.ts"],
  ["features-know-no-tab", "src/client/features/funds/d.ts", "src/client/tabs/x.ts"],
  ["tabs-know-no-app", "src/client/tabs/a.ts", "src/client/app/x.ts"],
  ["actions-know-no-screen", "src/client/actions/a.ts", "src/client/tabs/x.ts"],
  ["queries-know-no-screen", "src/client/queries/a.ts", "src/client/features/chart/x.ts"],
  ["custody-knows-no-screen", "src/client/custody/c.ts", "src/client/features/chart/x.ts"],
  ["queries-know-no-screen", "src/client/queries/b.ts", "src/client/custody/x.ts"],
  ["widgets-know-no-feature", "src/client/ui/a.ts", "src/client/features/chart/x.ts"],
  ["product-needs-no-test", "src/server/agents/a.ts", "test/x.ts"],
  ["every-import-resolves", "src/server/agents/b.ts", "src/server/agents/missing.ts"],
] as const;

const allowed = [
  ["src/server/trading/lanes/a.ts", "src/server/trading/orders/x.ts"],
  ["src/server/main/main.ts", "src/venues/drift/x.ts"],
  ["src/server/store/b.ts", "pg"],
  ["src/client/custody/check/a.ts", "src/solana/x.ts"],
  ["src/client/custody/check/b.ts", "@solana/kit"],
  ["src/client/custody/check/d.ts", "src/venues/approvals.ts"],
  ["src/client/features/funds/e.ts", "src/client/custody/x.ts"],
  ["src/venues/approvals.ts", "src/venues/drift/x.ts"],
  ["src/venues/drift/c.ts", "src/venues/venue.ts"],
  ["src/client/features/funds/g.ts", "src/venues/profiles.ts"],
  ["src/practice/b.ts", "src/venues/drift/x.ts"],
  ["src/domain/c.test.ts", "test/x.ts"],
] as const;

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "wheelhouse-boundaries-"));
  write("tsconfig.json", "{}");
  write("package.json", `{"dependencies":{"pg":"1","@solana/kit":"1"}}`);
  for (const name of ["pg", "@solana/kit"]) {
    write(`node_modules/${name}/package.json`, `{"name":"${name}","version":"1.0.0"}`);
    write(`node_modules/${name}/index.js`, "export const value = 1;\n");
  }
  const imports = [...forbidden.map(([, from, to]) => [from, to] as const), ...allowed];
  for (const [, to] of imports) {
    if (to.includes(".ts") && !to.includes("missing")) write(to, "export const value = 1;\n");
  }
  for (const [from, to] of imports) {
    const path = to.includes(".ts") ? relative(dirname(from), to).replace(/^(?!\.)/, "./") : to;
    write(from, `import { value } from "${path}";\nexport const again = value;\n`);
  }
  write("src/agents/one.ts", `import { two } from "./two.ts";\nexport const one = () => two;\n`);
  write("src/agents/two.ts", `import { one } from "./one.ts";\nexport const two = () => one;\n`);
  broken = cruise();
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe("boundary rules", () => {
  it.each(forbidden)("%s: %s may not import %s", (rule, from) => {
    expect(broken).toContainEqual({ rule, from });
  });

  it("no-cycle: two files may not import each other", () => {
    expect(broken.filter(({ rule }) => rule === "no-cycle")).not.toEqual([]);
  });

  it.each(allowed)("%s may import %s", (from) => {
    expect(broken.filter((violation) => violation.from === from)).toEqual([]);
  });
});

describe("folderCycles", () => {
  const cyclesOf = (imports: Readonly<Record<string, readonly string[]>>) =>
    folderCycles(new Map(Object.entries(imports)));

  it("finds folders that import each other through different files", () => {
    expect(
      cyclesOf({ "src/a/one.ts": ["src/b/x/two.ts"], "src/b/three.ts": ["src/a/y/four.ts"] }),
    ).toEqual([["src/a", "src/b"]]);
  });

  it("finds a cycle between a file and a neighbouring folder", () => {
    expect(
      cyclesOf({
        "src/a/config.ts": ["src/a/rooms/one.ts"],
        "src/a/rooms/one.ts": ["src/a/halls/two.ts"],
        "src/a/halls/two.ts": ["src/a/config.ts"],
      }),
    ).toEqual([["src/a/config.ts", "src/a/halls", "src/a/rooms"]]);
  });

  it("allows a folder's list of its parts, which import the list's neighbours", () => {
    expect(
      cyclesOf({
        "src/a/list.ts": ["src/a/one/x.ts", "src/a/two/x.ts"],
        "src/a/one/x.ts": ["src/a/port.ts"],
        "src/a/two/x.ts": ["src/a/port.ts", "src/b/x.ts"],
      }),
    ).toEqual([]);
  });
});

function cruise(): { rule: string; from: string }[] {
  const depcruise = join(root, "node_modules/.bin/depcruise");
  const flags = ["src", "--config", join(root, ".dependency-cruiser.cjs"), "--output-type", "json"];
  const { stdout } = spawnSync(depcruise, flags, { cwd: tree, encoding: "utf8" });
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { rule: { name: string }; from: string }[] };
  };
  return summary.violations.map(({ rule, from }) => ({ rule: rule.name, from }));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}
