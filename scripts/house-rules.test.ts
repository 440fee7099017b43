import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { filesOfWay, filesWithOneUser, readValueImports, readWays } from "./house-rules.mjs";

it("reads the six ways from the decision's table", () => {
  const table = [
    "| Way | First files | Files | Why |",
    "|---|---|---|---|",
    "| alert to log | `server/a.ts`, `server/b.ts` | 12 | one sentence |",
  ];
  expect(readWays(table.join("\n"))).toEqual([
    { name: "alert to log", entries: ["src/server/a.ts", "src/server/b.ts"], length: 12 },
  ]);
});

it("follows a way through imports, cyclic ones too, and leaves out the page's widgets", () => {
  const imports = new Map([
    ["src/a.ts", ["src/b.ts", "src/client/ui/button.tsx"]],
    ["src/b.ts", ["src/c.ts", "src/a.ts"]],
    ["src/d.ts", ["src/a.ts"]],
  ]);
  expect(filesOfWay(["src/a.ts"], imports)).toEqual(["src/a.ts", "src/b.ts", "src/c.ts"]);
});

it("finds files with one user that fit into that user", () => {
  const users = new Map([
    ["src/x/one.ts", ["src/x/user.ts"]],
    ["src/x/two.ts", ["src/x/user.ts", "src/x/two.test.ts"]],
    ["src/x/far.ts", ["src/y/user.ts"]],
    ["src/x/program.ts", ["src/x/user.db.test.ts"]],
    ["src/x/long.ts", ["src/x/user.ts"]],
    ["src/x/later.ts", ["src/x/user.ts"]],
    ["src/x/listed.ts", ["src/x/user.ts"]],
    ["src/x/part.tsx", ["src/x/user.ts"]],
  ]);
  const lines = new Map([
    ["src/x/user.ts", 100],
    ["src/x/long.ts", 301],
  ]);
  const found = filesWithOneUser({
    users,
    lines,
    isLoadedLater: (file) => file.includes("later"),
    isListed: (file) => file.includes("listed"),
    maxLines: 400,
  });
  expect(found).toEqual([{ file: "src/x/one.ts", user: "src/x/user.ts" }]);
});

it("reads the non-type imports of a source text", () => {
  const text = [
    'import type { A } from "./a.ts";',
    'import { type B, makeB } from "../b.ts";',
    "import {",
    "  c,",
    '} from "./deep/c.ts";',
    'import { readFileSync } from "node:fs";',
    'const later = () => import("./later.tsx");',
    'import scriptUrl from "./worker.ts?worker&url";',
  ];
  expect(readValueImports("src/x/y.ts", text.join("\n"))).toEqual([
    "src/b.ts",
    "src/x/deep/c.ts",
    "src/x/later.tsx",
    "src/x/worker.ts",
  ]);
});

it("does not grow the list of files with a function of more than 60 lines", () => {
  const text = readFileSync(new URL("../.oxlintrc.json", import.meta.url), "utf8");
  const { overrides } = JSON.parse(text) as {
    overrides: { files: string[]; rules: Record<string, unknown> }[];
  };
  const longer = overrides.filter(({ rules }) => "eslint/max-lines-per-function" in rules);
  const named = longer.flatMap(({ files }) => files.filter((file) => file.endsWith(".ts")));
  // Lower it with each file that needs its place no longer
  expect(named.filter((file) => !file.includes("*"))).toHaveLength(49);
});
