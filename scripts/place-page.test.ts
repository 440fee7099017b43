import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placePage } from "./place-page.mjs";

const LONG = "export const word = 'trade';\n".repeat(100);

describe("placing a built page", () => {
  let folder: string;
  const live = () => join(folder, "client");

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "wheelhouse-place-"));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  async function build(assets: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const next = join(folder, "next");
    mkdirSync(join(next, "assets"), { recursive: true });
    writeFileSync(join(next, "index.html"), `<!doctype html>${" ".repeat(2_000)}`);
    for (const [name, text] of Object.entries(assets)) {
      writeFileSync(join(next, "assets", name), text);
    }
    await placePage(next, live());
    return readdirSync(join(live(), "assets")).filter((name) => name.endsWith(".js"));
  }

  it("puts brotli and gzip files beside each file worth compressing", async () => {
    await build({ "a-1.js": LONG, "small-1.js": "export {};" });
    const packed = (ending: string) => readFileSync(join(live(), "assets", `a-1.js${ending}`));
    expect(brotliDecompressSync(packed(".br")).toString()).toBe(LONG);
    expect(gunzipSync(packed(".gz")).toString()).toBe(LONG);
    expect(existsSync(join(live(), "index.html.br"))).toBe(true);
    expect(existsSync(join(live(), "assets", "small-1.js.br"))).toBe(false);
  });

  it("keeps the previous build's files for open pages, and no older ones", async () => {
    await build({ "a-1.js": LONG, "same.js": "1" });
    expect(await build({ "a-2.js": LONG, "same.js": "1" })).toEqual([
      "a-1.js",
      "a-2.js",
      "same.js",
    ]);
    expect(existsSync(join(live(), "assets", "a-1.js.br"))).toBe(true);
    // The same once more: what was kept is still the build before
    expect(await build({ "a-2.js": LONG, "same.js": "1" })).toContain("a-1.js");
    expect(await build({ "a-3.js": LONG })).toEqual(["a-2.js", "a-3.js", "same.js"]);
    expect(readdirSync(folder)).toEqual(["client"]);
  });
});
