import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeFolder } from "./open-secret.ts";

const above = mkdtempSync(join(tmpdir(), "wheelhouse-folder-"));
afterAll(() => rmSync(above, { recursive: true }));

it("creates missing folders, unreadable for others, and leaves existing ones alone", () => {
  const folder = join(above, "one", "two");
  makeFolder(folder);
  makeFolder(folder);
  for (const made of [folder, join(above, "one")]) {
    expect(statSync(made).mode & 0o777 & ~0o711).toBe(0);
  }
});

it.skipIf(process.platform !== "linux")("says that nothing can be created below /proc", () =>
  expect(() => makeFolder("/proc/none/data")).toThrow(expect.objectContaining({ code: "ENOENT" })),
);

it("refuses a file in place of the folder or of a parent", () => {
  const file = join(above, "file");
  writeFileSync(file, "");
  expect(() => makeFolder(file)).toThrow(expect.objectContaining({ code: "EEXIST" }));
  expect(() => makeFolder(join(file, "data"))).toThrow(
    expect.objectContaining({ code: "ENOTDIR" }),
  );
});
