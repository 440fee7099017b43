import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { packedPrograms } from "./programs.mjs";
import { root } from "./root.mjs";

let folder: string;

const beside = (name: string) => join(folder, "shared/programs", name);
const unpacked = (name: string) => join(folder, "checkout/.cache/programs", name);

/** Lays a program packed beside the checkout, with the digest of `content` in the README there. */
function lay(name: string, bytes: string, content = bytes): void {
  mkdirSync(dirname(beside(name)), { recursive: true });
  writeFileSync(beside(`${name}.gz`), gzipSync(bytes));
  const digest = createHash("sha256").update(content).digest("hex");
  writeFileSync(
    beside("README.md"),
    `| \`${name}.gz\` | a program | \`${digest}\` | somewhere |\n`,
    {
      flag: "a",
    },
  );
}

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "wheelhouse-ci-")));
  const checkout = join(folder, "checkout");
  mkdirSync(join(folder, "bin"));
  for (const part of [".ci", "scripts", "package-lock.json"]) {
    cpSync(join(root, part), join(checkout, part), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(checkout, "node_modules"));
  // Instead of the whole suite: what a command of it sees
  writeFileSync(
    join(folder, "bin/npm"),
    "#!/bin/sh\nexec node scripts/run.mjs sh -c 'echo \"with ${SQUADS_SO:-nothing} and ${DRIFT_SO:-nothing}\"'\n",
    { mode: 0o755 },
  );
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(env: Readonly<Record<string, string>> = {}) {
  const path = [join(folder, "bin"), dirname(process.execPath), process.env["PATH"]];
  const command = join(folder, "checkout/.ci/run");
  return spawnSync("bash", [command], {
    encoding: "utf8",
    env: { PATH: path.join(delimiter), ...env },
  });
}

describe("the required check", () => {
  it("unpacks the real programs that lie beside the checkout, and tests with them", () => {
    lay("squads_v4.so", "custody");
    lay("drift_v2_2_84.so", "exchange");
    const said = `with ${unpacked("squads_v4.so")} and ${unpacked("drift_v2_2_84.so")}\n`;
    expect(run().stdout).toBe(said);
    expect(readFileSync(unpacked("drift_v2_2_84.so"), "utf8")).toBe("exchange");
    // What lies there already is used, and replaced where it is something else
    writeFileSync(unpacked("drift_v2_2_84.so"), "half of it");
    expect(run().stdout).toBe(said);
    expect(readFileSync(unpacked("drift_v2_2_84.so"), "utf8")).toBe("exchange");
  });

  it("fails instead of skipping where a program is missing or has the wrong digest", () => {
    lay("squads_v4.so", "custody");
    expect(run()).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("drift_v2_2_84.so.gz is missing"),
    });
    lay("drift_v2_2_84.so", "another program", "exchange");
    expect(run()).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("drift_v2_2_84.so.gz does not hold the program"),
    });
    expect(existsSync(unpacked("drift_v2_2_84.so"))).toBe(false);
  });

  it("uses a named file unchanged, and tests without the real programs where the folder is missing", () => {
    expect(run({ SQUADS_SO: "/mine.so" }).stdout).toBe("with /mine.so and nothing\n");
    lay("drift_v2_2_84.so", "exchange");
    expect(run({ SQUADS_SO: "/mine.so" }).stdout).toBe(
      `with /mine.so and ${unpacked("drift_v2_2_84.so")}\n`,
    );
  });
});

describe("a test run", () => {
  it("finds the real programs beside the checkout, so that none of their cases is skipped", ({
    skip,
  }) => {
    skip(!existsSync(packedPrograms), "no program files lie beside the checkout");
    expect(readFileSync(process.env["SQUADS_SO"] ?? "").length).toBeGreaterThan(1_000_000);
    expect(readFileSync(process.env["DRIFT_SO"] ?? "").length).toBeGreaterThan(1_000_000);
  });
});
