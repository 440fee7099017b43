import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createContext, runInContext } from "node:vm";
import { placePage } from "./place-page.mjs";
import { root } from "./root.mjs";

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

  it("keeps no file of the previous build that was changed since", async () => {
    await build({ "a-1.js": LONG, "b-1.js": LONG });
    writeFileSync(join(live(), "assets", "a-1.js"), "steal()");
    expect(await build({ "a-2.js": LONG })).toEqual(["a-2.js", "b-1.js"]);
  });

  it("gives the service worker digests, with which it refuses a changed asset and no other answer", async () => {
    const worker = readFileSync(join(root, "src", "client", "public", "service-worker.js"), "utf8");
    mkdirSync(join(folder, "next"), { recursive: true });
    writeFileSync(join(folder, "next", "service-worker.js"), worker);
    await build({ "a-1.js": LONG });
    const fetched = openWorker(readFileSync(join(live(), "service-worker.js"), "utf8"));
    expect(await fetched("/assets/a-1.js", LONG)).toBe(LONG);
    expect(await fetched("/assets/a-1.js", `${LONG}steal()`)).toBe("failed");
    expect(await fetched("/assets/a-1.js", "not found", 404)).toBe("not found");
    expect(await fetched("/assets/newer-1.js", "x")).toBe("left alone");
    expect(await fetched("https://other.test/assets/a-1.js", "x")).toBe("left alone");
  });
});

/** Runs a service worker; returns what the page gets for an address when the server answers with a text. */
function openWorker(script: string) {
  const listeners = new Map<string, (event: object) => void>();
  let answer = new Response();
  const self = {
    location: { origin: "https://own.test" },
    addEventListener: (name: string, listen: (event: object) => void) =>
      void listeners.set(name, listen),
  };
  const scope = { self, crypto, URL, Response, Uint8Array, btoa, fetch: async () => answer };
  runInContext(script, createContext(scope));
  return async (address: string, text: string, status = 200): Promise<string> => {
    answer = new Response(text, { status });
    let given: Promise<Response> | null = null;
    listeners.get("fetch")?.({
      request: { mode: "cors", url: new URL(address, self.location.origin).href },
      respondWith: (response: Promise<Response>) => (given = response),
    });
    const response = await (given as Promise<Response> | null);
    if (response === null) return "left alone";
    return response.type === "error" ? "failed" : response.text();
  };
}
