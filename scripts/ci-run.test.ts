import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { root } from "./root.mjs";

let folder: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "wheelhouse-ci-")));
  mkdirSync(join(folder, "checkout/.ci"), { recursive: true });
  mkdirSync(join(folder, "bin"));
  mkdirSync(join(folder, "shared/programs"), { recursive: true });
  cpSync(join(root, ".ci/run"), join(folder, "checkout/.ci/run"));
  writeFileSync(
    join(folder, "bin/npm"),
    `#!/bin/sh\necho "npm $1 with \${SQUADS_SO-nothing} and \${DRIFT_SO-nothing}"\n`,
    { mode: 0o755 },
  );
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(env: Readonly<Record<string, string>> = {}): string {
  const path = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  const command = join(folder, "checkout/.ci/run");
  return spawnSync("bash", [command], { encoding: "utf8", env: { PATH: path, ...env } }).stdout;
}

describe("the required check", () => {
  it("runs on the real programs whose files lie beside the checkout, and says which", () => {
    const file = join(folder, "shared/programs/drift_v2_2_84.so");
    writeFileSync(file, "");
    expect(run()).toBe(
      `SQUADS_SO: no file, its cases are skipped\nDRIFT_SO: ${file}\nnpm test with nothing and ${file}\n`,
    );
  });

  it("leaves a file that was named as it is", () => {
    writeFileSync(join(folder, "shared/programs/squads_v4.so"), "");
    expect(run({ SQUADS_SO: "/mine.so" })).toContain("npm test with /mine.so and nothing\n");
  });
});
