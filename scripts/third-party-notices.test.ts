import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./root.mjs";
import { thirdPartyNotices } from "./third-party-notices.mjs";

/** Packages whose archive holds no text of the licence they name. */
const WITHOUT_TEXT = ["fancy-canvas", "wouter"];

it("lists every package that package.json needs at run time, with its licence text", () => {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const parts = thirdPartyNotices(root).split(`\n\n${"-".repeat(80)}\n\n`);
  const names = parts.map((part) => /^(\S+) \d+\.\d+\.\d+\S*: /.exec(part)?.[1]);
  for (const name of [...Object.keys(dependencies), "tailwindcss", "scheduler", "pg-protocol"]) {
    expect(names).toContain(name);
  }
  expect(names).not.toContain("vitest");
  const without = parts.flatMap((part, at) => (part.includes("holds no text") ? [names[at]] : []));
  expect(without).toEqual(WITHOUT_TEXT);
});
