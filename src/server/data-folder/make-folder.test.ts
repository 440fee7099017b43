import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

const above = mkdtempSync(join(tmpdir(), "wheelhouse-folder-"));
afterAll(() => rmSync(above, { recursive: true }));

it("makes what is missing, none of it to be listed by others, and leaves what is there", () => {
  const folder = join(above, "one", "two");
  makeFolder(folder);
  makeFolder(folder);
  for (const made of [folder, join(above, "one")]) {
    expect(statSync(made).mode & 0o777 & ~0o711).toBe(0);
  }
});

it.skipIf(process.platform !== "linux")("says that nothing is made below /proc", () =>
  expect(() => makeFolder("/proc/none/data")).toThrow(expect.objectContaining({ code: "ENOENT" })),
);

it("takes no file for a folder, nor for one above", () => {
  const file = join(above, "file");
  writeFileSync(file, "");
  expect(() => makeFolder(file)).toThrow(expect.objectContaining({ code: "EEXIST" }));
  expect(() => makeFolder(join(file, "data"))).toThrow(
    expect.objectContaining({ code: "ENOTDIR" }),
  );
});
