import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..", "..");
let tree: string;
let reported: Map<string, string[]>;

const files = {
  "src/domain/parsed.ts": `export const size = parseFloat("8.2");\n`,
  "src/domain/member.ts": `export const size = Number.parseFloat("8.2");\n`,
  "src/venues/drift/shown.ts": `export const shown = (8.2).toFixed(2);\n`,
  "src/server/trading/converted.ts": `export const size = Number(8n);\n`,
  "src/server/custody/precise.ts": `export const shown = (8.2).toPrecision(2);\n`,
  "src/domain/amount.ts": `export const size = Number(8n);\n`,
  "src/client/ui/shown.ts": `export const shown = (8.2).toFixed(2);\n`,
  "src/domain/timed.ts": `export const at = Date.now();\n`,
  "src/server/trading/dated.ts": `export const at = new Date();\n`,
  "src/practice/thrown.ts": `export const dice = Math.random();\n`,
  "src/server/main/main.ts": `export const at = Date.now();\n`,
  "src/contract/heavy.ts": `import * as z from "zod";\nexport const text = z.string();\n`,
  "src/domain/ids.ts": `export type AgentId = string & { readonly brand: "AgentId" };\n`,
  "src/server/routes/cast.ts": `import type { AgentId } from "../../domain/ids.ts";\nexport const id = "a" as AgentId;\n`,
  "src/server/routes/cast-all.ts": `import type { AgentId } from "../../domain/ids.ts";\nexport const ids = ["a"] as readonly AgentId[];\n`,
  "src/server/routes/cast-row.ts": `import type { AgentId } from "../../domain/ids.ts";\nexport const row = JSON.parse("{}") as { readonly agentId: AgentId | null };\n`,
  "src/server/late.ts": `async function send() {}\nexport function place() {\n  send();\n}\n`,
};

beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), "wheelhouse-lint-"));
  const config = JSON.parse(readFileSync(join(root, ".oxlintrc.json"), "utf8")) as object;
  const jsPlugins = [join(root, "scripts/lint/plugin.mjs")];
  write(".oxlintrc.json", JSON.stringify({ ...config, jsPlugins }));
  write("tsconfig.json", readFileSync(join(root, "tsconfig.base.json"), "utf8"));
  for (const [path, text] of Object.entries(files)) write(path, text);
  reported = lint();
});

afterAll(() => rmSync(tree, { recursive: true, force: true }));

describe("lint rules", () => {
  it.each([
    ["src/domain/parsed.ts", "house(no-float-money)"],
    ["src/domain/member.ts", "house(no-float-money)"],
    ["src/venues/drift/shown.ts", "house(no-float-money)"],
    ["src/server/trading/converted.ts", "house(no-float-money)"],
    ["src/server/custody/precise.ts", "house(no-float-money)"],
    ["src/domain/timed.ts", "house(no-ambient-time-or-chance)"],
    ["src/server/trading/dated.ts", "house(no-ambient-time-or-chance)"],
    ["src/practice/thrown.ts", "house(no-ambient-time-or-chance)"],
    ["src/server/routes/cast.ts", "house(no-cast-id)"],
    ["src/server/routes/cast-all.ts", "house(no-cast-id)"],
    ["src/server/routes/cast-row.ts", "house(no-cast-id)"],
    ["src/contract/heavy.ts", "eslint(no-restricted-imports)"],
    ["src/server/late.ts", "typescript(no-floating-promises)"],
  ])("refuse %s by %s", (path, rule) => {
    expect(reported.get(path)).toEqual([rule]);
  });

  it.each(["src/domain/amount.ts", "src/client/ui/shown.ts", "src/server/main/main.ts"])(
    "leave %s alone",
    (path) => {
      expect(reported.get(path)).toBeUndefined();
    },
  );
});

function lint(): Map<string, string[]> {
  const programs = join(root, "node_modules/.bin");
  // oxlint looks for its type-aware half below the folder it is started in, then in the path
  const env = { ...process.env, PATH: [programs, process.env["PATH"]].join(delimiter) };
  const { stdout } = spawnSync(join(programs, "oxlint"), [".", "--format=json"], {
    cwd: tree,
    encoding: "utf8",
    env,
  });
  if (!stdout.startsWith("{")) throw new Error(`oxlint did not run: ${stdout}`);
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string }[];
  };
  const byFile = new Map<string, string[]>();
  for (const { code, filename } of diagnostics) {
    byFile.set(filename, [...(byFile.get(filename) ?? []), code]);
  }
  return byFile;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}
