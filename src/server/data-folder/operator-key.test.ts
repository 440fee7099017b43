import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openOperatorKey, readOperatorCheck } from "./operator-key.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "wheelhouse-operator-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);

describe("the operator's key", () => {
  it("is made at its first use, readable by this account alone, and stays", () => {
    expect(readOperatorCheck(folder)).toBeNull();
    const signature = openOperatorKey(folder)?.("resume");
    if (signature === undefined) throw new Error("No key");
    const before = readFileSync(path("operator.key"), "utf8");
    expect(statSync(path("operator.key")).mode & 0o777).toBe(0o600);
    expect(Buffer.from(openOperatorKey(folder)?.("resume") ?? [])).toEqual(Buffer.from(signature));
    expect(readFileSync(path("operator.key"), "utf8")).toBe(before);
    const check = readOperatorCheck(folder);
    expect(check?.("resume", signature)).toBe(true);
    expect(check?.("resume ", signature)).toBe(false);
    expect(check?.("resume", new Uint8Array(64))).toBe(false);
    expect(check?.("resume", new Uint8Array(3))).toBe(false);
  });

  it("is not made anew while the public key waits for the private one", () => {
    openOperatorKey(folder);
    const shown = readFileSync(path("operator.pub"), "utf8");
    rmSync(path("operator.key"));
    expect(openOperatorKey(folder)).toBeNull();
    expect(readFileSync(path("operator.pub"), "utf8")).toBe(shown);
  });

  it("checks nothing when the public key cannot be read", () => {
    const signature = openOperatorKey(folder)?.("resume") ?? new Uint8Array(64);
    writeFileSync(path("operator.pub"), "no key");
    expect(readOperatorCheck(folder)?.("resume", signature)).toBe(false);
  });

  it("is none in a folder that is not there", () => {
    expect(openOperatorKey(path("gone"))).toBeNull();
    expect(readOperatorCheck(path("gone"))).toBeNull();
  });
});
